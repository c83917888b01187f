// The stored targets of a level that match a nested query's filter, and their order.

import LMDB
import TroveCoding

/// The targets found among distinct keys.
struct FoundTargets {
    /// For each distinct key, the index of its target; -1 if it is not stored or does not match.
    private(set) var indices: [Int32]
    /// For each target, its place in the query's order; nil for the order of the owners' lists.
    private(set) var ranks: [Int32]?
    /// The number of targets.
    private(set) var count = 0
    /// The keys of the targets, ascending. Empty if they are not kept.
    private(set) var keys = KeyList()

    /// Finds the targets of a nested query.
    ///
    /// - Parameters:
    ///   - distinct: The keys to look up, ascending.
    ///   - keepsKeys: Whether ``keys`` will be needed.
    ///   - visit: Called with the targets, in the order of the keys.
    init<Target: IndexKeyRecord>(
        _ query: Query<Target>, among distinct: KeyList, keepsKeys: Bool = true, in context: ReadContext,
        _ visit: (Matches, RecordTable) throws -> Void = { _, _ in }
    ) throws {
        indices = Array(repeating: -1, count: distinct.count)
        guard !distinct.isEmpty, let table = try context.table(for: Target.schema) else {
            ranks = query.hasOrder ? [] : nil
            return
        }
        if query.selectsAllLinked {
            try findAll(distinct, keepsKeys: keepsKeys, from: table, in: context, visit)
            return
        }
        var sorter = try query.targetSorter(table, context)
        var cursor = try FilterCursor<Target>(
            context, table, keys: query.wantedKeys(among: distinct), query.conditions, readsProperties: sorter != nil)
        try distinct.withKeys { views in
            var place = 0
            while var matches = try cursor.next() {
                try sorter?.read(matches)
                var targets = matches
                while let index = matches.popFirst() {
                    let entry = matches[index]
                    while place < views.count, !views[place].equals(entry.key) { place += 1 }
                    // A migration must keep the key of a record.
                    guard place < views.count else {
                        throw table.corrupted(entry.key, CodingError(.malformed(expected: "a record with its key")))
                    }
                    if sorter != nil, sorter?.insert(index) == nil {
                        targets.bits ^= 1 &<< UInt64(index)
                        continue
                    }
                    indices[place] = Int32(count)
                    count += 1
                    if keepsKeys { keys.append(entry.key) }
                }
                try visit(targets, table)
            }
        }
        ranks =
            sorter.map { sorter in
                var sorter = sorter
                return Self.ranks(of: sorter.places(from: 0))
            } ?? query.keyOrder.map { Self.ranks(of: (0..<count).map(\.self), isReversed: $0 == .descending) }
    }

    /// Finds all stored targets.
    private mutating func findAll(
        _ distinct: KeyList, keepsKeys: Bool, from table: RecordTable, in context: ReadContext,
        _ visit: (Matches, RecordTable) throws -> Void
    ) throws {
        guard var lookups = try context.keyspace.lookups(in: table.database) else { return }
        let found = EntryBatch.Storage()
        var batched = 0
        try distinct.withKeys { views in
            for place in 0..<views.count {
                guard let value = try lookups.value(of: views[place]) else { continue }
                if batched == EntryBatch.capacity {
                    try visit(Matches(all: found.batch(count: batched)), table)
                    batched = 0
                }
                found[batched] = Entry(views[place], value)
                batched += 1
                indices[place] = Int32(count)
                count += 1
            }
            if batched > 0 { try visit(Matches(all: found.batch(count: batched)), table) }
        }
        guard keepsKeys else { return }
        keys = distinct
        if count < distinct.count { keys.keep(indices.indices.filter { indices[$0] >= 0 }.map(Int32.init)) }
    }

    /// Returns the rank of each target.
    ///
    /// - Parameter order: The targets in order.
    private static func ranks(of order: [Int], isReversed: Bool = false) -> [Int32] {
        var ranks = [Int32](repeating: 0, count: order.count)
        for (rank, target) in order.enumerated() { ranks[target] = Int32(isReversed ? order.count - 1 - rank : rank) }
        return ranks
    }

    /// Removes the keys of all targets but some.
    mutating func keepKeys(_ targets: [Int32]) { keys.keep(targets) }
}

extension Query {
    /// Whether the query requests other targets than the whole list of an owner, in another order.
    var selectsTargets: Bool { hasOrder || !conditions.isEverything || !ranges.isEverything || continuation != nil }

    /// Whether each stored target is wanted, in the order of the owners' lists.
    fileprivate var selectsAllLinked: Bool { !hasOrder && conditions.isEverything && ranges.isEverything }

    /// Returns the keys within the query's key ranges, and on its page if they are in key order.
    fileprivate func wantedKeys(among keys: KeyList) -> EntryBuffer {
        let wanted = EntryBuffer()
        wanted.reserveCapacity(keys.count, bytes: keys.byteCount)
        var ranges = ranges
        if let keyOrder, sort.isEmpty, let start = continuation?.key {
            ranges = ranges.map { keyOrder == .ascending ? $0.after(start) : $0.before(start) }
        }
        keys.withKeys { views in
            for index in 0..<views.count where ranges.isEverything || KeyRange.contains(ranges, views[index]) {
                wanted.append(key: views[index])
            }
        }
        return wanted
    }

    /// Returns the sorter of targets; nil if they are in the order of the keys or of the owners' lists.
    fileprivate func targetSorter(_ table: RecordTable, _ context: ReadContext) throws -> MatchSorter? {
        func startRecord() throws -> CurrentRecord? {
            try continuation.map { try PageStart.record(at: $0, table: table, in: context, of: Record.self) }
        }
        switch otherOrder {
        case .source?, .scores?:
            guard let open = try orderingSource?.open(in: context) else { return nil }
            return MatchSorter(
                open, wanted: nil, after: try continuation.map { try open.place(ofStart: $0.key, table) })
        case .closure(let closure)?:
            return MatchSorter(try ClosureSorter(closure, table, wanted: nil, after: startRecord()))
        case nil:
            return sort.isEmpty ? nil : try MatchSorter(sort, table, wanted: nil, after: startRecord())
        }
    }
}
