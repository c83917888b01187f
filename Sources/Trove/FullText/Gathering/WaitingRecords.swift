// The records of a type whose text is to be gathered, in a transaction.

import LMDB
import TroveCoding

/// The records that wait for their text, in a transaction.
struct WaitingRecords {
    /// A record that waits.
    struct Record: Sendable {
        let key: [UInt8]
        /// The number of the commit with the note of the record (WaitingRow.swift).
        let note: UInt64
    }

    private let table: RowTable
    private let keyspace: Keyspace

    init(_ table: RowTable, _ keyspace: Keyspace) {
        self.table = table
        self.keyspace = keyspace
    }

    /// The number of records.
    func count() throws -> Int { try keyspace.count(table.database) }

    /// Returns the note of a record; nil if the record does not wait.
    func note(of key: [UInt8]) throws -> UInt64? {
        try table.content(key, keyspace).map { content in
            try table.reading(key) { () throws(CodingError) in try WaitingRow.read(content) }
        }
    }

    /// Returns the next records in the order of their keys.
    ///
    /// - Parameter key: The key before the first record; empty to begin with the first.
    func records(after key: [UInt8], atMost limit: Int) throws -> [Record] {
        var records: [Record] = []
        try keyspace.scan(table.database, ScanRange(after: key)) { key, value in
            let note = try ByteView.with(key) { key in
                try ByteView.with(value) { value in
                    let content = try table.content(of: value, key: key)
                    return try table.reading(key) { () throws(CodingError) in try WaitingRow.read(content) }
                }
            }
            records.append(Record(key: copiedBytes(key), note: note))
            return records.count < limit ? .continue : .stop
        }
        return records
    }

    /// Notes a record, in place of its earlier note.
    func add(_ key: [UInt8], note: UInt64) throws {
        var row: [UInt8] = []
        StoredRow.begin(&row)
        WaitingRow.append(note, to: &row)
        try table.put(key, &row, keyspace, mode: .replace)
    }

    /// Removes the note of a record, if it waits.
    func remove(_ key: [UInt8]) throws { try keyspace.delete(table.database, key) }
}
