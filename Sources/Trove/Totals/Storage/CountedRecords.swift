// The records that an index of totals has counted so far. A build counts the records in the order of their keys, in
// several transactions, and other writes come in between.
//
//     rows:     key 00           content: the key of the last record counted by the build; empty before the first
//     counted:  key of a record  no content
//
// The row 00 exists from the first transaction of a build to its end. A record is counted with the values that a write
// has given it last if its key is not greater than the key in the row, or if it is in `counted`. Otherwise it is not
// counted, whatever its values are:
//
// 1. A write that changes the group or the numbers of a record that is not counted takes nothing away. It adds what the
//    record is from then on, and puts the record into `counted`, also if it removes the record.
// 2. The build adds a record of its snapshot unless it is counted, and moves the row on in the same transaction. Since
//    no write has changed the record, by 1, the values of the snapshot are those of now.
//
// So each record is counted once, in each transaction, also if the build is interrupted and begins a chunk again.

import LMDB
import TroveCoding

/// The progress of the build of an index of totals.
struct CountedRecords {
    private static let key: [UInt8] = [0]

    private let totals: OpenTotals
    private let keyspace: Keyspace
    /// The key of the last record counted by the build; nil if the index has the totals of all records.
    private(set) var position: [UInt8]?

    init(_ totals: OpenTotals, _ keyspace: Keyspace) throws {
        self.totals = totals
        self.keyspace = keyspace
        position = try totals.rows.verifiedContent(Self.key, keyspace)?.copy()
    }

    /// Whether the index has the totals of all records.
    var isComplete: Bool { position == nil }

    /// Returns whether the totals have a record.
    func contains(_ key: [UInt8]) throws -> Bool {
        guard let position, position.lexicographicallyPrecedes(key) else { return true }
        return try totals.counted.content(key, keyspace) != nil
    }

    /// Notes that a write has counted a record, or has removed it.
    func insert(_ key: [UInt8]) throws {
        var row: [UInt8] = []
        StoredRow.begin(&row)
        try totals.counted.put(key, &row, keyspace, mode: .replace)
    }

    /// Moves the position of the build.
    mutating func move(to position: [UInt8]) throws {
        self.position = position
        try Self.put(position, in: totals.rows, keyspace)
    }

    /// Notes in an empty table that no record is counted.
    static func begin(_ rows: RowTable, _ keyspace: Keyspace) throws { try put([], in: rows, keyspace) }

    /// Notes that the totals have all records.
    static func end(_ rows: RowTable, _ counted: Database, _ keyspace: Keyspace) throws {
        try keyspace.delete(rows.database, key)
        try keyspace.deleteAll(counted)
    }

    private static func put(_ position: [UInt8], in rows: RowTable, _ keyspace: Keyspace) throws {
        var row: [UInt8] = []
        StoredRow.begin(&row)
        row += position
        try rows.put(key, &row, keyspace, mode: .replace)
    }
}
