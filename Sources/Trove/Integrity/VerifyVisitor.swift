// Verifies a store's entries while the pages of its file are visited.

import LMDB
import TroveCoding

extension FileFinding.Kind {
    /// A record fails its checksum.
    public static let checksum = Self(rawValue: "checksum")
    /// A catalog entry is damaged or missing.
    public static let catalogEntry = Self(rawValue: "catalogEntry")
    /// The catalog has a type without a table.
    public static let missingTable = Self(rawValue: "missingTable")
    /// An entry of an index or a unique constraint is damaged.
    public static let indexEntry = Self(rawValue: "indexEntry")
    /// A table is missing in the catalog.
    public static let unknownTable = Self(rawValue: "unknownTable")
    /// The file is an LMDB environment, but not a store. This is not damage.
    public static let notAStore = Self(rawValue: "notAStore")
}

/// Verifies the catalog and the checksums of records and index entries.
final class VerifyVisitor: FileVisitor {
    typealias Failure = any Error

    /// A record table, or the table of an index.
    struct Table {
        var name: String
        var entries = 0
        var bytes = 0
        var damaged = 0
    }

    private(set) var catalog = PartialCatalog()
    private(set) var tables: [Table] = []
    private(set) var hasCatalog = false
    private var seed: CRC32C?
    private var isIndex = false
    private let path: String
    private let progress: (Int, Int) throws -> Void

    init(path: String, progress: @escaping (Int, Int) throws -> Void) {
        self.path = path
        self.progress = progress
    }

    /// Whether the file contains parts of a store.
    var isStore: Bool { hasCatalog || tables.contains { TableName($0.name) != nil } }

    func begin() {
        catalog = PartialCatalog()
        tables = []
        hasCatalog = false
        seed = nil
    }

    func advance(to pages: UInt64, of total: UInt64) throws { try progress(Int(pages), Int(total)) }

    func beginTable(_ name: String) {
        if name == CatalogStorage.name {
            hasCatalog = true
            seed = nil
        } else {
            let tableName = TableName(name)
            seed = tableName?.checksumSeed
            isIndex = tableName.map { $0.table != .records } ?? false
            tables.append(Table(name: name))
        }
    }

    func visit(_ entry: FileEntry) -> FileFinding? {
        func finding(_ kind: FileFinding.Kind, _ words: String) -> FileFinding {
            FileFinding(
                kind, page: entry.page, table: entry.table, index: entry.index, key: entry.key, words)
        }
        if entry.table == CatalogStorage.name {
            return catalog.add(entry.key, entry.value).map { finding(.catalogEntry, $0) }
        }
        tables[tables.count - 1].entries += 1
        tables[tables.count - 1].bytes += entry.key.count + entry.value.size
        guard let seed else { return nil }
        let isIntact =
            isIndex
            ? isIntactIndexEntry(entry, seed)
            : StoredValue.isIntact(entry.value, key: entry.key, seed: seed)
        if isIntact == true { return nil }
        tables[tables.count - 1].damaged += 1
        let noun = isIndex ? "index entry" : "record"
        if isIntact == nil { return finding(.unreadable, "the \(noun) could not be read") }
        return isIndex
            ? finding(.indexEntry, "the index entry is damaged") : finding(.checksum, "the record's checksum differs")
    }

    /// Returns whether an entry of an index, or a row of full text, has its original bytes; nil if they could not be
    /// read. Long entries and rows have the same checksum.
    private func isIntactIndexEntry(_ entry: FileEntry, _ seed: CRC32C) -> Bool? {
        if StoredEntry.isIntact(entry.value, key: entry.key, seed: seed) == true { return true }
        return StoredRow.isIntact(entry.value, key: entry.key, seed: seed)
    }

    func end() throws -> [FileFinding] {
        guard isStore else {
            var finding = FileFinding(.notAStore, "the file is an LMDB environment without a catalog: it is no store")
            finding.isDamage = false
            return [finding]
        }
        if let error = catalog.error(lacking: .neededToRead, path: path) { throw error }
        let stored = Set(tables.filter { !isSpare($0) }.map(\.name))
        let known = Set((catalog.tableNames.values + catalog.indexTableNames).map(\.text))
        let missingEntries = catalog.missing.map { words in
            FileFinding(.catalogEntry, table: CatalogStorage.name, "the catalog lacks \(words)")
        }
        let malformedLayouts = catalog.malformedLayouts.map { words in
            FileFinding(.catalogEntry, table: CatalogStorage.name, words)
        }
        let missingTables = known.subtracting(stored).sorted().map { name in
            FileFinding(.missingTable, table: name, "the catalog knows the table, and it is not there")
        }
        // A feature that may be ignored may have tables of its own.
        let unknownTables = (catalog.lacksFeatures ? [] : stored.subtracting(known)).sorted().map { name in
            FileFinding(.unknownTable, table: name, "the table is there, and the catalog does not know it")
        }
        return missingEntries + malformedLayouts + missingTables + unknownTables
    }

    /// Returns whether a table can be ignored: a spare table of a migration, or the empty table of a
    /// dropped index or relation.
    func isSpare(_ table: Table) -> Bool {
        guard let name = TableName(table.name) else { return false }
        if name.table == .records {
            return catalog.isSpare(name) || table.entries == 0 && catalog.types[name.keyPrefix] == nil
        }
        // The numbers of records outlast the last full-text index: none is given again.
        if name.table == .recordNumbers {
            return catalog.types[name.keyPrefix] != nil && catalog.indexes[name.keyPrefix]?.hasTexts != true
        }
        // The index has replaced a dropped index with more parts.
        if table.entries == 0, catalog.storedIndex(name)?.hasPart(name.part) == false { return true }
        return catalog.storedIndex(name) == nil && (table.entries == 0 || catalog.isUnfinishedList(name))
    }
}
