// The list of relations of a type: what each declares, and the access to it without its types.

import Foundation
import LMDB
import Testing
import TroveCoding

@testable import Trove

/// An entity whose relations no other test uses.
@EntityModel
private struct Skipper {
    let id: Int
    @Relationship var mate: Skipper? = nil
}

@Suite("Declared relations")
struct EntityRelationTests {
    private func relation<Owner>(_ property: String, of type: Owner.Type) throws -> EntityRelation<Owner> {
        try #require(Owner.relations.first { $0.description.property == property })
    }

    @Test func relations_areInTheOrderOfTheirDeclaration() {
        #expect(
            Film.relationDescriptions.map(\.property) == [
                "studio", "cast", "poster", "prequel", "sequel", "director", "awards",
            ])
        #expect(Award.relations.isEmpty)
    }

    @Test func ofSeveralThreads_theFirstCreatesTheEnds() throws {
        let found = Monitor<[DeclaredRelation]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let ends = (try? Skipper.declaredRelations()) ?? []
            found.withLock { $0 += ends }
        }
        let ends = found.withLock { $0 }
        #expect(ends.count == 16 && ends.allSatisfy { $0 === ends[0] })
    }

    @Test func declaration_isDescribed() {
        let film = Film.relationDescriptions
        #expect(film.map(\.isToMany) == [false, true, false, false, false, false, true])
        #expect(film.map(\.isRequired) == [true, false, false, false, false, true, false])
        #expect(film.map(\.isMutual) == [true, true, true, true, true, false, false])
        #expect(film.map(\.deleteRule) == [.nullify, .nullify, .cascade, .nullify, .nullify, .nullify, .nullify])
        #expect(film.map { "\($0.target)" } == ["Studio", "Artist", "Poster", "Film", "Film", "Artist", "Award"])
        #expect(film.allSatisfy { $0.owner == Film.self && $0.name == $0.property && $0.oldNames.isEmpty })
        #expect(Studio.relationDescriptions.map(\.deleteRule) == [.deny])
    }

    @Test func storedNames_areThoseOfTheCodingKeys() {
        let relations = Screening.relationDescriptions
        #expect(relations.map(\.property) == ["film", "guests"])
        #expect(relations.map(\.name) == ["movie", "guests"])
        #expect(relations.map(\.oldNames) == [["show"], []])
    }

    @Test func inverse_isTheOtherTypesProperty() throws {
        for relation in Film.relationDescriptions + Artist.relationDescriptions where relation.isMutual {
            let inverse = try #require(relation.inverse)
            let back = try #require(inverse.inverse)
            #expect(back.property == relation.property && back.owner == relation.owner)
            #expect(inverse.owner == relation.target && inverse.target == relation.owner)
        }
        #expect(try relation("studio", of: Film.self).description.inverse?.isToMany == true)
        #expect(try relation("poster", of: Film.self).description.inverse?.isToMany == false)
        #expect(try relation("director", of: Film.self).description.inverse == nil)
    }

    @Test func ownInverse_isSymmetric() {
        #expect(Artist.relationDescriptions.filter(\.isSymmetric).map(\.property) == ["friends", "partner"])
        #expect(Film.relationDescriptions.allSatisfy { !$0.isSymmetric })
    }

    @Test func keyPath_findsItsRelation() {
        #expect(Film.relationIndex(of: \Film.$studio) == 0)
        #expect(Film.relationIndex(of: \Film.$awards) == 6)
        #expect(Film.relationIndex(of: \Film.title) == nil)
        #expect(Film.relationIndex(of: \Film.studio) == nil)
    }

    @Test func options_areTheArgumentsOfTheMacro() {
        #expect(Screening.entityOptions == EntityOptions(keepsMetadata: true))
        #expect(Film.entityOptions == EntityOptions())
    }

    // MARK: Access

    @Test func change_hasTheKeysOfTheTargets() throws {
        let cast = try relation("cast", of: Film.self).accessor
        let director = try relation("director", of: Film.self).accessor
        let poster = try relation("poster", of: Film.self).accessor
        let ann = Artist(id: 1, name: "Ann")
        #expect(text(cast.change(by: Film(id: "1", title: ""))) == "none")
        #expect(text(cast.change(by: Film(id: "1", title: "", cast: .ids([300, 1])))) == "set [300, 1]")
        #expect(text(cast.change(by: Film(id: "1", title: "", cast: .ids([])))) == "set []")
        #expect(text(cast.change(by: Film(id: "1", title: "", cast: .fragment([ann])))) == "set [1]")
        #expect(text(cast.change(by: Film(id: "1", title: "", cast: .appending(ids: [-7])))) == "append [-7]")
        #expect(
            text(cast.change(by: Film(id: "1", title: "", cast: .appending(relation: [ann, ann])))) == "append [1, 1]")
        #expect(text(director.change(by: Film(id: "1", title: "", director: .id(9)))) == "set [9]")
        #expect(text(director.change(by: Film(id: "1", title: "", director: .relation(ann)))) == "set [1]")
        #expect(text(poster.change(by: Film(id: "1", title: "", poster: .null))) == "set []")
    }

    @Test func keys_areThoseOfTheRecords() throws {
        var keys = KeyList()
        let ids = ["", "a", String(repeating: "long", count: 300), "\u{0}\u{1}"]
        for id in ids { keys.append(id) }
        #expect(keys.map { Array($0) } == ids.map { KeyWriter.bytes(of: $0) })
        #expect(KeyList(ids).map { Array($0) } == keys.map { Array($0) })
        #expect(KeyList(count: ids.count) { ids[$0].encodeKey(into: &$1) }.map { Array($0) } == keys.map { Array($0) })
        #expect(keys.longest == 1201)
        let tuple = Tuple(4, "b")
        #expect(KeyList(tuple).map { Array($0) } == [KeyWriter.bytes(of: tuple)])
    }

    @Test func entities_areVisitedInOrder() throws {
        struct Log: EntityVisitor {
            var lines: [String] = []
            mutating func visit<Entity: EntityModelProtocol>(_ entity: Entity, isFragment: Bool) throws -> ScanControl {
                lines.append("\(Entity.self) \(entity.id)\(isFragment ? " fragment" : "")")
                return .continue
            }
        }
        let film = Film(
            id: "1", title: "", cast: .fragment([Artist(id: 2, name: ""), Artist(id: 1, name: "")]), poster: .null,
            prequel: .relation(Film(id: "0", title: "")), director: .id(1),
            awards: .appending(relation: [Award(id: "best")]))
        var log = Log()
        for relation in Film.relations { _ = try relation.accessor.forEachEntity(of: film, from: 0, &log) }
        #expect(log.lines == ["Artist 2 fragment", "Artist 1 fragment", "Film 0", "Award best"])
    }

    @Test func ids_areSetFromKeys() throws {
        var film = Film(id: "1", title: "", sequel: .id("2"))
        try relation("cast", of: Film.self).accessor.setIDs(KeyList([2, 1]), in: &film)
        try relation("awards", of: Film.self).accessor.setIDs(KeyList(["best"]), isSlice: true, in: &film)
        try relation("director", of: Film.self).accessor.setIDs(KeyList(3), in: &film)
        try relation("sequel", of: Film.self).accessor.setIDs(KeyList(), in: &film)
        #expect(film.$cast == .ids([2, 1]) && film.$awards == .appending(ids: ["best"]))
        #expect(film.$director == .id(3) && film.$sequel.isNone)
        #expect(throws: CodingError.self) {
            try relation("cast", of: Film.self).accessor.setIDs(KeyList("a"), in: &film)
        }
    }

    private func text(_ change: LinkChange) -> String {
        do {
            switch change {
            case .none: return "none"
            case .set(let keys): return "set \(try keys.map { try $0.component() as Int })"
            case .append(let keys): return "append \(try keys.map { try $0.component() as Int })"
            }
        } catch {
            return "\(error)"
        }
    }
}
