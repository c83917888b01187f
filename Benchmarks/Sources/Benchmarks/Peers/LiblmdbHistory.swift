// A history by hand: in a table of its own, a row for each transaction with the keys of the changed people.

import CTroveLMDB
import Foundation

/// The changes of a transaction, and the table for them.
final class LiblmdbHistory: @unchecked Sendable {
    /// The kind of a change.
    enum Kind: UInt8 {
        case inserted, updated, deleted
    }

    private static let changeSize = 9

    private let table: MDB_dbi
    /// The number of the next row.
    private var number: UInt64 = 0
    private var changes: [UInt8] = []

    init(_ table: MDB_dbi) { self.table = table }

    func add(_ kind: Kind, _ id: Int64) {
        withUnsafeBytes(of: Packing.keyBits(id)) { changes += $0 }
        changes.append(kind.rawValue)
    }

    /// Writes the row of a transaction.
    func finish(_ transaction: OpaquePointer) throws {
        var key = number.bigEndian
        var row = withUnsafeBytes(of: Date().timeIntervalSinceReferenceDate) { [UInt8]($0) }
        row += changes
        try withUnsafeMutableBytes(of: &key) { key in
            try row.withUnsafeMutableBytes { row in
                var key = MDB_val(mv_size: key.count, mv_data: key.baseAddress)
                var value = MDB_val(mv_size: row.count, mv_data: row.baseAddress)
                try check(trove_mdb_put(transaction, table, &key, &value, UInt32(MDB_APPEND)), "mdb_put")
            }
        }
        number += 1
        changes.removeAll(keepingCapacity: true)
    }

    /// Returns the number of changes in all rows.
    func count(_ transaction: OpaquePointer) throws -> Int {
        try withCursor(transaction, table) { cursor in
            var key = MDB_val(), value = MDB_val()
            var count = 0
            while try move(cursor, &key, &value, MDB_NEXT) {
                count += (value.mv_size - MemoryLayout<Double>.size) / Self.changeSize
            }
            return count
        }
    }
}
