// The proof that indexes hold what follows from the records, and nothing else.

import LMDB
import TroveCoding

/// What is wrong with an entry of an index, or with a record from which entries follow.
public struct IndexDifference: Hashable, Sendable, Codable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A record has no entry.
        case missing
        /// A row follows from no record.
        case orphaned
        /// The row of a record's entry is there, and what is stored in it is not what should be.
        case damaged
        /// Two records have the values of which no two may have the same.
        case notUnique
        /// A record's bytes are no more those that were written: which entries it should have, nobody knows.
        case damagedRecord
    }

    /// The record type's name.
    public var type: String
    /// The table, such as `index(age)`; nil where a record is damaged.
    public var index: String?
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
            case .orphaned: "the entry \(hexadecimal(key)) belongs to no record"
            case .damaged: "the entry of the record with the key \(hexadecimal(key)) is damaged"
            case .notUnique:
                "the record with the key \(hexadecimal(key)) has the same values as the one with the key "
                    + hexadecimal(other ?? [])
            case .damagedRecord: "the record with the key \(hexadecimal(key)) is damaged"
            }
        return "\(type)\(index.map { ", " + $0 } ?? ""): \(what)"
    }
}

extension Store {
    /// Compares the indexes of all declared types with what follows from their records.
    ///
    /// ```swift
    /// for difference in try store.check() { print(difference) }
    /// ```
    ///
    /// What is wrong with a table, ``rebuild(_:index:progress:)`` puts right: all of it but two records with the same
    /// unique values. A damaged record, whose checksum is not that of its bytes, can be deleted with `ignoringDamage:`,
    /// and with it all that leads to it. A table that is still being made is left out. Whether the file itself is
    /// sound, ``verify(path:progress:)`` tells.
    ///
    /// - Returns: The differences, at most 1,000; none where all is sound.
    /// - Throws: ``StoreError`` for a record that is not damaged and that the type cannot read.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot. Memory is constant but for
    ///   unique values that share their first 494 bytes.
    public func check() throws -> [IndexDifference] {
        try read { context in
            var differences: [IndexDifference] = []
            for type in declaredTypes where differences.count < IndexCheck.limit {
                differences += try type.check(context)
            }
            return Array(differences.prefix(IndexCheck.limit))
        }
    }

    /// Compares the indexes of a type with what follows from its records, as ``check()`` does.
    ///
    /// - Returns: The differences, at most 1,000; none where all is sound.
    /// - Throws: ``StoreError`` for a record that is not damaged and that the type cannot read.
    /// - Complexity: O(*n* log *n*) in the number of records, in one snapshot. Memory is constant but for
    ///   unique values that share their first 494 bytes.
    public func check<Record: IndexKeyRecord>(_ type: Record.Type) throws -> [IndexDifference] {
        try read { context in try type.checkIndexes(context) }
    }
}

extension IndexKeyRecord {
    /// Compares the indexes that are ready with what follows from the records.
    static func checkIndexes(_ context: ReadContext) throws -> [IndexDifference] {
        try translatingErrors {
            guard let table = try context.table(for: schema) else { return [] }
            let tables = zip(table.indexes, indexes).map { target, declared in
                target.isReady
                    ? CheckedIndex(
                        name: declared.descriptor.text, database: target.database, seed: target.seed,
                        forbidsDuplicates: declared.descriptor.forbidsDuplicates, valueSize: declared.valueSize(in:))
                    : nil
            }
            var check = IndexCheck(
                context.keyspace, type: schema.name, records: table.database, seed: table.checksumSeed, tables
            ) { key, value in
                entries(of: try decode(key, value, table), key)
            }
            try check.run()
            return check.differences
        }
    }
}
