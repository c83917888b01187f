// The state of a store from moment to moment: its commits, readers, pages and types.
//
// The pages are read from the file, as by a verification, and not from the map: whatever happens to the file, the
// process that looks on goes on.

import LMDB
import TroveCoding

/// The state of a store at a commit.
package struct StoreActivity: Sendable {
    /// A record type.
    package struct RecordType: Sendable {
        /// The name with its module.
        package let name: String
        /// Whether its records are the links of a relation.
        package let isOfLinks: Bool
        /// The number of records.
        package fileprivate(set) var records = 0
        /// The size of the pages of the records in bytes.
        package fileprivate(set) var recordBytes = 0
        /// The size of the pages of all indexes in bytes.
        package fileprivate(set) var indexBytes = 0

        /// The size of all pages in bytes.
        package var bytes: Int { recordBytes.addingClamped(indexBytes) }
    }

    /// The number of commits with changes.
    package let commitSequence: UInt64
    /// The number of the last commit in the engine.
    package let transaction: Int
    /// The size of a page in bytes.
    package let pageSize: Int
    /// The number of pages that were ever used.
    package let pages: Int
    /// The number of free pages.
    package let freePages: Int
    /// The size of the memory map in bytes.
    package let mapSize: Int
    /// The maximum number of readers.
    package let maximumReaders: Int
    /// The reader slots in use, also of this process, and also idle ones.
    package let readers: [ReaderInfo]
    /// The record types, sorted by name.
    package let types: [RecordType]
}

extension Store {
    /// Returns the state of the store at the last commit.
    ///
    /// - Throws: ``StoreError``: ``StoreError/FileError/fileReplaced(path:)`` if another file has the store's name now,
    ///   ``StoreError/FileError/verificationFailed(path:findings:)`` if the catalog, the tree of tables or the lists of
    ///   free pages are damaged.
    /// - Complexity: O(*n*) in the number of types, indexes and free pages.
    package func activity() throws -> StoreActivity {
        try checkIsOpen()
        return try translatingErrors {
            let environment = environment.shared
            try environment.checkFile()
            let reader = CatalogReader()
            let core = try environment.beginRead()
            let list: TableList
            do {
                defer { core.endRead() }
                list = try TableList(path, visiting: CatalogStorage.name, reader)
            }
            if let error = reader.catalog.error(lacking: .neededToRead, path: path) { throw error }
            guard list.findings.isEmpty else {
                throw StoreError.file(.verificationFailed(path: path, findings: list.findings))
            }
            let info = try self.environment.info
            return StoreActivity(
                commitSequence: reader.catalog.commitSequence ?? 0, transaction: list.transaction,
                pageSize: list.pageSize, pages: list.pages, freePages: list.freePages, mapSize: info.mapSize,
                maximumReaders: info.maximumReaders, readers: try self.environment.readers(),
                types: reader.catalog.sizes(list))
        }
    }
}

/// A visitor that assembles the catalog.
private final class CatalogReader: FileVisitor {
    typealias Failure = any Error

    private(set) var catalog = PartialCatalog()

    func begin() { catalog = PartialCatalog() }

    func visit(_ entry: FileEntry) -> FileFinding? {
        catalog.add(entry.key, entry.value).map { words in
            FileFinding(
                .catalogEntry, page: entry.page, table: entry.table, index: entry.index, key: entry.key, words)
        }
    }
}

extension PartialCatalog {
    /// Returns the sizes of the types.
    fileprivate func sizes(_ list: TableList) -> [StoreActivity.RecordType] {
        let records = tableNames
        var sizes = types.mapValues { type in
            StoreActivity.RecordType(name: type.qualifiedName, isOfLinks: false)
        }
        for prefix in relations.keys {
            sizes[prefix] = sizes[prefix].map { StoreActivity.RecordType(name: $0.name, isOfLinks: true) }
        }
        for table in list.tables {
            guard let name = TableName(table.name), sizes[name.keyPrefix] != nil else { continue }
            let size = table.pages.multipliedClamped(by: list.pageSize)
            if name.table != .records {
                sizes[name.keyPrefix]?.indexBytes.addClamped(size)
            } else if records[name.keyPrefix] == name {
                sizes[name.keyPrefix]?.records = table.entries
                sizes[name.keyPrefix]?.recordBytes.addClamped(size)
            }
        }
        return sizes.sorted { ($0.value.name, $0.key) < ($1.value.name, $1.key) }.map(\.value)
    }
}
