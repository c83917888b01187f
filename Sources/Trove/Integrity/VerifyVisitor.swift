// What a store's entries must be: seen one by one while the pages of its file are walked.

import LMDB
import TroveCoding

extension FileFinding.Kind {
    /// A record's checksum is not that of its bytes.
    public static let checksum = Self(rawValue: "checksum")
    /// An entry of the catalog is damaged, or missing.
    public static let catalogEntry = Self(rawValue: "catalogEntry")
    /// The catalog knows a type whose table is not there.
    public static let missingTable = Self(rawValue: "missingTable")
    /// A row of an index or unique constraint is none that was written.
    public static let row = Self(rawValue: "row")
    /// There is a table that the catalog does not know.
    public static let unknownTable = Self(rawValue: "unknownTable")
    /// The file is an LMDB environment, and not a store. That is no damage.
    public static let notAStore = Self(rawValue: "notAStore")
}

/// Verifies the checksums of records, and the catalog.
final class VerifyVisitor: FileVisitor {
    typealias Failure = StoreError

    /// A table of records, or of what follows from them.
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
    private let progress: (Int, Int) -> Void

    init(path: String, progress: @escaping (Int, Int) -> Void) {
        self.path = path
        self.progress = progress
    }

    /// Whether there is anything that only a store has.
    var isStore: Bool { hasCatalog || tables.contains { TableName($0.name) != nil } }

    func begin() {
        catalog = PartialCatalog()
        tables = []
        hasCatalog = false
        seed = nil
    }

    func advance(to pages: UInt64, of total: UInt64) { progress(Int(pages), Int(total)) }

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
            ? StoredEntry.isIntact(entry.value, key: entry.key, seed: seed)
            : StoredValue.isIntact(entry.value, key: entry.key, seed: seed)
        if isIntact == true { return nil }
        tables[tables.count - 1].damaged += 1
        let noun = isIndex ? "row" : "record"
        if isIntact == nil { return finding(.unreadable, "the \(noun) could not be read") }
        return isIndex
            ? finding(.row, "the row holds what no entry has") : finding(.checksum, "the record's checksum differs")
    }

    func end() throws(StoreError) -> [FileFinding] {
        guard isStore else {
            var finding = FileFinding(.notAStore, "the file is an LMDB environment without a catalog: it is no store")
            finding.isDamage = false
            return [finding]
        }
        if let format = catalog.format, format > FormatVersion.current {
            throw .formatTooNew(path: path, format: Int(format), supported: Int(FormatVersion.current))
        }
        let stored = Set(tables.filter { !isSpare($0) }.map(\.name))
        let known = Set((catalog.tableNames.values + catalog.indexTableNames).map(\.text))
        let missingEntries = catalog.missing.map { words in
            FileFinding(.catalogEntry, table: CatalogStorage.name, "the catalog lacks \(words)")
        }
        let missingTables = known.subtracting(stored).sorted().map { name in
            FileFinding(.missingTable, table: name, "the catalog knows the table, and it is not there")
        }
        let unknownTables = stored.subtracting(known).sorted().map { name in
            FileFinding(.unknownTable, table: name, "the table is there, and the catalog does not know it")
        }
        return missingEntries + missingTables + unknownTables
    }

    /// Whether a table is nothing to speak of: a migration has one, or an index was given up, and is empty.
    func isSpare(_ table: Table) -> Bool {
        guard let name = TableName(table.name) else { return false }
        if name.table == .records { return catalog.isSpare(name) }
        return table.entries == 0 && catalog.storedIndex(name) == nil
    }
}
