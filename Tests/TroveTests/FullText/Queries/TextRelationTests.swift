// Texts of entities: searches within relations, searches that read graphs, and changes of what they find.

import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Bard: Equatable {
    let id: Int
    var name: String
    @Relationship(inverse: \.bard) var stanzas: [Stanza]?
}

@EntityModel
private struct Stanza: Equatable {
    #FullTextIndex<Stanza>(\.text)
    #Index<Stanza>(\.line)

    let id: Int
    var text: String
    var line: Int
    @Relationship(inverse: \.stanzas) var bard: Bard?
}

private struct Undone: Error {}

@Suite("Texts of entities") struct TextRelationTests {
    private let store: Store

    /// The stanzas of bard 1 are 9, 3, 5, 7, those of bard 2 are 4, 2.
    init() throws {
        store = try Store.temporary(records: [Bard.self, Stanza.self])
        let texts = [
            (9, "the sea the sea", 1), (3, "the wind", 2), (5, "sea and wind and sail", 3), (7, "a calm", 4),
            (4, "the sea", 5), (2, "the sail", 6),
        ]
        let stanzas = texts.map { Stanza(id: $0, text: $1, line: $2) }
        try Bard(id: 1, name: "Ann", stanzas: .relation(Array(stanzas[..<4]))).save(to: store)
        try Bard(id: 2, name: "Bob", stanzas: .relation(Array(stanzas[4...]))).save(to: store)
    }

    /// Runs a test in a read, and in a write with pending words that it undoes.
    private func inBoth(_ body: (ReadContext) throws -> Void) throws {
        try store.read(body)
        try? store.write { context in
            try Stanza(id: 11, text: "pending sea", line: 7, bard: .id(3)).save(to: context)
            try Stanza(id: 11, text: "pending", line: 7, bard: .null).save(to: context)
            try Stanza.filter(\.line == 2).update(in: context) { $0.text = "the wind" }
            do {
                try body(context)
            } catch {
                Issue.record(error)
            }
            throw Undone()
        }
        // While the index is being built.
        let type = try #require(try store.read { try $0.storedTypes() }.first { $0.name.hasSuffix("Stanza") })
        #expect(try store.markForRebuild("fullText(text)", of: type).count == 1)
        try store.read(body)
        try store.finishMigrations()
    }

    @Test func relatedEntities_areFilteredByTheirTexts() throws {
        let stanzas = Bard.query(1).related(\.$stanzas)
        try inBoth { context throws in
            #expect(try stanzas.filter(.matches("sea")).keys(in: context) == [9, 5])
            #expect(try stanzas.filter(.matches("wind OR calm")).keys(in: context) == [3, 5, 7])
            #expect(try stanzas.filter(.matches("sea") || \.line == 4).keys(in: context) == [9, 5, 7])
            #expect(try stanzas.filter(!.matches("sea")).keys(in: context) == [3, 7])
            #expect(try stanzas.filter(.matches("sea") && \.line > 1).keys(in: context) == [5])
            #expect(try stanzas.filter(.matches("the")).limit(1).offset(1).keys(in: context) == [3])
            #expect(try stanzas.filter(.matches("wind")).after(key: 3).keys(in: context) == [5])
            #expect(try stanzas.filter(.matches("sea")).sorted(by: \.line.desc).keys(in: context) == [5, 9])
            #expect(try stanzas.filter(.matches("sea")).count(in: context) == 2)
            #expect(try stanzas.filter(.matches("gale")).exists(in: context) == false)
            let all = Bard.query().related(\.$stanzas).filter(.matches("sea"))
            #expect(try Set(all.keys(in: context)) == [9, 5, 4])
            #expect(
                try Bard.filter(\.name == "Bob").related(\.$stanzas).filter(.matches("sea")).keys(in: context) == [4])
            let groups = try Bard.query().filter(\.id > 0).relatedGroups(\.$stanzas).resolve(in: context)
            #expect(groups.map(\.targets.count) == [4, 2])
        }
    }

    @Test func aLongList_isFilteredByARareText_andTheOtherWayRound() throws {
        let many = (100..<1_400).map { Stanza(id: $0, text: $0 % 400 == 0 ? "rare word" : "word", line: $0) }
        try Bard(id: 8, name: "Eve", stanzas: .relation(Array(many.reversed()))).save(to: store)
        let rare = Bard.query(8).related(\.$stanzas).filter(.matches("rare"))
        #expect(try rare.keys(in: store) == [1_200, 800, 400])
        #expect(try rare.after(key: 1_200).keys(in: store) == [800, 400])
        #expect(try rare.explain(in: store).contains("search fullText(text) of Stanza: rare"))
        let common = Bard.query(1).related(\.$stanzas).filter(.matches("word OR sea"))
        #expect(try common.keys(in: store) == [9, 5])
        #expect(try common.explain(in: store).hasPrefix("walk links Bard.stanzas of 1 owner"))
        let linked = Stanza.matching("word OR sea").filter(.linked(\.$bard, to: 1))
        #expect(try linked.keys(in: store) == [9, 5])
        #expect(try linked.explain(in: store).contains("walk links Stanza.bard to 1 entity"))
    }

    @Test func graphs_areReadWithTextsAtEveryLevel() throws {
        try inBoth { context throws in
            let bards = try Bard.query().with(\.$stanzas) { $0.filter(.matches("sea")) }.resolve(in: context)
            #expect(bards.map { $0.stanzas?.map(\.id) } == [[9, 5], [4]])
            let sorted = try Bard.query(1)
                .with(\.$stanzas) { $0.filter(.matches("sea OR wind")).sorted(by: \.line.desc).limit(2) }
                .resolve(in: context)
            #expect(sorted?.stanzas?.map(\.id) == [5, 3])
            let others = try Bard.query(1)
                .with(\.$stanzas) { $0.filter(!.matches("sea") || \.line == 1) }.resolve(in: context)
            #expect(others?.stanzas?.map(\.id) == [9, 3, 7])
            let hits = try Stanza.matching("sea").with(\.$bard).resolve(in: context)
            #expect(hits.map(\.id) == [9, 4, 5] && hits.map { $0.bard?.name } == ["Ann", "Bob", "Ann"])
            let deep = try Stanza.matching("calm")
                .with(\.$bard) { $0.with(\.$stanzas) { $0.filter(.matches("wind")) } }.resolve(in: context)
            #expect(deep.first?.bard?.stanzas?.map(\.id) == [3, 5])
            #expect(try Stanza.matching("the").related(\.$bard).keys(in: context) == [1, 2])
            #expect(try Stanza.matching("sail").related(\.$bard).related(\.$stanzas).count(in: context) == 6)
            var seen: [Int] = []
            try Stanza.matching("sea").with(\.$bard).forEach(in: context) { stanza in
                seen.append(stanza.bard?.id ?? 0)
            }
            #expect(seen == [1, 2, 1])
        }
    }

    @Test func conditionsOfLinks_joinTexts() throws {
        try inBoth { context throws in
            #expect(try Stanza.filter(.matches("sea") && .linked(\.$bard, to: 2)).keys(in: context) == [4])
            #expect(try Stanza.matching("sea").filter(.linked(\.$bard, to: [1, 2])).keys(in: context) == [9, 4, 5])
            #expect(try Stanza.filter(.matches("sea") && !.linked(\.$bard, to: 1)).keys(in: context) == [4])
            let either = Stanza.filter(.matches("calm") || .linked(\.$bard, to: 2)).order(.ascending)
            #expect(try either.keys(in: context) == [2, 4, 7])
        }
    }

    @Test func statements_changeWhatTextsFind() throws {
        try store.write { context in
            try Stanza(id: 12, text: "a new sea", line: 8, bard: .id(2)).save(to: context)
            #expect(try Bard.query(2).related(\.$stanzas).filter(.matches("sea")).keys(in: context) == [4, 12])
            let changed = try Stanza.matching("sea").update(in: context) { $0.text += " monster" }
            #expect(changed == 4)
            #expect(try Stanza.matching("monster").count(in: context) == 4)
            #expect(try Stanza.matching("\"sea monster\"").count(in: context) == 3)
            try? context.nested { nested in
                #expect(try Stanza.matching("monster").delete(in: nested) == 4)
                #expect(try Stanza.matching("monster").count(in: nested) == 0)
                throw Undone()
            }
            #expect(try Bard.query(1).related(\.$stanzas).filter(.matches("monster")).delete(in: context) == 2)
            #expect(try Stanza.matching("monster").keys(in: context).sorted() == [4, 12])
            var visited: [Int] = []
            try Stanza.matching("the OR a").forEach(in: context) { stanza in
                visited.append(stanza.id)
                var stanza = stanza
                stanza.text = "the the the"
                try stanza.save(to: context)
            }
            #expect(visited.sorted() == [2, 3, 4, 7, 12])
            #expect(try Stanza.matching("monster").exists(in: context) == false)
        }
        #expect(try Stanza.matching("the").count(in: store) == 5)
        #expect(try store.check().isEmpty)
    }
}
