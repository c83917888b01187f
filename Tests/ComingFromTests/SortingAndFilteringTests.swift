// Sorts, filters and indexes: the samples of SwiftletModel, statement by statement.

import Foundation
import Testing
import Trove
import TroveSpellings

private enum Rank: String, Codable, CaseIterable { case novice, guide, leader }

@EntityModel
private struct Hiker: Equatable {
    #Index<Hiker>(\.age)
    #Index<Hiker>(\.lastName, \.firstName)
    #Index<Hiker>(\.rank)

    let id: String
    var firstName: String
    var lastName: String
    var age: Int
    var rank: Rank
    var level: Int
    var lastSeen: Date
}

@Suite("Coming from SwiftletModel: sorts and filters") struct SortingAndFilteringTests {
    private typealias Hikers = Bound<Query<Hiker>, ReadContext>

    private let store: Store
    private let hikers: [Hiker]

    init() throws {
        store = try Store.temporary(records: [Hiker.self])
        hikers = (0..<1000).map { number in
            Hiker(
                id: "\(1000 + number)", firstName: ["Ines", "Tomo", "Ravi"][number % 3],
                lastName: ["Olan", "Meije", "Ailefroide"][number / 3 % 3], age: number % 90,
                rank: number % 50 == 0 ? .guide : number % 333 == 1 ? .leader : .novice, level: number % 10,
                lastSeen: Date(timeIntervalSinceReferenceDate: Double(number)))
        }
        try hikers.save(to: store)
    }

    /// Whether the plan of a page reads an index.
    private func reads(_ index: String, _ query: Hikers) throws -> Bool {
        try query.limit(10).explain().contains("index(\(index))")
    }

    private func expect(
        _ query: Hikers, _ matches: (Hiker) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = hikers.filter(matches)
        #expect(!expected.isEmpty && expected.count < hikers.count, sourceLocation: sourceLocation)
        #expect(try Set(query.resolve().map(\.id)) == Set(expected.map(\.id)), sourceLocation: sourceLocation)
    }

    // MARK: Sorts

    @Test func onePropertyOrSeveral_giveTheOrder() throws {
        try store.read { context in
            let byAge = try Hiker.query(in: context)
                .sorted(by: \.age)
                .resolve()
            #expect(byAge == hikers.sorted { ($0.age, $0.id) < ($1.age, $1.id) })
            let oldest = try Hiker.query(in: context)
                .sorted(by: \.age.desc)
                .resolve()
            #expect(oldest == hikers.sorted { ($1.age, $0.id) < ($0.age, $1.id) })
            let byName = try Hiker.query(in: context)
                .sorted(by: \.lastName, \.firstName)
                .resolve()
            #expect(byName == hikers.sorted { ($0.lastName, $0.firstName, $0.id) < ($1.lastName, $1.firstName, $1.id) })
            let mixed = try Hiker.query(in: context)
                .sorted(by: \.age.desc, \.lastName)
                .resolve()
            #expect(mixed == hikers.sorted { ($1.age, $0.lastName, $0.id) < ($0.age, $1.lastName, $1.id) })
        }
    }

    @Test func anIndex_hasTheOrder_ifItBeginsWithTheProperties() throws {
        try store.read { context in
            let readsAge = try reads("age", Hiker.query(in: context).sorted(by: \.age))
            #expect(readsAge)
            #expect(try reads("age", Hiker.query(in: context).sorted(by: \.age.desc)))
            #expect(try reads("lastName,firstName", Hiker.query(in: context).sorted(by: \.lastName, \.firstName)))
            for query in [
                Hiker.query(in: context).sorted(by: \.firstName), Hiker.query(in: context).sorted(by: \.level),
            ] {
                #expect(try !query.limit(10).explain().contains("index("))
            }
        }
    }

    @Test func filters_goWithSorts() throws {
        try store.read { context in
            let adults = try Hiker.query(in: context)
                .filter(\.age > 18)
                .sorted(by: \.lastName, \.firstName)
                .resolve()
            #expect(
                adults
                    == hikers.filter { $0.age > 18 }
                    .sorted { ($0.lastName, $0.firstName, $0.id) < ($1.lastName, $1.firstName, $1.id) })
            let guides = Hiker.query(in: context)
                .filter(\.rank == .guide)
                .sorted(by: \.age.desc, \.lastName)
            #expect(
                try guides.resolve()
                    == hikers.filter { $0.rank == .guide }
                    .sorted { ($1.age, $0.lastName, $0.id) < ($0.age, $1.lastName, $1.id) })
            #expect(try guides.explain().contains("index(rank)"))
        }
    }

    // MARK: Filters

    @Test func comparisons_findEqualLesserAndGreaterValues() throws {
        try store.read { context in
            try expect(Hiker.filter(\.age == 25, in: context)) { $0.age == 25 }
            try expect(Hiker.filter(\.age == 20, in: context).filter(\.rank == .guide)) {
                $0.age == 20 && $0.rank == .guide
            }
            try expect(Hiker.filter(\.age != 25, in: context)) { $0.age != 25 }
            try expect(Hiker.filter(\.age > 18, in: context)) { $0.age > 18 }
            try expect(Hiker.filter(\.age <= 21, in: context)) { $0.age <= 21 }
            try expect(Hiker.filter(\.age >= 18, in: context).filter(\.age < 30)) { 18..<30 ~= $0.age }
        }
    }

    @Test func filters_areJoined_fromLeftToRight() throws {
        try store.read { context in
            try expect(Hiker.filter(\.age == 25, in: context).or(.filter(\.age == 30, in: context))) {
                $0.age == 25 || $0.age == 30
            }
            try expect(Hiker.filter(\.age > 18, in: context).and(\.rank == .guide)) {
                $0.age > 18 && $0.rank == .guide
            }
            let several = Hiker.filter(\.age == 25, in: context)
                .or(.filter(\.rank == .guide, in: context))
                .or(.filter(\.age > 30, in: context).and(\.level <= 4))
            try expect(several) { $0.age == 25 || $0.rank == .guide || $0.age > 30 && $0.level <= 4 }
            let weekAgo = Date(timeIntervalSinceReferenceDate: 400)
            let combined = Hiker.filter(\.age >= 18, in: context)
                .and(\.rank == .guide)
                .or(.filter(\.rank == .leader, in: context))
                .and(\.lastSeen > weekAgo)
            try expect(combined) { ($0.age >= 18 && $0.rank == .guide || $0.rank == .leader) && $0.lastSeen > weekAgo }
        }
    }

    @Test func indexes_areUsedWhereTheyHelp() throws {
        try store.read { context in
            #expect(try Hiker.filter(\.age == 25, in: context).explain().contains("index(age)"))
            let guides = Hiker.filter(\.rank == .guide, in: context).filter(\.level == 0)
            #expect(try guides.explain().contains("index(rank)"))
            try expect(guides) { $0.rank == .guide && $0.level == 0 }
            #expect(try !Hiker.filter(\.level == 3, in: context).explain().contains("index("))
        }
    }
}
