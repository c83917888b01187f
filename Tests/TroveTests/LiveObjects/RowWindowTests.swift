// The first rows of a query, as a list holds them: patched after random changes, beside the same query run again.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("The first rows of a query") struct RowWindowTests {
    private let store: Store
    private let seed: UInt64
    private let items: [Item]

    init() throws {
        var generator: SeededGenerator
        (generator, seed) = SeededGenerator.fromEnvironment()
        store = try Store.temporary(records: [Item.self])
        items = Item.samples(using: &generator)
        try store.insert(contentsOf: items)
    }

    /// Returns a query with a random filter and order, and sometimes with what only a second run can answer.
    private func query(_ leaves: [Meaning], using generator: inout SeededGenerator) -> Query<Item> {
        let meaning = Meaning.nested(depth: Int.random(in: 0...2, using: &generator), leaves, using: &generator)
        let order = (0..<Int.random(in: 0...2, using: &generator)).map { _ in
            let key = OrderedProperty.all.sample(&generator).key
            return Bool.random(using: &generator) ? key.desc : key
        }
        let all: Query<Item> =
            Int.random(in: 0..<3, using: &generator) == 0 ? Item.query() : Item.filter(meaning.filter)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return all
        case 1: return all.order(.descending)
        case 2: return Item.query(group: .greaterThan(0)).filter(meaning.filter).sorted(by: order)
        case 3: return all.sorted { $0.name.count < $1.name.count }
        case 4: return all.sorted(by: order).offset(2)
        case 5: return all.sorted(by: order).limit(Int.random(in: 0...40, using: &generator))
        case 6: return all.sorted(by: order).filter { $0.age.isMultiple(of: 2) }
        default: return all.sorted(by: order)
        }
    }

    /// Changes some records, and returns their keys: one each for every change.
    private func change(using generator: inout SeededGenerator) throws -> [[UInt8]] {
        try store.write { context in
            try (0..<[1, 1, 2, 5, 20].sample(&generator)).map { _ in
                var item = items.sample(&generator)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0, 1: try context.delete(item)
                case 2: try context.insert(item)
                default:
                    let name = Bool.random(using: &generator) ? item.name : "name \(generator.next() % 50)"
                    item = Item.sample(group: item.group, name: name, using: &generator)
                    try context.insert(item)
                }
                return KeyWriter.bytes(of: item.indexKey)
            }
        }
    }

    /// Returns the first matches as bytes: a NaN is not equal to itself, and 0.0 is equal to -0.0.
    private func bytes(_ query: Query<Item>, _ limit: Int) throws -> [[UInt8]] {
        let records = try query.inSomeOrder.limit(min(limit, query.limit ?? .max)).resolve(in: store)
        return records.map(\.bytes)
    }

    @Test func aPatchedWindow_isThatOfTheQueryRunAgain() throws {
        var generator = SeededGenerator(seed: seed &+ 1)
        let leaves = Meaning.all(using: &generator)
        for _ in 0..<40 {
            let query = query(leaves, using: &generator)
            var limit = [0, 1, 3, 10, 30, 1000].sample(&generator)
            let window = try ObservedRows(query)
            func setLimit() { window.limit = min(limit, query.limit ?? .max) }
            setLimit()
            try store.read { _ = try window.read(in: $0) }
            for _ in 0..<6 {
                let before = window.bytes
                let keys = try change(using: &generator)
                let isOne = Int.random(in: 0..<8, using: &generator) > 0
                let hasChanged = try store.read { context in
                    try window.update(in: context, isOne ? .some(keys) : .any) != nil
                }
                let expected = try bytes(query, limit)
                #expect(window.bytes == expected, "seed \(seed): \(query), \(limit), \(window.count)")
                #expect(hasChanged == (before != expected), "seed \(seed): \(query), \(limit), \(window.count)")
                guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
                limit += [1, 10].sample(&generator)
                setLimit()
                try store.read { _ = try window.update(in: $0, .some([])) }
                #expect(
                    try window.bytes == bytes(query, limit), "seed \(seed): \(query), \(limit), \(window.count)")
            }
        }
    }
}

extension ObservedRows<Item> {
    fileprivate var bytes: [[UInt8]] { records.map(\.bytes) }
}
