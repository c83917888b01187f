// The rows of a table of full text in their order, for a check.

import LMDB
import TroveCoding

/// A cursor over the rows of a table, damaged rows included.
final class TextRowCursor {
    private let table: RowTable
    private let first: [UInt8]
    private var cursor: SeekCursor?
    private var hasBegun = false

    /// - Parameter first: The key at or before the first row.
    init(_ table: RowTable, _ keyspace: Keyspace, from first: [UInt8] = [0]) throws {
        self.table = table
        self.first = first
        cursor = try keyspace.seeks(in: table.database)
    }

    /// Returns the next row; nil at the end. A row that fails its checksum has no content.
    ///
    /// The bytes are valid until the transaction's end, in a write transaction until its next write.
    func next() throws -> (key: ByteView, content: ByteView?)? {
        guard let entry = hasBegun ? try cursor?.next() : try begin() else { return nil }
        let isIntact = table.isIntact(entry.value, key: entry.key)
        return (entry.key, isIntact ? entry.value.dropFirst(StoredRow.checksumSize) : nil)
    }

    private func begin() throws -> Entry? {
        hasBegun = true
        return try ByteView.with(first) { try cursor?.seek($0) }
    }
}
