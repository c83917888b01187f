// The report of a verification: the contents of a store's file, and the findings.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The result of verifying a store's file: its contents and the findings.
public struct VerificationReport: Hashable, Sendable, Codable {
    /// A record type.
    public struct RecordType: Hashable, Sendable, Codable {
        /// The name with its module; nil if the catalog does not have the table.
        public var name: String?
        /// The name of the type's table.
        public var table: String
        /// The relation whose links are the records of the type; nil for a type with records of its own.
        public var links: StoredLinks?
        /// The number of records seen.
        public var records: Int
        /// The size of their keys and values in bytes.
        public var bytes: Int
        /// The number of records that fail their checksum.
        public var damaged: Int
    }

    /// An index or a unique constraint.
    public struct Index: Hashable, Sendable, Codable {
        /// The record type's name with its module; nil if the catalog does not have it.
        public var type: String?
        /// The index's own name, such as `index(age)`, or `record numbers`; nil if the catalog does not have the table.
        public var name: String?
        /// The content of the table, such as `words`, if the index has several tables: see ``StoredFullText/Table``.
        public var part: String?
        /// The name of the index's table.
        public var table: String
        /// The number of entries seen.
        public var entries: Int
        /// The size of the entries in bytes.
        public var bytes: Int
        /// The number of damaged entries.
        public var damaged: Int
    }

    /// The pages and trees, and all findings.
    public var file: FileReport
    /// Whether the file is a store, rather than another program's LMDB environment.
    public var isStore: Bool
    /// The store's unique identifier.
    public var identifier: UUID?
    /// The number of transactions ever committed to it.
    public var commitSequence: UInt64?
    /// The record types, sorted by name; tables without a name come last.
    public var types: [RecordType]
    /// The indexes and unique constraints, in the order of ``types``, and of their creation.
    public var indexes: [Index]

    /// Whether nothing is damaged.
    public var isSound: Bool { file.isSound }
    /// The findings, at most 1,000; see ``/LMDB/FileReport/omittedFindings``.
    public var findings: [FileFinding] { file.findings }
    /// The number of records seen.
    public var records: Int { types.reduce(0) { $0 + $1.records } }
    /// The size of all keys and values in bytes.
    public var bytes: Int { types.reduce(0) { $0 + $1.bytes } }
}

extension VerificationReport {
    init(_ file: FileReport, _ inspector: VerifyVisitor) {
        self.file = file
        isStore = inspector.isStore
        identifier = inspector.catalog.storeEntry?.identifier
        commitSequence = inspector.catalog.commitSequence
        let catalog = inspector.catalog
        catalog.describeKeys(in: &self.file)
        // The order of the types in the catalog; see ReadContext.storedTypes().
        let tables = inspector.tables.map { table -> (table: VerifyVisitor.Table, name: TableName?, type: String?) in
            let name = TableName(table.name)
            return (table, name, name.flatMap { catalog.types[$0.keyPrefix]?.qualifiedName })
        }.sorted { first, second in
            guard let type = first.type, let other = second.type else { return first.type != nil && second.type == nil }
            return (type, first.name?.keyPrefix ?? 0, first.name?.table.rawValue ?? 0)
                < (other, second.name?.keyPrefix ?? 0, second.name?.table.rawValue ?? 0)
        }
        types = tables.compactMap { table, name, type in
            if name.map({ $0.table != .records }) == true || table.entries == 0 && inspector.isSpare(table) {
                return nil
            }
            return RecordType(
                name: type, table: table.name, links: name.flatMap { catalog.links($0.keyPrefix) },
                records: table.entries, bytes: table.bytes, damaged: table.damaged)
        }
        indexes = tables.compactMap { table, name, type in
            guard let name, name.table != .records, !inspector.isSpare(table) else { return nil }
            let index = catalog.storedIndex(name)
            let isOfNumbers = name.table == .recordNumbers && type != nil
            return Index(
                type: type, name: isOfNumbers ? "record numbers" : index?.text,
                part: isOfNumbers ? (name.part == 0 ? "numbers" : "keys") : index?.partName(name.part),
                table: table.name, entries: table.entries, bytes: table.bytes, damaged: table.damaged)
        }
        // Some unusual structures are valid in another program's environment, but never occur in a store.
        guard isStore else { return }
        for index in self.file.findings.indices where self.file.findings[index].kind == .foreign {
            self.file.findings[index].isDamage = true
            self.file.damages += 1
        }
    }
}

extension VerificationReport: CustomStringConvertible {
    /// A line for each finding and for each type, and the verdict.
    public var description: String {
        let lines =
            findings.map(\.description)
            + types.map { type in
                "\(type.name ?? "table \(type.table) of an unknown type"): "
                    + "\(type.records) \(type.links == nil ? "records" : "links"), \(type.bytes) bytes"
            }
        let verdict = !isSound ? "damaged" : isStore ? "sound" : "a sound LMDB file, but not a store"
        return (lines + ["\(verdict); \(records) records"]).joined(separator: "\n")
    }
}
