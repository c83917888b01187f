// Brings a copy of a store up to date, from the file of a copy of changes or from another copy.

import LMDB
import TroveCoding

extension Store {
    /// Brings a copy of a store up to date with a file of ``copyChanges(since:to:)``, or with a newer copy.
    ///
    /// It does what `applyChanges(to:)` does with an open store.
    ///
    /// - Parameters:
    ///   - path: The file with the changes. It is only read.
    ///   - copy: The copy to change.
    /// - Returns: What has been applied.
    /// - Throws: The errors of `applyChanges(to:)`, and those of opening the file.
    /// - Complexity: O(*n* log *m*) in the number *n* of changed records.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public static func applyChanges(from path: String, to copy: String) throws -> AppliedChanges {
        try Store(path: path, options: StoreOptions(isReadOnly: true)).applyChanges(to: copy)
    }

    /// Brings a copy of this store up to date: it then has the records, the types and the history of this store.
    ///
    /// This store has all commits since the last commit of the copy. Everything is applied in one transaction, or
    /// nothing. A second time, nothing is left to apply.
    ///
    /// The indexes of the changed types are emptied. A program with the types rebuilds them when it opens the copy.
    ///
    /// - Parameter copy: The file of the copy. No program has written to it since it was made.
    /// - Returns: What has been applied.
    /// - Throws: ``StoreError/HistoryError``: if one of the stores keeps no history, if the copy is of another store,
    ///   if it has been written to, and if the commits after its last commit are no longer kept. Then the copy is
    ///   unchanged.
    /// - Complexity: O(*n* log *m*) in the number *n* of changed records.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func applyChanges(to copy: String) throws -> AppliedChanges {
        try checkIsOpen()
        // A missing copy is not created.
        do {
            _ = try Store(path: copy, options: StoreOptions(isReadOnly: true)).identifier
        } catch StoreError.file(.openedDifferently) {
            // It is open for writing in this process.
        }
        var options = StoreOptions(gathersTexts: false)
        options.conversion = .never
        let target = try Store(path: copy, options: options)
        return try readToEnd { source in
            try target.write { target in try translatingErrors { try target.apply(source) } }
        }
    }
}

/// What has been applied to a copy of a store.
public struct AppliedChanges: Hashable, Sendable, Encodable {
    /// The number of commits.
    public var commits = 0
    /// The number of records that were stored, new or in place of others. Links count as records.
    public var stored = 0
    /// The number of records that were removed.
    public var removed = 0
}

extension TransactionContext {
    /// Applies the changes since the last commit of this store.
    fileprivate func apply(_ source: ReadContext) throws -> AppliedChanges {
        var applied = AppliedChanges()
        // An older file, or an older copy, has nothing new.
        if try hasCommit(of: source.historyToken) { return applied }
        let token = try historyToken
        let changed = try source.changedRecords(since: token)
        applied.commits = changed.commits
        let own = try catalogStorage()
        let (types, newTypes) = (try own.types(), try source.catalogStorage().types())
        // A commit without a changed record is in no history: one that has added a layout is noticed here.
        for (keyPrefix, type) in types where !type.mayPrecede(newTypes[keyPrefix], changed.types[keyPrefix]) {
            guard newTypes[keyPrefix] == nil, try own.relations()[keyPrefix] != nil else {
                throw StoreError.history(
                    .ofOtherCopy(path: source.core.path, commit: token.commit, newest: token.commit))
            }
            try remove(type, keyPrefix)
        }
        for (keyPrefix, type) in newTypes.sorted(by: { $0.key < $1.key })
        where keyPrefix != HistoryRow.schema.keyPrefix {
            try apply(type, keyPrefix, over: types[keyPrefix], changed.types[keyPrefix], source, &applied)
        }
        try applyHistory(source, after: token)
        try applyCatalog(source)
        return applied
    }

    // MARK: Types

    /// Removes a type of links whose relation was dropped.
    private func remove(_ type: CatalogType, _ keyPrefix: UInt32) throws {
        var type = type
        try endMigration(of: type, keyPrefix)
        for number in type.indexes.keys.sorted() { try empty(number, of: &type, keyPrefix) }
        let name = TableName(keyPrefix: keyPrefix, generation: type.generation)
        try keyspace.deleteAll(keyspace.createTable(named: name.text))
        try catalogStorage().removeRelation(keyPrefix, type)
    }

    /// Applies the changed records of a type, and its entries of the catalog.
    private func apply(
        _ newType: CatalogType, _ keyPrefix: UInt32, over old: CatalogType?, _ changed: ChangedRecords.Keys?,
        _ source: ReadContext, _ applied: inout AppliedChanges
    ) throws {
        var type = newType
        if let old {
            try endMigration(of: old, keyPrefix)
            if changed?.isAll == true {
                let name = TableName(keyPrefix: keyPrefix, generation: old.generation)
                try keyspace.deleteAll(keyspace.createTable(named: name.text))
            } else {
                // The other records can be of older layouts than those of the source.
                type.oldestOrdinal = min(old.oldestOrdinal, type.oldestOrdinal)
            }
        }
        let name = TableName(keyPrefix: keyPrefix, generation: type.generation)
        let records = try keyspace.createTable(named: name.text)
        if let changed, let sources = try source.keyspace.table(named: name.text) {
            try apply(changed, of: sources, in: source.keyspace, to: records, &applied)
        }
        try replaceIndexes(of: &type, keyPrefix, over: old, isChanged: changed != nil)
        try catalogStorage().setType(keyPrefix, type)
        if changed != nil { changedKeys.noteAny(keyPrefix) }
        // Also those of a new relation without links.
        if type.indexes.values.contains(where: { $0.kind == .list && !$0.isReady }) { try rebuildLists(keyPrefix) }
    }

    private func apply(
        _ changed: ChangedRecords.Keys, of sources: Database, in source: Keyspace, to records: Database,
        _ applied: inout AppliedChanges
    ) throws {
        func store(_ key: RawSpan, _ value: RawSpan) throws {
            _ = try keyspace.put(records, key, size: value.byteCount) { copyBytes(value, into: &$0) }
            applied.stored += 1
        }
        switch changed {
        case .all:
            try source.scan(sources, ScanRange()) { key, value in
                try store(key, value)
                return .continue
            }
        case .some(let keys):
            for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
                if try source.withEntry(sources, key, store) { continue }
                if try keyspace.delete(records, key) { applied.removed += 1 }
            }
        }
    }

    /// Gives a type its new indexes: those with other records, and new ones, are empty as before a build.
    private func replaceIndexes(
        of type: inout CatalogType, _ keyPrefix: UInt32, over old: CatalogType?, isChanged: Bool
    ) throws {
        var kept: [UInt32: CatalogIndex] = [:]
        if var own = old {
            let replaced = own.indexes.filter { isChanged || type.indexes[$0.key]?.emptied != $0.value.emptied }
            try empty(replaced.keys.sorted(), of: &own, keyPrefix)
            for number in own.indexes.keys where type.indexes[number] == nil {
                try catalogStorage().setIndex(keyPrefix, number, nil)
            }
            // With the last index of full text, others can have been emptied, too.
            kept = own.indexes.filter { replaced[$0.key] == nil }
        }
        type.indexes = type.indexes.filter { kept[$0.key] == nil }
        try keyspace.createIndexes(of: &type, keyPrefix)
        type.indexes.merge(kept) { $1 }
    }

    // MARK: The history and the catalog

    private func applyHistory(_ source: ReadContext, after token: HistoryToken) throws {
        let sources = try source.historyTable(after: token)
        let table = try tableForWriting(HistoryRow.schema).table
        try source.keyspace.scan(sources.database, ScanRange(after: HistoryRow.key(token.commit, .max))) { key, value in
            _ = try keyspace.put(table.database, key, size: value.byteCount) { copyBytes(value, into: &$0) }
            return .continue
        }
    }

    private func applyCatalog(_ source: ReadContext) throws {
        let (own, new) = (try catalogStorage(), try source.catalogStorage())
        for (keyPrefix, relation) in try new.relations() { try own.setRelation(keyPrefix, relation) }
        try own.setHistory(new.history())
        var entry = try own.storeEntry()
        entry.features.formUnion(try new.storeEntry().features)
        entry.features.remove(.changes)
        try own.setStoreEntry(entry)
        try beginSchemaEpoch(own)
        // This transaction gets the number of the last applied commit, so that the positions in both stores are equal.
        let last = max(try new.number(.commitSequence), try own.number(.commitSequence) + 1)
        try own.setNumber(.commitSequence, last - 1)
    }
}

extension CatalogType {
    /// Returns whether the type can be an earlier state of another.
    fileprivate func mayPrecede(_ later: CatalogType?, _ changed: ChangedRecords.Keys?) -> Bool {
        guard let later else { return false }
        return layouts.allSatisfy { later.layouts[$0.key] == $0.value }
            && (generation == later.generation || changed?.isAll == true)
    }
}
