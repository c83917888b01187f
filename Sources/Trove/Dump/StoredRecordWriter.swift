// The writer of single records by their stored layout, for statements that know no Swift types. A load uses the same
// indexes (LoadedIndexes.swift).

import LMDB
import TroveCoding
import TroveText

/// The reason why records of a type can only be written by their program.
package enum WriteObstacle: Error, Hashable, Sendable {
    /// The store itself keeps the records, which follow from entities of a type.
    case follows(type: String)
    /// The store keeps records of another type that follow from the entities.
    case isFollowed(by: String)
    /// The records are the rows of the store's history.
    case history
    /// The type has relations, whose rules are those of the program.
    case relations
    /// Only the program can read a part of the layout.
    case layout(String)
    /// There can be records of older layouts, or a migration is running.
    case olderRecords
    /// Indexes whose entries only the program can derive.
    case indexes([String])
    /// Unique indexes that are not built, or may have duplicate values: only the program knows their rules.
    case duplicates([String])
}

/// The writer of records of a type that the program does not declare, in a write transaction.
///
/// The entries of the indexes follow from the definitions in the catalog. Hooks and rules of collisions are those of a
/// program, and have no effect.
package final class StoredRecordWriter {
    /// The layout of the records.
    package let layout: RecordLayout
    private let indexes: LoadedIndexes
    private let version: UInt32

    /// Opens the indexes of a type.
    ///
    /// - Parameters:
    ///   - analyzers: Analyzers of full-text indexes beside the built-in ones.
    ///   - leavesEmptied: Whether the values of emptied unique indexes are not checked.
    /// - Throws: ``WriteObstacle`` if only the program can write the records.
    package init(
        of stored: StoredTable, _ analyzers: [TextAnalyzer], leavesEmptied: Bool, in context: TransactionContext
    ) throws {
        let obstacle = try context.obstacle(toWriting: stored, analyzers, leavesEmptied: leavesEmptied)
        if let obstacle { throw obstacle }
        layout = stored.newest
        let prefix = stored.keyPrefix
        guard let type = try context.storedType(prefix), let version = type.newestVersion,
            let indexes = try translatingErrors({ try LoadedIndexes(of: type, prefix, analyzers, in: context) })
        else { throw WriteObstacle.layout("\(stored.newest)") }
        self.version = version
        self.indexes = indexes
    }

    /// Returns the fields of a stored record; nil if there is no such record.
    package func fields(ofRecordWithKey key: [UInt8], in context: TransactionContext) throws -> [UInt8]? {
        try translatingErrors {
            var fields: [UInt8]?
            _ = try context.keyspace.withEntry(indexes.table.database, key) { key, value in
                try check(key, value)
                fields = copiedBytes(value.extracting(droppingFirst: StoredValue.headerSize))
            }
            return fields
        }
    }

    /// Stores a record.
    ///
    /// - Parameter replaces: Whether a stored record with the key is replaced.
    /// - Throws: `StoreError` if the key exists and is not replaced, and for unique values that another record has. The
    ///   store is then unchanged.
    package func store(
        key: [UInt8], fields: [UInt8], replaces: Bool, in context: TransactionContext
    ) throws {
        try translatingErrors {
            try context.writeFullHistory()
            let table = indexes.table
            let value: [UInt8]
            do throws(CodingError) {
                value = try layout.storedValue(key: key, fields: fields, version, seed: table.checksumSeed)
            } catch {
                throw StoreError(writing: table.schema.qualifiedName, error)
            }
            indexes.removeAll()
            let isStored = try context.keyspace.withEntry(table.database, key) { key, stored in
                guard replaces else { return }
                try check(key, stored)
                guard indexes.deriveOld(key, stored) else { throw unreadable(key) }
            }
            guard replaces || !isStored else {
                throw StoreError.record(.keyExists(type: table.schema.qualifiedName, key: table.storedKey(key)))
            }
            try key.withRawSpan { key in
                guard try value.withRawSpan({ try indexes.deriveNew(key, $0) }) else { throw unreadable(key) }
            }
            if let error = try indexes.collisionError(of: key, context) { throw error }
            _ = try indexes.write(key, value, .replace, context)
            key.withRawSpan { context.note(isStored ? .updated : .inserted, of: $0, in: table) }
        }
    }

    /// Removes a record, and its index entries. Returns whether it existed.
    package func remove(key: [UInt8], in context: TransactionContext) throws -> Bool {
        try translatingErrors {
            try context.writeFullHistory()
            indexes.removeAll()
            let isStored = try context.keyspace.withEntry(indexes.table.database, key) { key, stored in
                try check(key, stored)
                guard indexes.deriveOld(key, stored) else { throw unreadable(key) }
            }
            guard isStored else { return false }
            try key.withRawSpan { bytes in
                let tombstone = try context.tombstone(of: bytes, in: indexes.table)
                try indexes.remove(key, context)
                context.note(.deleted, of: bytes, in: indexes.table, tombstone: tombstone)
            }
            return true
        }
    }

    /// Throws for a damaged record.
    private func check(_ key: RawSpan, _ value: RawSpan) throws {
        guard indexes.table.isIntact(key, value) else {
            throw StoreError.record(
                .checksumMismatch(
                    type: indexes.table.schema.qualifiedName, key: indexes.table.storedKey(copiedBytes(key))))
        }
    }

    private func unreadable(_ key: RawSpan) -> StoreError {
        indexes.table.corrupted(key, CodingError(.malformed(expected: "a record of the newest layout")))
    }
}

extension RecordLayout {
    /// Returns the stored value of a record, after reading it back.
    ///
    /// - Throws: `CodingError` for bytes that are not of the layout, and for a key that is too large.
    func storedValue(
        key: [UInt8], fields: [UInt8], _ version: UInt32, seed: CRC32C
    ) throws(CodingError) -> [UInt8] {
        guard key.count <= KeyWriter.sizeLimit else {
            throw CodingError(.keyTooLarge(size: key.count, limit: KeyWriter.sizeLimit))
        }
        _ = try key.withRawSpan { (key) throws(CodingError) in
            try fields.withRawSpan { (fields) throws(CodingError) in try read(key: key, fields: fields) }
        }
        var value = [UInt8](repeating: 0, count: StoredValue.headerSize) + fields
        StoredValue.seal(&value, version, key: key, seed: seed)
        return value
    }
}

extension ReadContext {
    /// Returns why only its program can write the records of a type; nil if they can be written by their layout.
    ///
    /// - Parameters:
    ///   - analyzers: Analyzers of full-text indexes beside the built-in ones.
    ///   - leavesEmptied: Whether an emptied unique index that only the program can maintain is no obstacle.
    package final func obstacle(
        toWriting stored: StoredTable, _ analyzers: [TextAnalyzer], leavesEmptied: Bool
    ) throws -> WriteObstacle? {
        try translatingErrors {
            if stored.keyPrefix == HistoryRow.schema.keyPrefix { return .history }
            for kind in FollowingKind.allCases where stored.name.hasSuffix(kind.rawValue) {
                return .follows(type: String(stored.name.dropLast(kind.rawValue.count)))
            }
            for (type, _, _) in catalogSnapshot.recordTables
            where FollowingKind.allCases.contains(where: { stored.name + $0.rawValue == type.qualifiedName }) {
                return .isFollowed(by: type.qualifiedName)
            }
            if relations.values.contains(where: { $0.relation.hasEnd(stored.keyPrefix) }) { return .relations }
            guard stored.newest.unknownPart == nil else { return .layout("\(stored.newest)") }
            guard stored.versions.count == 1, try catalogStorage().migration(stored.keyPrefix) == nil else {
                return .olderRecords
            }
            guard let type = try storedType(stored.keyPrefix) else { return nil }
            func names(_ indexes: [UInt32: CatalogIndex]) -> [String] {
                indexes.sorted { $0.key < $1.key }.map(\.value.text)
            }
            let unmaintained = type.unmaintainedIndexes(stored.newest, analyzers)
            // The program builds an emptied index again, but has not checked the new values before.
            let open = unmaintained.filter { _, index in
                index != index.emptied || index.kind.isUnique && !leavesEmptied
            }
            if !open.isEmpty { return .indexes(names(open)) }
            let duplicates = type.indexes.filter { number, index in
                unmaintained[number] == nil && index.kind.isUnique && index.mayHaveDuplicates
            }
            return duplicates.isEmpty ? nil : .duplicates(names(duplicates))
        }
    }

    /// Returns the catalog entry of a type at the state of this transaction.
    fileprivate final func storedType(_ keyPrefix: UInt32) throws -> CatalogType? {
        try catalogStorage().type(keyPrefix)
    }
}

extension TransactionContext {
    /// Empties the indexes of a type whose entries only its program can derive, and which are not empty yet. The
    /// program builds them when it next opens the store.
    ///
    /// - Returns: The names of the indexes.
    package func emptyUnmaintainedIndexes(of stored: StoredTable, _ analyzers: [TextAnalyzer]) throws -> [String] {
        try translatingErrors {
            guard var type = try storedType(stored.keyPrefix) else { return [] }
            let unknown = type.unmaintainedIndexes(stored.newest, analyzers).filter { $0.value != $0.value.emptied }
            guard !unknown.isEmpty else { return [] }
            let before = type.indexes
            try empty(unknown.keys.sorted(), of: &type, stored.keyPrefix)
            try set(type, stored.keyPrefix)
            return before.keys.sorted().filter { before[$0] != type.indexes[$0] }.compactMap { before[$0]?.text }
        }
    }
}

extension CatalogType {
    /// Returns the indexes with entries that only the program can derive, by number.
    fileprivate func unmaintainedIndexes(
        _ layout: RecordLayout, _ analyzers: [TextAnalyzer]
    ) -> [UInt32: CatalogIndex] {
        indexes.filter { _, index in
            index.kind != .list && index.derivation(in: layout, analyzers) == nil
        }
    }
}
