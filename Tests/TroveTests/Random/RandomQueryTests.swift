// Random filters, orders and pages over random records, compared with a plain filter and sort of an array.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Queries, at random") struct RandomQueryTests {
    let store: Store
    private let items: [Item]
    private let seed: UInt64

    init() throws {
        var generator: SeededGenerator
        (generator, seed) = SeededGenerator.fromEnvironment()
        store = try Store.temporary()
        items = Item.samples(using: &generator)
        try store.insert(contentsOf: items)
    }

    @Test func everyComparison_ofEveryProperty_findsWhatItSays() throws {
        var generator = SeededGenerator(seed: seed &+ 1)
        try store.read { context in
            for _ in 0..<4 {
                for meaning in Meaning.all(using: &generator) {
                    let found = try Item.filter(meaning.filter).resolve(in: context)
                    #expect(
                        found.keys == items.filter(meaning.holds).keys, "\(meaning.filter), seed \(seed)")
                }
            }
        }
    }

    @Test func filtersOrdersAndPages_areThoseOfAnArray() throws {
        var generator = SeededGenerator(seed: seed &+ 1)
        let leaves = (0..<3).flatMap { _ in Meaning.all(using: &generator) }
        try store.read { context in
            for _ in 0..<2_000 { try checkOne(in: context, leaves, using: &generator) }
        }
    }

    private func checkOne(
        in context: ReadContext, _ leaves: [Meaning], using generator: inout SeededGenerator
    ) throws {
        let meaning = Meaning.nested(depth: Int.random(in: 0...3, using: &generator), leaves, using: &generator)
        let order = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            (
                property: Bool.random(using: &generator)
                    ? OrderedProperty.all.sample(&generator)
                    : OrderedProperty.all[Int.random(in: 0...1, using: &generator)],
                isDescending: Bool.random(using: &generator)
            )
        }
        var expected = items.filter(meaning.holds).sortedStably { left, right in
            for (property, isDescending) in order {
                if property.isIncreasing(left, right) { return !isDescending }
                if property.isIncreasing(right, left) { return isDescending }
            }
            return false
        }
        var query = Item.filter(meaning.filter).sorted(
            by: order.map { $0.isDescending ? $0.property.key.desc : $0.property.key })
        if Int.random(in: 0..<4, using: &generator) == 0, let last = expected.randomElement(using: &generator) {
            query = Bool.random(using: &generator) ? query.after(last) : query.after(key: last.indexKey)
            expected.removeSubrange(...(expected.keys.firstIndex(of: [last].keys[0]) ?? 0))
        }
        if Bool.random(using: &generator) {
            let (offset, limit) = (
                Int.random(in: -1...5, using: &generator), Int.random(in: -1...30, using: &generator)
            )
            query = query.offset(offset).limit(limit)
            expected = Array(expected.dropFirst(max(0, offset)).prefix(max(0, limit)))
        }
        let found = try query.resolve(in: context)
        let plan = try query.explain(in: context)
        #expect(found.keys == expected.keys, "seed \(seed): \(plan)")
        #expect(try query.count(in: context) == expected.count, "seed \(seed): \(plan)")
        // The other ways to run a query take turns, because each of them is an additional run.
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: #expect(try query.exists(in: context) == !expected.isEmpty)
        case 1: #expect(try query.first(in: context)?.indexKey == expected.first?.indexKey)
        case 2: #expect(try query.keys(in: context) == expected.map(\.indexKey))
        case 3: #expect(try query.select(\.email, \.age).resolve(in: context).map(\.0) == expected.map(\.email))
        default:
            var seen: [Item] = []
            try query.forEach(in: context) { seen.append($0) }
            #expect(seen.keys == expected.keys)
        }
    }
}

extension [Item] {
    /// The bytes of the keys. Swift takes two spellings of a string for equal, and a NaN for unequal to itself.
    fileprivate var keys: [[UInt8]] { map { KeyWriter.bytes(of: $0.indexKey) } }
}

extension Array {
    /// Returns the elements sorted; equal elements keep their order.
    func sortedStably(by areInIncreasingOrder: (Element, Element) -> Bool) -> [Element] {
        enumerated().sorted { left, right in
            areInIncreasingOrder(left.element, right.element)
                || !areInIncreasingOrder(right.element, left.element) && left.offset < right.offset
        }.map(\.element)
    }
}
