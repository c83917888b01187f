// Checks that indexes hold exactly the entries derived from the records.

import LMDB
import TroveCoding

/// A wrong index entry, or a damaged record.
public struct IndexDifference: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of a difference.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A record has no entry.
        case missing
        /// No record derives the entry.
        case orphaned
        /// The record's entry exists, but its stored contents are wrong.
        case damaged
        /// Two records have equal values in a unique index.
        case notUnique
        /// The record fails its checksum. Its entries cannot be derived.
        case damagedRecord
    }

    /// The record type's name.
    public var type: String
    /// The index, such as `index(age)`; nil for a damaged record.
    public var index: String?
    /// The kind of the difference.
    public var kind: Kind
    /// The key of the record; for an orphaned entry, the key of the entry.
    public var key: [UInt8]
    /// The key of the other record with the same values.
    public var other: [UInt8]?

    /// The difference, in a single line.
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
    /// Compares the indexes of all declared types with the entries derived from their records.
    ///
    /// ```swift
    /// for difference in try store.check() { print(difference) }
    /// ```
    ///
    /// ``rebuild(_:index:progress:)`` repairs all differences of an index except duplicate values. A damaged record
    /// fails its checksum. It can be deleted with `ignoringDamage:`, together with its index entries. An index that is
    /// still being built is left out. ``verify(path:progress:)`` checks the file itself.
    ///
    /// - Returns: The differences, at most 1,000; an empty array if there are none.
    /// - Throws: ``StoreError`` for an intact record that the type cannot decode.
    /// - Complexity: O(*n* log *n*) in the number of records, in a single snapshot. Memory is constant, except for
    ///   unique values with the same first 494 bytes.
    public func check() throws -> [IndexDifference] {
        try read { context in
            var differences: [IndexDifference] = []
            for type in declaredTypes where differences.count < IndexCheck.limit {
                differences += try type.check(context)
            }
            return Array(differences.prefix(IndexCheck.limit))
        }
    }

    /// Compares the indexes of a type with the entries derived from its records, as ``check()`` does.
    ///
    /// - Returns: The differences, at most 1,000; an empty array if there are none.
    /// - Throws: ``StoreError`` for an intact record that the type cannot decode.
    /// - Complexity: O(*n* log *n*) in the number of records, in a single snapshot. Memory is constant, except for
    ///   unique values with the same first 494 bytes.
    public func check<Record: IndexKeyRecord>(_ type: Record.Type) throws -> [IndexDifference] {
        try read { context in try type.checkIndexes(context) }
    }
}

extension IndexKeyRecord {
    /// Compares the readable indexes with the entries derived from the records.
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
