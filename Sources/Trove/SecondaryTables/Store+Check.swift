// The proof that secondary tables hold what follows from the records, and nothing else.

import LMDB
import TroveCoding

/// What is wrong with an entry of a secondary table.
public struct TableDifference: Hashable, Sendable, Codable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A record has no entry.
        case missing
        /// A row follows from no record.
        case superfluous
        /// The row of a record's entry is there, and what is stored in it is not what should be.
        case damaged
        /// Two records have the values of which no two may have the same.
        case notUnique
    }

    /// The record type's name.
    public var type: String
    /// The table, such as `index(age)`.
    public var table: String
    /// What is wrong.
    public var kind: Kind
    /// The key of the record that is concerned; of a superfluous row, that of the row.
    public var key: [UInt8]
    /// The key of the other record that has the same values.
    public var other: [UInt8]?

    /// One line.
    public var description: String {
        let what =
            switch kind {
            case .missing: "the record with the key \(hexadecimal(key)) has no entry"
            case .superfluous: "the row \(hexadecimal(key)) follows from no record"
            case .damaged: "the row of the record with the key \(hexadecimal(key)) is damaged"
            case .notUnique:
                "the record with the key \(hexadecimal(key)) has the same values as the one with the key "
                    + hexadecimal(other ?? [])
            }
        return "\(type), \(table): \(what)"
    }
}

extension Store {
    /// Compares the secondary tables of all declared types with what follows from their records.
    ///
    /// ```swift
    /// for difference in try store.check() { print(difference) }
    /// ```
    ///
    /// What is wrong with a table, ``rebuild(_:table:progress:)`` puts right: all of it but two records with the same
    /// unique values. A table that is still being made is left out. Whether the file itself is sound,
    /// ``verify(path:progress:)`` tells.
    ///
    /// - Returns: The differences, at most 1,000; none where all is sound.
    /// - Throws: ``StoreError`` for a record that cannot be read.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot and in constant memory.
    public func check() throws -> [TableDifference] {
        try read { context in
            var differences: [TableDifference] = []
            for type in declaredTypes where differences.count < TableCheck.limit {
                differences += try type.check(context)
            }
            return Array(differences.prefix(TableCheck.limit))
        }
    }

    /// Compares the secondary tables of a type with what follows from its records, as ``check()`` does.
    ///
    /// - Returns: The differences, at most 1,000; none where all is sound.
    /// - Throws: ``StoreError`` for a record that cannot be read.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot and in constant memory.
    public func check<Record: IndexKeyRecord>(_ type: Record.Type) throws -> [TableDifference] {
        try read { context in try type.checkTables(context) }
    }
}

extension IndexKeyRecord {
    /// Compares the secondary tables that are ready with what follows from the records.
    static func checkTables(_ context: ReadContext) throws -> [TableDifference] {
        try translatingErrors {
            guard let table = try context.table(for: schema) else { return [] }
            let tables = zip(table.secondaryTables, secondaryTables).map { target, secondary in
                target.isReady
                    ? CheckedTable(
                        name: secondary.description.text, database: target.database, seed: target.seed,
                        forbidsTwice: secondary.collisions?.forbidsTwice ?? false, recordKey: secondary.recordKey)
                    : nil
            }
            var check = TableCheck(context.keyspace, type: schema.name, records: table.database, tables) { key, value in
                entries(of: try decode(key, value, table), key)
            }
            try check.run()
            return check.differences
        }
    }
}

extension SecondaryTable {
    /// The record's key at the end of a row that is a whole entry; nil where the row is none of this table.
    fileprivate func recordKey(in row: RawSpan) -> [UInt8]? {
        let size = row.byteCount
        do throws(CodingError) {
            return try KeyReader.read(row) { (reader) throws(CodingError) in
                for property in properties { try property.skip(&reader) }
                return try reader.readBytes(count: size - reader.offset)
            }
        } catch {
            return nil
        }
    }
}
