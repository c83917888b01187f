// The numbers of records in the order of their keys.

import LMDB
import TroveCoding

/// A walk over the records of a type that have numbers, in the order of their keys.
final class RecordNumberWalk {
    private let table: RowTable
    private var cursor: SeekCursor?
    /// The key after which to begin; nil once the walk has begun.
    private var start: [UInt8]?

    init(_ table: RowTable, _ keyspace: Keyspace, after start: [UInt8]?) throws {
        self.table = table
        self.start = start ?? []
        cursor = try keyspace.seeks(in: table.database)
    }

    /// Returns the next record; nil after the last. The key is valid until the next call, and until the next write.
    func next() throws -> (number: UInt64, key: ByteView)? {
        guard let entry = try nextEntry() else { return nil }
        let content = try table.content(of: entry.value, key: entry.key)
        guard content.count == RowNumber.size, RowNumber.read(content) > 0 else { throw table.damaged(entry.key) }
        return (RowNumber.read(content), entry.key)
    }

    private func nextEntry() throws -> Entry? {
        guard let start else { return try cursor?.next() }
        self.start = nil
        // No key is empty.
        guard !start.isEmpty else { return try ByteView.with([0]) { try cursor?.seek($0) } }
        return try ByteView.with(start) { start in
            guard let first = try cursor?.seek(start) else { return nil }
            return try first.key.equals(start) ? cursor?.next() : first
        }
    }
}
