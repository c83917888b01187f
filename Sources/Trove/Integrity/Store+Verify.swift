// Whether a store's file is sound, without opening it.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What was seen of a store's file, and what was found.
public struct VerificationReport: Hashable, Sendable, Codable {
    /// A record type.
    public struct RecordType: Hashable, Sendable, Codable {
        /// The name with its module; nil where the catalog does not know the table.
        public var name: String?
        /// The name of its table.
        public var table: String
        /// The number of records seen.
        public var records: Int
        /// The bytes of their keys and values.
        public var bytes: Int
        /// How many of them have a checksum that is not that of their bytes.
        public var damaged: Int
    }

    /// An index or a unique constraint.
    public struct Index: Hashable, Sendable, Codable {
        /// The record type's name with its module; nil where the catalog does not know it.
        public var type: String?
        /// Its own name, such as `index(age)`; nil where the catalog does not know the table.
        public var name: String?
        /// The name of its table.
        public var table: String
        /// The number of rows seen.
        public var entries: Int
        /// Their bytes.
        public var bytes: Int
        /// How many of them hold what no entry has.
        public var damaged: Int
    }

    /// The pages and trees, and all findings.
    public var file: FileReport
    /// Whether the file is a store, rather than another program's LMDB environment.
    public var isStore: Bool
    /// The number that tells the store from all others.
    public var identifier: UUID?
    /// The number of transactions ever committed to it.
    public var commitSequence: UInt64?
    /// The record types, in the order of their tables.
    public var types: [RecordType]
    /// The indexes and unique constraints, in the order of their tables.
    public var indexes: [Index]

    /// Whether nothing is damaged.
    public var isSound: Bool { file.isSound }
    /// What was found, at most 1,000 findings; see ``LMDB/FileReport/omittedFindings``.
    public var findings: [FileFinding] { file.findings }
    /// The number of records seen.
    public var records: Int { types.reduce(0) { $0 + $1.records } }
    /// The bytes of all keys and values.
    public var bytes: Int { types.reduce(0) { $0 + $1.bytes } }
}

extension Store {
    /// Looks through a store's file page by page, and verifies the checksum of every record.
    ///
    /// The file is only read: nothing in it is believed before it is checked, so that no damage can do harm, and a file
    /// from an untrusted source can be verified before it is opened. It may be in use meanwhile.
    ///
    /// ```swift
    /// let report = try Store.verify(path: "people.trove")
    /// for finding in report.findings { print(finding) }
    /// ```
    ///
    /// Both meta pages are checked; of the last commit, the lists of free pages, every tree, the pages of large values,
    /// the catalog, each record, and each row of an index; of the commit before, the pages that only it uses. Checksums
    /// find what happened by accident; who changes a record on purpose can change its checksum too. Whether an index has
    /// the right rows, ``check()`` tells.
    ///
    /// - Parameters:
    ///   - path: The store's file, or the directory that holds it.
    ///   - progress: Receives how many pages are done, of how many.
    /// - Returns: What was found, and what the store holds. A sound LMDB file of another program is sound, and said to
    ///   be no store.
    /// - Throws: ``StoreError`` when there is nothing to verify: no such file, no permission, a file of another kind, a
    ///   later format; or when other processes changed it again and again meanwhile.
    /// - Complexity: O(*n*) in the size of the file, which is read once. It takes a few bits of memory for each page,
    ///   the holes of a sparse file included.
    public static func verify(
        path: String, progress: @escaping (_ pages: Int, _ total: Int) -> Void = { _, _ in }
    ) throws -> VerificationReport {
        let inspector = VerifyVisitor(path: path, progress: progress)
        let file = try translatingErrors { try FileVerification.run(path, visitor: inspector) }
        return VerificationReport(file, inspector)
    }
}

extension VerificationReport {
    fileprivate init(_ file: FileReport, _ inspector: VerifyVisitor) {
        self.file = file
        isStore = inspector.isStore
        identifier = inspector.catalog.identifier
        commitSequence = inspector.catalog.commitSequence
        let catalog = inspector.catalog
        types = inspector.tables.compactMap { table in
            let name = TableName(table.name)
            if name.map({ $0.table != .records }) == true || table.entries == 0 && inspector.isSpare(table) {
                return nil
            }
            return RecordType(
                name: name.flatMap { catalog.types[$0.keyPrefix]?.qualifiedName }, table: table.name,
                records: table.entries, bytes: table.bytes, damaged: table.damaged)
        }
        indexes = inspector.tables.compactMap { table in
            guard let name = TableName(table.name), name.table != .records, !inspector.isSpare(table) else {
                return nil
            }
            return Index(
                type: catalog.types[name.keyPrefix]?.qualifiedName, name: catalog.storedIndex(name)?.text,
                table: table.name, entries: table.entries, bytes: table.bytes, damaged: table.damaged)
        }
        // A store never holds what is only unusual in an environment of another program.
        guard isStore else { return }
        for index in self.file.findings.indices where self.file.findings[index].kind == .foreign {
            self.file.findings[index].isDamage = true
            self.file.damages += 1
        }
    }
}
