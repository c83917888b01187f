// Comparisons by order of optionals. An app deleted the expired sessions, and with them all sessions that never expire:
// nil was less than every date.

import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Session: Hashable {
    #Index<Session>(\.expires)
    #Index<Session>(\.level.desc)
    #Unique<Session>(\.code, collisions: .throw)

    let id: Int
    var expires: Date?
    var level: Int?
    var code: String?
    var name: String?
    var deep: Int??
}

@IndexKeyRecord("shelf", "row")
private struct Slot: Hashable {
    let shelf: Int?
    let row: Descending<Int?>
}

@IndexKeyRecord("id")
private struct Chore: Hashable {
    let id: Int
    var rank: Int?

    /// Conditions written by hand, whose closures count nil as earlier versions of the filters did.
    static let indexes: [RecordIndex<Chore>] = [
        .index([IndexedProperty("id", \.id) { $0.id }], where: low),
        .index([IndexedProperty("rank", \.rank) { $0.rank }], where: high),
    ]

    private static var low: IndexCondition<Chore> {
        IndexCondition("low", filter: \.rank < 5, isExact: true) { chore in (chore.rank ?? 0) < 5 }
    }

    private static var high: IndexCondition<Chore> {
        IndexCondition("high", filter: .not(\.rank < 5), isExact: true) { chore in (chore.rank ?? 0) >= 5 }
    }
}

private func holds<Value>(_ value: Value?, _ test: (Value) -> Bool) -> Bool { value.map(test) ?? false }

@Suite("Order of optionals") struct OptionalOrderTests {
    private let store: Store
    private let now = Date(timeIntervalSinceReferenceDate: 1_000)

    init() throws {
        store = try Store.temporary()
        try store.insert(
            contentsOf: (0..<30).map { id in
                Session(
                    id: id, expires: id % 3 == 0 ? nil : now.addingTimeInterval(Double(id - 15)),
                    level: id % 4 == 0 ? nil : id % 7, code: id % 5 == 0 ? nil : "c\(id)",
                    name: id % 6 == 0 ? nil : ["", "a", "b"][id % 3],
                    deep: id % 7 == 0 ? .some(nil) : id % 8 == 0 ? nil : id)
            })
    }

    private func check(
        _ filter: Filter<Session>, sourceLocation: SourceLocation = #_sourceLocation, _ holds: (Session) -> Bool
    ) throws {
        let all = try Session.query().resolve(in: store)
        let found = try Session.filter(filter).keys(in: store).sorted()
        #expect(found == all.filter(holds).map(\.id), "\(filter)", sourceLocation: sourceLocation)
        let others = try Session.filter(!filter).keys(in: store).sorted()
        #expect(others == all.filter { !holds($0) }.map(\.id), "not \(filter)", sourceLocation: sourceLocation)
        #expect(try Session.filter(filter).count(in: store) == found.count, sourceLocation: sourceLocation)
    }

    @Test func aDeleteOfExpiredRecords_leavesThoseWithoutADate() throws {
        #expect(try Session.filter(\.expires < now).delete(in: store) == 10)
        #expect(try Session.filter(\.expires == nil).count(in: store) == 10)
        #expect(try Session.query().count(in: store) == 20)
    }

    @Test func aComparison_neverFindsNil_withAndWithoutIndex() throws {
        let now = now
        try check(\.expires < now) { holds($0.expires) { $0 < now } }
        try check(\.expires <= now) { holds($0.expires) { $0 <= now } }
        try check(\.expires > now) { holds($0.expires) { $0 > now } }
        try check(\.expires >= now) { holds($0.expires) { $0 >= now } }
        try check(.between(\.expires, now, now + 5)) { holds($0.expires) { $0 >= now && $0 <= now + 5 } }
        try check(\.level < 3) { holds($0.level) { $0 < 3 } }
        try check(\.level <= 3 && \.name < "b") {
            holds($0.level) { $0 <= 3 } && holds($0.name) { $0 < "b" }
        }
        try check(\.code < "c2" || \.name <= "a") {
            holds($0.code) { $0 < "c2" } || holds($0.name) { $0 <= "a" }
        }
        try check(!(\.level < 3 || \.name > "a")) {
            !holds($0.level) { $0 < 3 } && !holds($0.name) { $0 > "a" }
        }
        try check(\.deep < 9) { holds($0.deep ?? nil) { $0 < 9 } }
        try check(\.level != 3) { $0.level != 3 }
        try check(.within(\.level, [nil, 3])) { $0.level == nil || $0.level == 3 }
    }

    @Test func aComparisonWithNil_findsNothing() throws {
        let none: Date? = nil
        let never: [Filter<Session>] = [
            \.expires < none, \.expires <= none, \.expires > none, \.expires >= none, \.level > nil, \.name >= nil,
            .between(\.expires, none, now), .between(\.level, 3, nil), \.deep > .some(nil),
        ]
        for filter in never { try check(filter) { _ in false } }
    }

    @Test func aUniqueIndex_servesAComparison_sinceNilIsExcluded() throws {
        let plan = try Session.filter(\.code < "c11").explain(in: store)
        #expect(plan.hasPrefix(#"scan unique(code) of Session, 1 range: code < "c11""#))
    }

    @Test func sortsKeepNilFirst_andAggregatesSkipIt() throws {
        #expect(
            try Session.query().sorted(by: \.level).limit(8).select(\.level).resolve(in: store).allSatisfy { $0 == nil }
        )
        #expect(try Session.filter(\.level < 3).max(of: \.level).resolve(in: store) == 2)
        #expect(try Session.filter(\.level < 3).grouped(by: \.level).count(in: store).map(\.key) == [0, 1, 2])
        #expect(try Session.filter(\.level < 2).select(\.level).resolve(in: store).allSatisfy { $0 != nil })
    }

    @Test func queriesByKey_followTheSameRule() throws {
        let slots = [nil, 1, 2, 3].flatMap { shelf in [nil, 1, 2].map { Slot(shelf: shelf, row: Descending($0)) } }
        try store.insert(contentsOf: slots)
        func shelves(_ query: Query<Slot>) throws -> [Int?] {
            try query.order(.ascending).resolve(in: store).map(\.shelf)
        }
        #expect(try shelves(Slot.query(shelf: .lessThan(3))) == [1, 1, 1, 2, 2, 2])
        #expect(try shelves(Slot.query(shelf: .lessThanOrEqual(1))) == [1, 1, 1])
        #expect(try shelves(Slot.query(shelf: .range(from: nil, upTo: 3))) == [])
        #expect(try shelves(Slot.query(shelf: .greaterThan(nil))) == [])
        #expect(try Slot.query(shelf: nil).count(in: store) == 3)
        let rows = try Slot.query(shelf: 1, row: .greaterThan(Descending(2))).resolve(in: store).map(\.row.value)
        #expect(rows == [1])
        #expect(Slot.query(shelf: .lessThan(3)).description == "Slot.query(shelf: .lessThan(3))")
        #expect(
            Slot.query(shelf: 1, row: .greaterThan(Descending(2))).description
                == "Slot.query(shelf: 1, row: .greaterThanOrEqual(1))", "the same range of bytes")
    }

    @Test func indexesWithConditionsWrittenByHand_areNeverWrong() throws {
        let jobs = (0..<60).map { Chore(id: $0, rank: $0 % 6 == 0 ? nil : $0 % 10) }
        try store.insert(contentsOf: jobs)
        for rebuilds in [false, true] {
            if rebuilds { try store.rebuild(Chore.self) }
            let low = jobs.filter { holds($0.rank) { $0 < 5 } }.map(\.id)
            #expect(try Chore.filter(\.rank < 5).keys(in: store).sorted() == low)
            #expect(try Chore.filter(\.rank < 5 && \.id < 20).keys(in: store).sorted() == low.filter { $0 < 20 })
            #expect(try Chore.filter(!(\.rank < 5)).count(in: store) == 60 - low.count)
            #expect(try Chore.filter(\.rank == nil).count(in: store) == 10)
            #expect(try Chore.filter(\.rank == 7).count(in: store) == jobs.count { $0.rank == 7 })
            #expect(try store.check(Chore.self) == [])
        }
    }
}
