// The groups of a query from the entries of an access path.
//
//     index(city, age)    ("Oslo", 3) ("Oslo", 7) ("Oslo", 7) … ("Rome", 1) …
//
// Counts and sums read every entry. Distinct values need a single entry of each group, and the least or greatest value
// needs the first or last. There the scan reads a batch of entries, and seeks past a group that goes on after its
// batch.

import LMDB
import TroveCoding

/// A scan of index entries, or of record keys, by groups.
struct GroupScan<State> {
    private let reader: EntryReader
    private let path: GroupPath
    private let aggregate: GroupAggregate<State>
    /// Whether the scan may seek past entries of a group.
    private let skips: Bool
    private var groups: Groups<State>

    /// A key of 494 bytes or more that is cut within a needed component.
    private struct CutComponent: Error {}

    private init(_ reader: EntryReader, _ path: GroupPath, _ aggregate: GroupAggregate<State>) {
        self.reader = reader
        self.path = path
        self.aggregate = aggregate
        skips = path.skips(for: aggregate.need)
        groups = Groups(initial: aggregate.initial)
    }

    /// Returns the groups; nil if a long entry is cut within a component that is needed.
    static func groups(
        _ reader: EntryReader, _ path: GroupPath, _ aggregate: GroupAggregate<State>
    ) throws -> Groups<State>? {
        var scan = GroupScan(reader, path, aggregate)
        do {
            for range in path.plan.ranges { try scan.read(range) }
            return scan.groups
        } catch is CutComponent {
            return nil
        }
    }

    private mutating func read(_ range: KeyRange) throws {
        var range = range
        var entries = cursor(over: range)
        while let first = try entries.peek() {
            let prefix = try bytes(of: first, ..<path.depth).copy()
            let place = groups.place(of: try groupKey(of: first))
            if try !readGroup(prefix, place, &entries) { continue }
            // More entries of the group may follow the batch.
            if !path.hasOneValue { try addExtreme(prefix, place, in: range) }
            guard let next = KeyRange.successor(of: prefix) else { return }
            range.lower = next
            if range.isEmpty { return }
            entries = cursor(over: range)
        }
    }

    /// Adds the next entries, up to the end of the group. Returns true if the scan stopped before it, to seek.
    private mutating func readGroup(
        _ prefix: [UInt8], _ place: Int, _ entries: inout Lookahead<RangesCursor>
    ) throws -> Bool {
        while let entry = try skips ? entries.fetched(ahead: 0) : entries.peek() {
            guard entry.key.starts(with: prefix) else { return false }
            try add(entry, to: place)
            entries.advance()
        }
        return skips
    }

    /// Adds the entry with the least or greatest value of a group.
    private mutating func addExtreme(_ prefix: [UInt8], _ place: Int, in range: KeyRange) throws {
        guard let value = path.value else { return }
        let wantsGreatest = if case .greatest = aggregate.need { true } else { false }
        let some = aggregate.ignoresNil ? [value.isComplemented ? ~1 : 1] as [UInt8] : []
        guard let group = KeyRange(prefix: prefix + some).intersection(range) else { return }
        var entries = cursor(over: group, isDescending: wantsGreatest != value.isComplemented)
        if let entry = try entries.peek(atMost: 1) { try add(entry, to: place) }
    }

    private func cursor(over range: KeyRange, isDescending: Bool = false) -> Lookahead<RangesCursor> {
        Lookahead(
            RangesCursor(reader.keyspace, reader.database, [range], isDescending: isDescending, mayWrite: false))
    }

    // MARK: Components

    private mutating func add(_ entry: Entry, to place: Int) throws {
        guard let column = path.value else { return try aggregate.add(&groups.states[place], ByteView()) }
        let value = try bytes(of: entry, column.place..<column.place + 1)
        guard column.isComplemented else { return try aggregate.add(&groups.states[place], value) }
        try ByteView.with(value.copy().map { ~$0 }) { try aggregate.add(&groups.states[place], $0) }
    }

    private func groupKey(of entry: Entry) throws -> [UInt8] {
        var key: [UInt8] = []
        for column in path.key {
            let component = try bytes(of: entry, column.place..<column.place + 1).copy()
            key += column.isComplemented ? component.map { ~$0 } : component
        }
        return key
    }

    /// Returns the bytes of some components.
    private func bytes(of entry: Entry, _ components: some RangeExpression<Int>) throws -> ByteView {
        let components = components.relative(to: path.path.components)
        let head = entry.key.prefix(reader.headSize)
        guard let start = reader.end(of: components.lowerBound, in: head),
            let end = reader.end(of: components.upperBound, in: head)
        else {
            throw reader.isLong(entry.key) ? CutComponent() : reader.damaged(entry.key)
        }
        return head[start..<end]
    }
}

extension GroupPath {
    /// Whether the scan seeks from group to group.
    func skips(for need: GroupAggregate<some Any>.Need) -> Bool {
        switch need {
        case .any: true
        case .least, .greatest: hasOneValue || isOrderedByValue
        case .all: false
        }
    }
}
