// Fills the new store of a salvage, entry by entry, during the scan of the damaged store.

import LMDB
import TroveCoding

/// Writes intact records and catalog entries to a new file.
final class SalvageWriter: FileVisitor {
    typealias Failure = any Error

    /// The entries to find on stray pages.
    enum StrayEntries { case catalog, records }

    private enum Place { case lastCommit, commitBefore, stray(StrayEntries) }

    struct Target {
        var seed: CRC32C
        /// Created with the first record, so unknown empty tables are not copied.
        var database: Database?
        var report: SalvageReport.Table
    }

    private let store: NewStoreWriter
    private let progress: (Int, Int) -> Void
    private var place = Place.lastCommit
    private(set) var catalog = PartialCatalog()
    /// The keys of damaged catalog entries.
    private var lostCatalogKeys: Set<[UInt8]> = []
    var targets: [String: Target] = [:]
    /// The table being scanned; nil if the table is not copied.
    private var table: String?
    /// The names of tables foreign to a store.
    private var foreignTables: [String] = []

    init(into file: borrowing UnfinishedFile, progress: @escaping (Int, Int) -> Void) throws {
        store = try NewStoreWriter(into: file)
        self.progress = progress
    }

    var keyspace: Keyspace { store.keyspace }

    /// Whether the transaction has written enough for a commit.
    var isFull: Bool { store.isFull }

    /// Whether the file contains parts of a store.
    var isStore: Bool { !targets.isEmpty || !catalog.origins.isEmpty }

    /// Whether the catalog is incomplete, or does not know all tables.
    var lacksCatalogEntries: Bool {
        !lostCatalogKeys.isEmpty || !catalog.missing.isEmpty
            || !Set(targets.keys.filter { !isSpare($0) }).isSubset(of: catalog.tableNames.values.map(\.text))
    }

    private func isSpare(_ table: String) -> Bool { TableName(table).map(catalog.isSpare) ?? false }

    func beginCommitBefore() { place = .commitBefore }

    /// Begins the entries of stray pages. Records are matched against the tables of all known types.
    func beginStrayPages(_ entries: StrayEntries) {
        place = .stray(entries)
        for name in catalog.tableNames.values {
            addTarget(name)
            addTarget(name.other)
        }
    }

    // MARK: Visiting

    func advance(to pages: UInt64, of total: UInt64) { progress(Int(pages), Int(total)) }

    func beginTable(_ text: String) throws {
        table = nil
        if text == CatalogStorage.name {
            table = text
        } else if let name = TableName(text) {
            // Indexes are rebuilt from the copied records.
            guard name.table == .records else { return }
            if case .commitBefore = place, targets[text] != nil { return }
            addTarget(name)
            if case .commitBefore = place { targets[text]?.report.isOfCommitBefore = true }
            table = text
        } else if !foreignTables.contains(text) {
            foreignTables.append(text)
        }
    }

    func visit(_ entry: FileEntry) throws -> FileFinding? {
        switch place {
        case .stray(.catalog):
            _ = catalog.add(entry.key, entry.value, from: .stray)
        case .stray(.records):
            for (name, target) in targets
            where StoredValue.isIntact(entry.value, key: entry.key, seed: target.seed) == true {
                if try copy(entry, to: name) { targets[name]?.report.copiedFromStrayPages += 1 }
            }
        case .lastCommit, .commitBefore:
            guard let table else { return nil }
            return try take(entry, from: table)
        }
        return nil
    }

    private func take(_ entry: FileEntry, from table: String) throws -> FileFinding? {
        func finding(_ kind: FileFinding.Kind, _ words: String) -> FileFinding {
            FileFinding(kind, page: entry.page, table: table, index: entry.index, key: entry.key, words)
        }
        if table == CatalogStorage.name {
            var origin = PartialCatalog.Origin.lastCommit
            if case .commitBefore = place { origin = .commitBefore }
            guard catalog.origins[entry.key] == nil,
                let problem = catalog.add(entry.key, entry.value, from: origin)
            else { return nil }
            lostCatalogKeys.insert(entry.key)
            return finding(.catalogEntry, problem)
        }
        guard let seed = targets[table]?.seed else { return nil }
        switch StoredValue.isIntact(entry.value, key: entry.key, seed: seed) {
        case true:
            _ = try copy(entry, to: table)
            return nil
        case false:
            targets[table]?.report.damaged += 1
            return finding(.checksum, "the record's checksum differs")
        case nil:
            targets[table]?.report.damaged += 1
            return finding(.unreadable, "the record could not be read")
        }
    }

    // MARK: Writing

    func addTarget(_ name: TableName) {
        guard targets[name.text] == nil else { return }
        targets[name.text] = Target(seed: name.checksumSeed, report: SalvageReport.Table(name: name.text))
    }

    /// Returns the new store's table with a name, and creates it if necessary.
    func database(_ table: String) throws -> Database {
        if let known = targets[table]?.database { return known }
        let database = try keyspace.createTable(named: table)
        targets[table]?.database = database
        return database
    }

    /// Writes a record, unless its key exists. Returns whether the record was written.
    private func copy(_ entry: FileEntry, to table: String) throws -> Bool {
        if isFull { try commit() }
        let database = try database(table)
        let isNew = try keyspace.put(
            database, entry.key, size: entry.value.size, mode: .keep
        ) { destination in
            var done = 0
            let isRead = entry.value.forEachPiece { piece in
                copyBytes(piece, into: &destination, at: done)
                done += piece.byteCount
            }
            guard isRead else { throw LMDBError(.inputOutput, in: "salvage") }
        }
        if isNew { targets[table]?.report.copied += 1 }
        return isNew
    }

    func commit() throws(LMDBError) { try store.commit() }

    /// Writes the catalog, and commits.
    func finish(_ source: FileReport) throws -> SalvageReport {
        // The new store would lack all bytes of such features except records.
        for group in [StoreFeature.Group.neededToRead, .neededToWrite] {
            if let error = catalog.error(lacking: group, path: source.path) { throw error }
        }
        for table in source.tables where targets[table.name]?.report.recorded == nil {
            targets[table.name]?.report.recorded = table.recordedEntries
        }
        var types = try chooseTables()
        try buildIndexes(of: &types)
        guard let table = try CatalogStorage(keyspace) else {
            throw StoreError.file(.notAStore(path: store.path, reason: nil))
        }
        var entry = try catalog.storeEntry ?? table.storeEntry()
        if types.haveLinks { entry.features.insert(.links) }
        entry.features.formUnion(types.indexFeatures)
        try table.setStoreEntry(entry)
        for (prefix, type) in types.known { try table.setType(prefix, type) }
        for (prefix, relation) in types.relations { try table.setRelation(prefix, relation) }
        for (prefix, migration) in types.migrations { try table.setMigration(prefix, migration) }
        try table.setNumber(.commitSequence, (catalog.commitSequence ?? 0) + 1)
        try table.setNumber(.schemaEpoch, (catalog.schemaEpoch ?? 0) + 1)
        var report = SalvageReport(source: source)
        catalog.describeKeys(in: &report.source)
        report.identifier = entry.identifier
        report.hasNewIdentifier = catalog.storeEntry == nil
        report.losses = losses(source) + types.losses
        report.indexesToRebuild = types.known.values.sorted { $0.qualifiedName < $1.qualifiedName }.flatMap { type in
            type.indexes.sorted { $0.key < $1.key }.filter { !$0.value.isReady }.map {
                indexName($0.value.text, of: type.qualifiedName)
            }
        }
        report.tables = targets.values.map(\.report).sorted { $0.name < $1.name }
        try store.finish()
        return report
    }

    /// Returns the losses other than records, in words.
    private func losses(_ source: FileReport) -> [String] {
        var losses = catalog.missing.map { "in the catalog, \($0)" }
        let lostKeys = lostCatalogKeys.subtracting(catalog.origins.keys)
        if !lostKeys.isEmpty {
            losses.append(lostKeys.count == 1 ? "an entry of the catalog" : "\(lostKeys.count) entries of the catalog")
        }
        if !catalog.hasLastFeatures {
            losses.append("the last list of the store's features: one of an earlier commit was used")
        }
        let seen = UInt64(source.tables.count)
        if source.recordedTables > seen {
            let missing = source.recordedTables - seen
            losses.append(missing == 1 ? "the way to a table" : "the way to \(missing) tables")
        }
        return losses + foreignTables.map { "the table \(FileFinding.printable($0)), which is not a store's" }
    }
}
