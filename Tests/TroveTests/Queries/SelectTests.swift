// Every select equals a filter of a plain array, for all types, comparisons, orders and pages.

import Foundation
import Testing
import Trove
import TroveSpellings
import TroveTestSupport

@Suite("Selects") struct SelectTests {
    @Test func selects_equalAFilter_forTextsNumbersAndFlags() throws {
        try check(Row<String, Int, Bool>.self)
        try check(Row<Bool, String, Int>.self)
        try check(Row<Int, Bool, String>.self)
    }

    @Test func selects_equalAFilter_forDataDatesAndFractions() throws {
        try check(Row<Double, Data, Date>.self)
        try check(Row<Data, Date, Double>.self)
        try check(Row<Date, Double, Data>.self)
    }

    @Test func selects_equalAFilter_forOptionalsEnumsAndIdentifiers() throws {
        try check(Row<String?, Cabin, UUID>.self)
        try check(Row<UUID, Data?, Cabin>.self)
        try check(Row<Cabin, UUID, String?>.self)
    }

    @Test func selects_equalAFilter_forTuplesAndDescendingComponents() throws {
        try check(Row<Flight, Descending<String>, UInt8>.self)
        try check(Row<UInt8, Flight, Descending<Int>>.self)
        try check(Row<Descending<String?>, UInt8, Flight>.self)
        try check(Row<String?, Descending<String?>, Decimal>.self)
        try check(Row<Decimal, Descending<Decimal>, Descending<Data?>>.self)
    }

    private func check<First, Second, Third>(_ type: Row<First, Second, Third>.Type) throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let rows = type.sortedWithoutDuplicates((0..<120).map { type.sample(number: $0, using: &generator) })
        let store = try Store.temporary()
        try store.insert(contentsOf: rows.shuffled(using: &generator))
        let trial = Trial(rows: rows, store: store)
        for number in 0..<150 {
            try trial.run(using: &generator, "trial \(number) of \(type), TROVE_TEST_SEED=\(seed)")
        }
        #expect(try type.query().resolve(in: store) == rows)
    }
}

/// A random query of each shape, on a store and on an array.
private struct Trial<First: RowComponent, Second: RowComponent, Third: RowComponent> {
    typealias Record = Row<First, Second, Third>

    let rows: [Record]
    let store: Store

    func run(using generator: inout SeededGenerator, _ comment: Comment) throws {
        let row = rows[Int.random(in: 0..<rows.count, using: &generator)]
        let order: KeyOrder? = [nil, .ascending, .descending].randomElement(using: &generator) ?? nil

        let first = First.condition(using: &generator)
        let second = Second.condition(using: &generator)
        let third = Third.condition(using: &generator)
        try check(.init(last: first.comparison, order: order), first, order, using: &generator, comment) {
            first.holds($0.first)
        }
        try check(.init(row.first, last: second.comparison, order: order), second, order, using: &generator, comment) {
            First.isSame($0.first, row.first) && second.holds($0.second)
        }
        try check(
            .init(row.first, row.second, last: third.comparison, order: order), third, order, using: &generator, comment
        ) {
            First.isSame($0.first, row.first) && Second.isSame($0.second, row.second) && third.holds($0.third)
        }
    }

    private func check<Value>(
        _ query: Query<Record>, _ condition: Condition<Value>, _ order: KeyOrder?,
        using generator: inout SeededGenerator, _ comment: Comment, _ isWanted: (Record) -> Bool
    ) throws {
        let order = order ?? (condition.comparison.isDescendingByDefault ? .descending : .ascending)
        let limit = [nil, nil, -1, 0, 1, 2, 7, 1000].randomElement(using: &generator) ?? nil
        var last: Record?
        if Bool.random(using: &generator) { last = .sample(number: -1, using: &generator) }
        var expected = rows.filter(isWanted)
        if order == .descending { expected.reverse() }
        if let last {
            expected.removeAll { row in
                order == .ascending ? !Record.precedes(last, row) : !Record.precedes(row, last)
            }
        }
        if let limit { expected = Array(expected.prefix(max(limit, 0))) }

        let query = query.limit(limit).after(key: last?.indexKey)
        try store.read { (context) throws in
            #expect(try query.resolve(in: context) == expected, comment)
            #expect(try context.select(query: query) == expected, comment)
            #expect(try query.first(in: context) == expected.first, comment)
            #expect(try query.count(in: context) == expected.count, comment)
            #expect(try query.exists(in: context) == !expected.isEmpty, comment)
            #expect(try query.keys(in: context) == expected.map(\.indexKey), comment)
        }
        guard generator.next() % 8 == 0 else { return }
        #expect(throws: CancellationError.self, comment) {
            try store.write { context in
                #expect(try query.resolve(in: context) == expected, comment)
                #expect(try query.delete(in: context) == expected.count, comment)
                let deleted = Set(expected)
                #expect(try Record.query().resolve(in: context) == rows.filter { !deleted.contains($0) }, comment)
                throw CancellationError()
            }
        }
    }
}
