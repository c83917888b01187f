// Patched rows, compared with rows that are read again, and with the query itself.

import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

@Suite("Rows of observed queries") struct ObservedRowsTests {
    /// Rows that are patched, and what is expected of them.
    private final class Watched {
        let query: Query<Item>
        let rows: ObservedRows<Item>
        /// The list that the changes alone lead to.
        var followed: [Item] = []

        init(_ query: Query<Item>) throws {
            self.query = query
            rows = try ObservedRows(query)
        }

        func expected(in context: ReadContext) throws -> [Item] {
            try query.inSomeOrder.limit(rows.limit).resolve(in: context)
        }
    }

    @Test func patchedRows_areThoseOfTheQuery_atRandom() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<2 {
            let changes = try ItemChanges()
            try changes.store.insert(contentsOf: Item.samples(using: &generator).filter { $0.age > 0 })
            _ = changes.take()
            let leaves = Meaning.all(using: &generator)
            let watched = try (0..<10).map { _ in
                try Watched(RandomItemQuery(leaves, using: &generator).query)
            }
            try changes.store.read { context in
                for one in watched {
                    try follow(one, try one.rows.read(in: context), in: context, "seed \(seed)")
                }
            }
            for step in 0..<12 {
                for _ in 0..<Int.random(in: 1...2, using: &generator) { try changes.write(using: &generator) }
                let changed = changes.take()
                try changes.store.read { context in
                    for one in watched {
                        try check(one, changed, in: context, &generator, "seed \(seed), step \(step): \(one.query)")
                    }
                }
            }
        }
    }

    private func check(
        _ one: Watched, _ changed: ChangedKeys.Keys, in context: ReadContext, _ generator: inout SeededGenerator,
        _ text: String
    ) throws {
        let rows = one.rows
        let mayChange = try rows.mayChange(by: changed, in: context)
        if !mayChange, Bool.random(using: &generator) {
            // A skipped change is never read.
            #expect(try one.expected(in: context).map(\.bytes) == rows.records.map(\.bytes), "\(text)")
            return
        }
        if rows.limit != nil, Int.random(in: 0..<4, using: &generator) == 0 {
            rows.limit = Int.random(in: 0...15, using: &generator)
            return try follow(one, try rows.update(in: context, changed), in: context, text)
        }
        let change = try rows.update(in: context, changed)
        #expect(mayChange || change == nil, "\(text)")
        if rows.source.isPatchable, rows.isComplete, case .some(_, ranges: []) = changed {
            #expect(mayChange == (change != nil), "\(text): \(changed)")
        }
        try follow(one, change, in: context, text)
    }

    /// Compares the rows with the query, and the list before with the one that the change leads to.
    private func follow(_ one: Watched, _ change: RowsChange?, in context: ReadContext, _ text: String) throws {
        let expected = try one.expected(in: context)
        let rows = one.rows
        #expect(rows.records.map(\.bytes) == expected.map(\.bytes), "\(text)")
        #expect((0..<rows.count).map { rows.keys.key(at: $0) } == expected.map(\.keyBytes), "\(text)")
        for (offset, item) in expected.enumerated() where rows.source.isPatchable {
            #expect(rows.offset(ofKey: item.keyBytes) == offset, "\(text)")
        }
        let list = try ListChange(rows.records, change, commit: 0)
        let old = one.followed
        #expect(
            old.map(\.indexKey).applying(list.difference)?.map { KeyWriter.bytes(of: $0) } == expected.map(\.keyBytes),
            "\(text)")
        let before = Dictionary(old.map { ($0.keyBytes, $0.bytes) }) { first, _ in first }
        let changed = expected.filter { item in before[item.keyBytes].map { $0 != item.bytes } ?? false }
        #expect(list.updated.map { KeyWriter.bytes(of: $0) } == changed.map(\.keyBytes), "\(text)")
        #expect((change == nil) == (old.map(\.bytes) == expected.map(\.bytes)), "\(text)")
        one.followed = expected
    }

    // MARK: Windows

    private func window(_ limit: Int, _ ages: [Int]) throws -> (ItemChanges, ObservedRows<Item>) {
        var generator = SeededGenerator(seed: 1)
        let changes = try ItemChanges()
        for (group, age) in ages.enumerated() {
            var item = Item.sample(group: group, name: "a", using: &generator)
            item.age = age
            try changes.store.insert(item)
        }
        let rows = try ObservedRows(Item.query().sorted(by: \.age).limit(limit))
        try changes.store.read { _ = try rows.read(in: $0) }
        _ = changes.take()
        return (changes, rows)
    }

    private func setAge(_ group: Int, _ age: Int, _ changes: ItemChanges) throws {
        try Item.filter(\.group == group).update(in: changes.store) { $0.age = age }
    }

    @Test func aWindow_isFilledFromBehindItsEnd() throws {
        let (changes, rows) = try window(3, [10, 20, 30, 40, 50])
        try setAge(1, 45, changes)
        let change = try changes.store.read { try rows.update(in: $0, changes.take()) }
        #expect(rows.records.map(\.age) == [10, 30, 40])
        #expect(change?.removed.map(\.offset) == [1])
        #expect(change?.inserted.map(\.offset) == [2])
        #expect(change?.moves.isEmpty == true)
        #expect(!rows.isComplete)
    }

    @Test func aChangeBehindAWindow_isSkipped() throws {
        let (changes, rows) = try window(2, [10, 20, 30, 40])
        try setAge(3, 25, changes)
        let behind = changes.take()
        #expect(try changes.store.read { try rows.mayChange(by: behind, in: $0) } == false)
        try setAge(3, 15, changes)
        let inside = changes.take()
        #expect(try changes.store.read { try rows.mayChange(by: inside, in: $0) })
        let change = try changes.store.read { try rows.update(in: $0, inside) }
        #expect(rows.records.map(\.age) == [10, 15])
        #expect(change?.removed.map(\.offset) == [1])
    }

    // MARK: Suspects

    /// Most changes are of no interest to most observers. A record that cannot match is tested once a round, and rows
    /// are not read again.
    @Test func aRecordThatCannotMatch_isNoSuspect() throws {
        var generator = SeededGenerator(seed: 3)
        let store = try Store.temporary(records: [Item.self])
        func save(_ group: Int, _ age: Int) throws -> [UInt8] {
            var item = Item.sample(group: group, name: "a", using: &generator)
            item.age = age
            try store.insert(item)
            return item.keyBytes
        }
        _ = try save(0, 4)
        let rows = try ObservedRows(Item.filter(\.age >= 3))
        try store.read { _ = try rows.read(in: $0) }
        for (group, age, isSuspect, isChange) in [
            (1, 1, false, false), (2, 5, true, true), (0, 1, true, true), (3, -1, false, false),
        ] {
            let key = try save(group, age)
            var changes = ChangedKeys()
            key.withRawSpan { changes.note(Item.schema.keyPrefix, $0) }
            let extract = RoundExtract(commits: 1...1, changes: RoundChanges(changes), isOwn: true)
            try store.read { context in
                let round = Round(context, extract)
                #expect(try rows.isSuspect(key, in: round) == isSuspect)
                #expect(try rows.mayChange(in: round) == isChange)
                let record = try #require(try round.record(of: key, Item.self))
                #expect(rows.source.mayMatch(record) == (age >= 3))
                _ = try rows.update(in: context, round.keys(of: Item.schema.keyPrefix))
            }
        }
    }

    @Test func aDoubledKey_isNamed() throws {
        let key = KeyWriter.bytes(of: Tuple(1, "a"))
        let rows = (0..<2).map { RowsChange.Row(offset: $0, key: key, hash: 0) }
        let change = RowsChange(removed: rows, inserted: [RowsChange.Row(offset: 3, key: key, hash: 0)], updated: [])
        #expect(
            throws: StoreError.record(
                .corrupted(
                    type: Item.schema.name, key: Item.schema.storedKey(key),
                    reason: CodingError(.malformed(expected: "records with different keys"))))
        ) { try ListChange<Item>([], change, commit: 1) }
    }

    @Test func aMovedRow_isAMove() throws {
        let (changes, rows) = try window(9, [10, 20, 30, 40])
        try setAge(0, 35, changes)
        let change = try changes.store.read { try rows.update(in: $0, changes.take()) }
        let list = try ListChange(rows.records, change, commit: 7)
        #expect(list.records.map(\.age) == [20, 30, 35, 40])
        #expect(list.difference.count == 2)
        #expect(list.difference.removals == [.remove(offset: 0, element: Tuple(0, "a"), associatedWith: 2)])
        #expect(list.updated == [Tuple(0, "a")])
        #expect(list.commit == 7)
    }

    @Test func manyChanges_areReadAgain() throws {
        let (changes, rows) = try window(40, Array(0..<30))
        for group in 0..<30 { try setAge(group, 100 - group, changes) }
        let change = try changes.store.read { try rows.update(in: $0, changes.take()) }
        #expect(rows.records.map(\.group) == (0..<30).reversed())
        #expect(change?.updated.count == 30)
        // A longest increasing subsequence of a reversed list is a single row.
        #expect(change?.moves.count == 29)
    }

    @Test func rowsWithoutRecords_keepKeysAlone() throws {
        var generator = SeededGenerator(seed: 2)
        let changes = try ItemChanges()
        try changes.store.insert(contentsOf: Item.samples(using: &generator))
        let rows = try ObservedRows(Item.query().sorted(by: \.age), keepsRecords: false)
        try changes.store.read { _ = try rows.read(in: $0) }
        _ = changes.take()
        for _ in 0..<10 {
            try changes.write(using: &generator)
            try changes.store.read { context in
                _ = try rows.update(in: context, changes.take())
                let keys = try Item.query().sorted(by: \.age).keys(in: context)
                #expect((0..<rows.count).map { rows.keys.key(at: $0) } == keys.map { KeyWriter.bytes(of: $0) })
                #expect(rows.records.isEmpty)
            }
        }
    }

    @Test func removedRows_leaveNoMemory() throws {
        var keys = RowKeys(.places)
        for number in 0..<20_000 {
            let row = RowKeys.Row(
                place: KeyWriter.bytes(of: number % 7) + KeyWriter.bytes(of: number), keySize: 8, hash: number)
            keys.insert(row, at: keys.offset(ofPlace: row.place))
            if number >= 100 {
                let old = KeyWriter.bytes(of: number - 100)
                #expect(keys.contains(key: old))
                if let offset = keys.offset(ofKey: old) { keys.remove(at: offset) }
                #expect(!keys.contains(key: old))
            }
        }
        #expect(keys.count == 100)
        #expect(keys.byteCount < 20_000)
        #expect((19_900..<20_000).allSatisfy { keys.offset(ofKey: KeyWriter.bytes(of: $0)) != nil })
    }
}
