// Live lists under random commits from several threads, beside their queries run again.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live lists, at random", .hangLimit) struct RandomListTests {
    private let store: Store
    private let items: [Item]
    private let seed: UInt64

    init() throws {
        var generator: SeededGenerator
        (generator, seed) = SeededGenerator.fromEnvironment()
        store = try Store.temporary(records: [Item.self])
        items = Item.samples(using: &generator)
        try store.insert(contentsOf: items)
    }

    private func query(_ leaves: [Meaning], using generator: inout SeededGenerator) -> Query<Item> {
        let meaning = Meaning.nested(depth: Int.random(in: 0...2, using: &generator), leaves, using: &generator)
        let key = OrderedProperty.all.sample(&generator).key
        let query = Item.filter(meaning.filter)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return query
        case 1: return query.sorted { $0.name.count < $1.name.count }
        case 2: return query.sorted(by: [key]).limit(Int.random(in: 0...30, using: &generator))
        case 3: return Item.query(group: .lessThan(1)).filter(meaning.filter).sorted(by: [key.desc])
        default: return query.sorted(by: [Bool.random(using: &generator) ? key : key.desc])
        }
    }

    /// Writes some transactions: changes, equal changes, deletes by key and by range, nested ones that are undone.
    fileprivate static func write(_ count: Int, _ items: [Item], to store: Store, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<count {
            try store.write { context in
                for _ in 0..<[1, 1, 3, 40].sample(&generator) {
                    let item = items.sample(&generator)
                    switch Int.random(in: 0..<20, using: &generator) {
                    case 0..<5: try context.delete(item)
                    case 5..<8: try context.insert(item)
                    case 8: _ = try Item.query(group: .equals(item.group)).delete(in: context)
                    case 9:
                        try? context.nested { context -> Void in
                            try context.delete(item)
                            throw CancellationError()
                        }
                    default:
                        try context.insert(Item.sample(group: item.group, name: item.name, using: &generator))
                    }
                }
            }
        }
    }

    private func expectExact(_ list: LiveList<Item>) throws {
        let rowCount = try list.rowCount()
        let query = list.query
        let all = try query.inSomeOrder.resolve(in: store).map { KeyWriter.bytes(of: $0.indexKey) }
        let rows = list.rows.records.map { KeyWriter.bytes(of: $0.indexKey) }
        #expect(rows == Array(all.prefix(rowCount)), "seed \(seed): \(query)")
        #expect(list.hasMore == (all.count > rowCount), "seed \(seed): \(query)")
        #expect(list.totalCount == all.count && list.error == nil, "seed \(seed): \(query)")
        for row in list.rows {
            let stored = try store.get(Item.self, key: row.key)?.currentBytes()
            let shown = try row.value.currentBytes()
            #expect(stored?.fields == shown.fields && !row.isDeleted, "seed \(seed): \(query)")
        }
    }

    /// A writer, and a view that scrolls, on two threads. Whatever the list shows is the beginning of a committed
    /// state, and no state comes after a later one.
    @Test func pagesAndRounds_showCommittedStates() throws {
        let store = try Store.temporary(records: [Rower.self])
        let query = Rower.query().sorted(by: \.name)
        try store.insert(contentsOf: (0..<200).map { Rower(id: $0, name: "\($0 % 20)", age: 0) })
        let states = try Monitor([query.resolve(in: store)])
        let isWritten = Monitor(false)
        let list = try LiveList(query, in: store, pageSize: 10)
        let (seed, turns) = (seed, hasSanitizer ? 40 : 200)
        let writer = RunningThread {
            defer { isWritten.withLock { $0 = true } }
            var generator = SeededGenerator(seed: seed &+ 3)
            for turn in 1...turns {
                try store.write { context in
                    for _ in 0..<[1, 1, 3, 60].sample(&generator) {
                        let id = Int.random(in: 0..<250, using: &generator)
                        let name = "\(Int.random(in: 0..<20, using: &generator))"
                        if Int.random(in: 0..<3, using: &generator) == 0 {
                            try context.delete(Rower.self, key: id)
                        } else {
                            try context.insert(Rower(id: id, name: name, age: turn))
                        }
                    }
                    let state = try query.resolve(in: context)
                    states.withLock { $0.append(state) }
                }
            }
        }
        let view = RunningThread {
            var (place, turn, isLast) = (0, 0, false)
            while !isLast {
                turn += 1
                isLast = isWritten.withLock { $0 }
                if turn % 40 == 0 { list.query = query }
                let rows = list.rows
                if let last = rows.last { list.rowAppeared(last) }
                let records = rows.records
                let next = states.withLock { states in
                    states[place...].firstIndex { Array($0.prefix(records.count)) == records }
                }
                place = try #require(next, "seed \(seed): after \(place), \(records.count) rows")
            }
        }
        try writer.value()
        try view.value()
        try store.live.refresh()
        let all = try query.resolve(in: store)
        #expect(list.rows.records == Array(all.prefix(try list.rowCount())) && list.error == nil, "seed \(seed)")
    }

    @Test func lists_areExact_afterEveryCommit() async throws {
        var generator = SeededGenerator(seed: seed &+ 1)
        let leaves = Meaning.all(using: &generator)
        let lists = try (0..<12).map { _ in
            try LiveList(
                query(leaves, using: &generator), in: store, pageSize: [1, 5, 100].sample(&generator), countsAll: true)
        }
        for step in 0..<12 {
            try await Store.inBackground { [items, store, seed] _ in
                try Self.write(1, items, to: store, seed: seed &+ UInt64(step))
            }
            if step.isMultiple(of: 3) { try await lists.sample(&generator).loadMore() }
            await store.live.settle()
            for list in lists { try expectExact(list) }
        }
    }

    /// Writers, pages and other queries at the same time.
    @Test func lists_areExact_afterAStorm() async throws {
        var generator = SeededGenerator(seed: seed &+ 2)
        let leaves = Meaning.all(using: &generator)
        let queries = (0..<20).map { _ in query(leaves, using: &generator) }
        let lists = try queries.prefix(8).map { try LiveList($0, in: store, pageSize: 10, countsAll: true) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask { [items, store, seed] in
                    try await Store.inBackground { _ in
                        try Self.write(30, items, to: store, seed: seed &+ 100 &+ UInt64(writer))
                    }
                }
            }
            for list in lists {
                group.addTask { [seed] in
                    var generator = SeededGenerator(seed: seed &+ 200)
                    for _ in 0..<10 {
                        switch Int.random(in: 0..<4, using: &generator) {
                        case 0: list.query = queries.sample(&generator)
                        case 1: try await list.loadMore()
                        case 2: for row in list.rows { list.rowAppeared(row) }
                        default: try await list.reload()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        await store.live.settle()
        for list in lists { try expectExact(list) }
    }
}

extension LiveList {
    /// The number of rows that the list shows at most.
    fileprivate func rowCount() throws -> Int {
        var count = 0
        _ = try reading.update {
            count = $0.rowCount
            return false
        } note: { _ in
        }
        return count
    }
}
