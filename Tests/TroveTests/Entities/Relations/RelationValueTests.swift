// The values of an entity's relations: their meanings and their equality.

import Foundation
import Testing
import TroveCoding

@testable import Trove

@Suite("Relation values")
struct RelationValueTests {
    private let ann = Artist(id: 1, name: "Ann")
    private let bob = Artist(id: 2, name: "Bob")

    @Test func unset_isTheDefault() {
        let film = Film(id: "1", title: "One")
        #expect(film.$studio.isNone && film.$cast.isNone && film.$awards.isNone)
        #expect(film.studio == nil && film.cast == nil && film.awards == nil)
        #expect(film.$studio.id == nil && film.$cast.ids.isEmpty)
    }

    @Test func initialValues_holdForNewEntities() {
        let screening = Screening(id: Tuple(1, "a"))
        #expect(screening.$film == .id("unknown"))
        #expect(screening.guests?.map(\.name) == ["Host"])
    }

    @Test func memberwiseInitializer_takesRelationValues() {
        let film = Film(
            id: "1", title: "One", cast: .relation([ann]), poster: .null, prequel: .relation(Film(id: "0", title: "O")),
            sequel: .fragment(Film(id: "2", title: "Two")), director: .id(2), awards: .ids(["best"]))
        #expect(film.$studio.isNone)
        #expect(film.cast == [ann])
        #expect(film.$poster.isNull && film.poster == nil)
        #expect(film.prequel?.title == "O" && film.sequel?.title == "Two")
        #expect(film.$director.id == 2 && film.director == nil)
        #expect(film.$awards.ids == ["best"])
        #expect(Film(id: "1", title: "One", cast: .appending(ids: [1])).$cast.isSlice)
        #expect(Film(id: "1", title: "One", cast: .appending(relation: [ann])).$cast.isSlice)
        #expect(Film(id: "1", title: "One", cast: .appending(fragment: [ann])).$cast.isFragment)
        #expect(Film(id: "1", title: "One", cast: .fragment([ann])).$cast.isFragment)
        #expect(Film(id: "1", title: "One", cast: .none).$cast.isNone)
    }

    @Test func toOneValues_haveTheirState() {
        typealias Value = ToOneRelation<Artist, Relations.OneWay, Relations.Optional>
        expect(Value.none, [.isNone], ids: [])
        expect(Value.null, [.isNull], ids: [])
        expect(Value.id(1), [.isId], ids: [1])
        expect(Value.relation(ann), [], ids: [1])
        expect(Value.fragment(ann), [.isFragment], ids: [1])
    }

    @Test func toManyValues_haveTheirState() {
        typealias Value = ToManyRelation<Artist, Relations.Mutual, Relations.Optional>
        expect(Value.none, [.isNone], ids: [])
        expect(Value.ids([2, 1]), [.isId], ids: [2, 1])
        expect(Value.relation([ann, bob]), [], ids: [1, 2])
        expect(Value.fragment([ann]), [.isFragment], ids: [1])
        expect(Value.appending(ids: [1]), [.isId, .isSlice], ids: [1])
        expect(Value.appending(relation: [ann]), [.isSlice], ids: [1])
        expect(Value.appending(fragment: [ann]), [.isFragment, .isSlice], ids: [1])
    }

    @Test func loadedEntities_areTheValueOfTheProperty() {
        var film = Film(id: "1", title: "One")
        film.$cast = .fragment([ann, bob])
        #expect(film.cast == [ann, bob])
        film.$cast = .appending(relation: [bob])
        #expect(film.cast == [bob])
        film.$cast = .ids([1])
        #expect(film.cast == nil)
        film.$director = .relation(ann)
        #expect(film.director == ann)
        film.$director = .none
        #expect(film.director == nil)
    }

    @Test func equality_isThatOfTheChange() {
        typealias One = ToOneRelation<Artist, Relations.OneWay, Relations.Optional>
        typealias Many = ToManyRelation<Artist, Relations.OneWay, Relations.Optional>
        let renamed = Artist(id: 1, name: "Anna")
        let one: [[One]] = [
            [.none], [.null], [.id(1), .relation(ann), .fragment(renamed)], [.id(2), .relation(bob)],
        ]
        let many: [[Many]] = [
            [.none], [.ids([]), .relation([]), .fragment([])], [.appending(ids: []), .appending(relation: [])],
            [.ids([1, 2]), .relation([ann, bob]), .fragment([renamed, bob])], [.ids([2, 1])],
            [.appending(ids: [1, 2]), .appending(fragment: [ann, bob])], [.ids([1])],
        ]
        expectClasses(one)
        expectClasses(many)
    }

    @Test func entities_areEqualWithTheirRelations() {
        let film = Film(id: "1", title: "One", cast: .ids([1]))
        #expect(film == Film(id: "1", title: "One", cast: .relation([ann])))
        #expect(film != Film(id: "1", title: "One"))
        #expect(film != Film(id: "1", title: "Two", cast: .ids([1])))
        #expect(Set([film, Film(id: "1", title: "One", cast: .relation([ann]))]).count == 1)
    }

    @Test func normalize_unsetsAllRelations() {
        var film = Film(id: "1", title: "One", year: 1999, cast: .ids([1]), poster: .null, awards: .ids([]))
        let normalized = film.normalized()
        #expect(normalized == Film(id: "1", title: "One", year: 1999))
        #expect(film.$poster.isNull)
        film.normalize()
        #expect(film.$cast.isNone && film.$poster.isNone && film.$awards.isNone)
        #expect(film == normalized)
    }

    @Test func isNormalized_isFalseWithAnyRelation() {
        #expect(Film(id: "1", title: "One", year: 3).isNormalized)
        #expect(Award(id: "a").isNormalized)
        let films = [
            Film(id: "1", title: "", studio: .fragment(Studio(id: UUID(), name: ""))),
            Film(id: "1", title: "", cast: .ids([])), Film(id: "1", title: "", poster: .null),
            Film(id: "1", title: "", awards: .appending(ids: [])),
        ]
        #expect(films.allSatisfy { !$0.isNormalized && $0.normalized().isNormalized })
        // The defaults of a conformance by hand.
        var venue = HandwrittenVenue(id: 1, name: "Odeon", neighbors: .ids([2]))
        #expect(!venue.isNormalized)
        venue.normalize()
        #expect(venue.isNormalized && venue == HandwrittenVenue(id: 1, name: "Odeon"))
    }

    @Test func relation_isAPointer() {
        #expect(
            MemoryLayout<Relationship<[Film], Film, Relations.OneWay, Relations.ToMany<Film>, Relations.Optional>>
                .size == MemoryLayout<Int>.size)
        #expect(MemoryLayout<Film>.size - MemoryLayout<FilmRecord>.size <= 7 * MemoryLayout<Int>.size + 7)
    }

    @Test func description_isTheCode() {
        var film = Film(id: "1", title: "One", poster: .null)
        #expect("\(film.$cast) \(film.$poster)" == ".none .null")
        film.$director = .id(1)
        film.$cast = .appending(ids: [1, 2])
        film.$awards = .ids(["best"])
        #expect("\(film.$director) \(film.$cast) \(film.$awards)" == #".id(1) .appending(ids: [1, 2]) .ids(["best"])"#)
        film.$awards = .fragment([])
        #expect("\(film)".contains("_awards: .fragment([])"))
    }

    // MARK: Comparisons

    private enum State: CaseIterable { case isNone, isNull, isId, isFragment, isSlice }

    private func expect<Entity, D, C, K>(
        _ value: Relation<Entity, D, C, K>, _ states: Set<State>, ids: [Entity.ID],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let found = State.allCases.filter { state in
            switch state {
            case .isNone: value.isNone
            case .isNull: value.isNull
            case .isId: value.isId
            case .isFragment: value.isFragment
            case .isSlice: value.isSlice
            }
        }
        #expect(Set(found) == states, sourceLocation: sourceLocation)
        #expect(value.ids == ids, sourceLocation: sourceLocation)
    }

    /// Expects values of the same class to be equal, and all others to be different.
    private func expectClasses<Value: Hashable>(_ classes: [[Value]]) {
        for (number, members) in classes.enumerated() {
            for (other, others) in classes.enumerated() {
                for left in members {
                    for right in others {
                        #expect((left == right) == (number == other), "\(left) and \(right)")
                        if number == other { #expect(left.hashValue == right.hashValue, "\(left) and \(right)") }
                    }
                }
            }
        }
    }
}
