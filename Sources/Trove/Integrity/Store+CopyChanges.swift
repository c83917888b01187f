// Copies what has changed since a commit, as a store of its own.
//
//     catalog     all types, relations and rules of the store; each index is empty, as before a build
//     records     the changed records; a changed key without a record is that of a deleted record
//     history     the commit of the token, without its changes, and all later commits
//
// The feature `changes` keeps programs from taking the file for the store itself.

import LMDB
import TroveCoding

extension Store {
    /// Copies the records that have changed since a commit into a new file, while this store is in use.
    ///
    /// The file is a store that can only be read, by `trove` for example. ``applyChanges(from:to:)`` brings a copy of
    /// this store up to date with it.
    ///
    /// ```swift
    /// try store.copy(to: "sunday.trove")
    /// let token = try store.read { try $0.historyToken }
    /// // A day later:
    /// try store.copyChanges(since: token, to: "monday.changes")
    /// try Store.applyChanges(from: "monday.changes", to: "sunday.trove")
    /// ```
    ///
    /// A type that the history leaves out is copied whole, if other types have changed. So is a type whose keys have
    /// got another layout.
    ///
    /// - Parameters:
    ///   - token: The position of the copy that is to be brought up to date: `historyToken` of the copy. An older
    ///     position is right as well.
    ///   - destination: The file to create.
    /// - Returns: The contents of the file.
    /// - Throws: The errors of ``ReadContext/history(after:limit:)``, such as
    ///   ``StoreError/HistoryError/expired(path:commit:oldest:)``: then make a whole copy. The errors of
    ///   `copy(to:compacting:)`; then no file remains.
    /// - Complexity: O(*n* log *n*) in the number of changed records, which are written and read once.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func copyChanges(since token: HistoryToken, to destination: String) throws -> CopyReport {
        try checkIsOpen()
        return try translatingErrors {
            let file = try UnfinishedFile(
                for: destination, mode: environment.options.fileMode, protection: environment.options.fileProtection)
            do {
                // Closed before the file is verified.
                let writer = try NewStoreWriter(into: file)
                try readToEnd { try writer.copyChanges(since: token, from: $0) }
            }
            var report = try verifyCopy(at: file.path)
            report.path = file.destination
            try file.publish()
            return report
        }
    }
}

extension NewStoreWriter {
    /// Copies the catalog, the records that have changed since a token, and the history since then.
    fileprivate func copyChanges(since token: HistoryToken, from context: ReadContext) throws {
        let changed = try context.changedRecords(since: token)
        let source = try context.catalogStorage()
        for (keyPrefix, var type) in try source.types() {
            let name = TableName(keyPrefix: keyPrefix, generation: type.generation)
            let target = try keyspace.createTable(named: name.text)
            if let records = try context.keyspace.table(named: name.text), let keys = changed.types[keyPrefix] {
                try copy(keys, of: records, in: context.keyspace, to: target)
            }
            try keyspace.createIndexes(of: &type, keyPrefix)
            try storage().setType(keyPrefix, type)
        }
        try copyHistory(since: token, from: context)
        let storage = try storage()
        for (keyPrefix, relation) in try source.relations() { try storage.setRelation(keyPrefix, relation) }
        try storage.setHistory(source.history())
        var entry = try source.storeEntry()
        entry.features.insert(.changes)
        try storage.setStoreEntry(entry)
        for kind in [CatalogEntryKind.commitSequence, .schemaEpoch] {
            try storage.setNumber(kind, source.number(kind))
        }
        try finish()
    }

    private func storage() throws -> CatalogStorage {
        guard let storage = try CatalogStorage(keyspace) else {
            throw StoreError.file(.notAStore(path: path, reason: nil))
        }
        return storage
    }

    private func copy(
        _ keys: ChangedRecords.Keys, of records: Database, in source: Keyspace, to target: Database
    ) throws {
        switch keys {
        case .all:
            try source.scan(records, ScanRange()) { key, value in
                try put(target, key, value)
                return .continue
            }
        case .some(let keys):
            for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                _ = try source.withEntry(records, key) { key, value in try put(target, key, value) }
            }
        }
    }

    private func copyHistory(since token: HistoryToken, from context: ReadContext) throws {
        let table = try context.historyTable(after: token)
        let name = TableName(keyPrefix: HistoryRow.schema.keyPrefix)
        let target = try keyspace.createTable(named: name.text)
        func copy(_ range: ScanRange) throws {
            try context.keyspace.scan(table.database, range) { key, value in
                try put(target, key, value)
                return .continue
            }
        }
        // The row by which the token is known, and the rows after its commit.
        try copy(ScanRange(from: HistoryRow.key(token.commit, 0), upTo: HistoryRow.key(token.commit, 1)))
        try copy(ScanRange(after: HistoryRow.key(token.commit, .max)))
    }
}
