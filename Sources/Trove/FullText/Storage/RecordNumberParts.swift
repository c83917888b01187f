// The tables of the record numbers of a type.
//
//     part 0 numbers by record key · 1 record keys by number
//
// RecordNumbers.swift has the picture of each row.

import LMDB
import TroveCoding

/// The open tables of the record numbers of a type.
final class RecordNumberParts: Sendable {
    /// The name of the tables in errors.
    static let name = "record numbers"

    /// The numbers, by record key.
    let numbers: RowTable
    /// The record keys, by number.
    let keys: RowTable

    /// Opens the tables.
    init<Failure: Error>(
        _ name: TableName, type: String, verifiesChecksums: Bool, _ open: (TableName) throws(Failure) -> Database
    ) throws(Failure) {
        func table(_ part: UInt32) throws(Failure) -> RowTable {
            let name = name.part(part)
            return RowTable(
                try open(name), name, type: type, index: Self.name, verifiesChecksums: verifiesChecksums)
        }
        numbers = try table(0)
        keys = try table(1)
    }
}

extension RecordNumberParts {
    /// Returns the name of the first table of a type's record numbers.
    static func name(_ keyPrefix: UInt32) -> TableName { TableName(keyPrefix: keyPrefix, table: .recordNumbers) }

    /// Returns the names of the tables of a type's record numbers.
    static func names(_ keyPrefix: UInt32) -> [TableName] { [name(keyPrefix), name(keyPrefix).part(1)] }
}

extension TransactionContext {
    /// Creates the tables of the record numbers of a type, unless they exist.
    func createRecordNumberParts(_ name: TableName, type: String) throws -> RecordNumberParts {
        try use(.text)
        return try RecordNumberParts(name, type: type, verifiesChecksums: verifiesChecksums) {
            try keyspace.createTable(named: $0.text)
        }
    }
}
