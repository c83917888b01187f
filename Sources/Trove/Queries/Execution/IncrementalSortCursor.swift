// Groups of entries in order, and the entries of a group in the order of their record keys. This is the order of
// `sorted(by: \.city)` over an index on the city and the age, whose entries have the ages of a city before the keys.
//
// The groups are read and sorted in turn (PostgreSQL: incremental sort). A limit ends the scan with the group that
// reaches it. No more entries of a group are kept than the limit needs.

import LMDB
import TroveCoding

/// A cursor over groups of entries with equal first components.
struct IncrementalSortCursor: ~Copyable, BatchCursor {
    private let reader: IndexReader
    private let components: Int
    private let isDescending: Bool
    private var entries: Lookahead<IndexCursor>
    /// The sort bytes of the entry after which to begin.
    private let start: [UInt8]?
    private let group = EntryBuffer()

    /// The number of entries of a group at which the entries beyond the limit are dropped.
    private static let capacity = 1024

    /// Creates a cursor.
    ///
    /// - Parameters:
    ///   - ranges: Disjoint ranges, in ascending order.
    ///   - components: The number of equal first components in a group.
    ///   - entry: The entry after which to begin.
    init(
        _ reader: IndexReader, _ ranges: [KeyRange], components: Int, isDescending: Bool, after entry: [UInt8]?,
        mayWrite: Bool
    ) throws {
        self.reader = reader
        self.components = components
        self.isDescending = isDescending
        var rest = ranges
        if let entry {
            let prefix = try ByteView.with(entry) { try reader.prefix(of: $0, components: components) }
            let group = KeyRange(prefix: prefix)
            let remaining =
                isDescending ? KeyRange(lower: [], upper: group.upper) : KeyRange(lower: group.lower, upper: nil)
            rest = ranges.compactMap { $0.intersection(remaining) }
        }
        start = entry.map { reader.sortBytes(of: $0, .ties(components: components, isDescending: isDescending)) }
        entries = Lookahead(
            IndexCursor(reader, rest, isDescending: isDescending, order: nil, after: nil, mayWrite: mayWrite))
    }

    /// Returns the next entries, valid until the next call; nil at the end.
    ///
    /// - Parameter limit: The maximum number of entries needed, in this call and all later calls.
    mutating func next(atMost limit: Int) throws -> EntryBatch? {
        while true {
            if let batch = group.next(atMost: limit) { return batch }
            guard let first = try entries.peek() else { return nil }
            try readGroup(reader.prefix(of: first.key, components: components), atMost: limit)
        }
    }

    /// Reads the entries with a prefix, and sorts them.
    private mutating func readGroup(_ prefix: [UInt8], atMost limit: Int) throws {
        group.removeAll()
        var bound: [UInt8]?
        while let entry = try entries.peek(), entry.key.starts(with: prefix) {
            defer { entries.advance() }
            if start != nil || bound != nil {
                let bytes = try sortBytes(of: entry, prefix)
                if let start, !TopN.precedes(start, bytes) { continue }
                if let bound, !TopN.precedes(bytes, bound) { continue }
            }
            group.append(entry)
            if group.count >= Self.capacity, limit <= group.count / 2 {
                bound = try group.sort(keeping: limit) { try sortBytes(of: $0, prefix) }
            }
        }
        try group.sort { try sortBytes(of: $0, prefix) }
    }

    /// Returns the sort bytes of an entry. They are in the entry itself, unless the prefix is a whole head.
    private func sortBytes(of entry: Entry, _ prefix: [UInt8]) throws -> [UInt8] {
        guard prefix.count < reader.headSize else {
            return try reader.sortBytes(of: entry, .ties(components: components, isDescending: isDescending))
        }
        var head = ByteView()
        let key = try reader.recordKey(of: entry, &head)
        return EntryReader.tieBytes(prefix, key.copy(), isDescending: isDescending)
    }
}
