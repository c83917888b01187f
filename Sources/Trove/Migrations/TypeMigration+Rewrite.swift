// The rewrite of a type's records in transactions of bounded size. Each transaction stores the position reached. If the
// process is killed, only its last transaction is lost, and the next process to open the store continues there. Several
// processes may share the work.
//
// If keys do not change, each record is replaced in place. If they change, the records are written to a table of
// another generation, which replaces the old table in the last transaction: no reader ever sees a half-migrated table.

import Foundation
import LMDB
import TroveCoding

extension TypeMigration {
    /// The limits of a single transaction.
    struct BatchSize {
        /// The maximum number of value bytes to write.
        var bytes: Int
        /// The number of records to convert before they are written.
        var records: Int
        /// The maximum duration, without the commit.
        var time: Duration
        /// Whether a pause of the same length follows, so that others can write.
        var rests: Bool

        /// The smallest transaction size, for a nearly full map.
        static let minimumBytes = 1 << 16

        /// The limits if the caller waits for the migration.
        static let large = BatchSize(bytes: 16 << 20, records: 4096, time: .milliseconds(500), rests: false)
        /// The limits in the background.
        static let small = BatchSize(bytes: 1 << 20, records: 256, time: .milliseconds(10), rests: true)
    }

    /// Rewrites all records.
    func rewrite(
        in store: @autoclosure () throws -> Store, _ size: BatchSize, _ progress: (MigrationProgress) -> Void
    ) throws {
        var size = size
        do {
            var isFirst = true
            var start = ContinuousClock.now
            while let step = try rewriteBatch(in: store(), &size, isFirst: isFirst) {
                progress(step)
                isFirst = false
                if size.rests { Thread.sleep(for: ContinuousClock.now - start) }
                start = .now
            }
        } catch {
            // The records in the new table are useless: the next attempt may convert them differently.
            if changesKeys, Self.isFinal(error) {
                do { try giveUp(in: store()) } catch {
                    // The next attempt continues at the stored position.
                }
            }
            throw error
        }
    }

    /// Whether an error comes from the records, and not from the current state of the store.
    private static func isFinal(_ error: any Error) -> Bool {
        switch error {
        case StoreError.schema(.unconvertible), StoreError.schema(.keysCollide), StoreError.entity(.linkTooLarge): true
        default: !(error is StoreError || error is CancellationError)
        }
    }

    private func giveUp(in store: Store) throws {
        try store.write { context in
            let catalog = try context.catalogStorage()
            let prefix = type.schema.keyPrefix
            // Another program's migration may have replaced this migration.
            guard let stored = try catalog.type(prefix), try catalog.migration(prefix)?.version == source.fieldsVersion
            else { return }
            try context.endMigration(of: stored, prefix)
        }
    }

    /// Rewrites a batch of records in a transaction. If the map is full, the batch is retried with fewer bytes: the map
    /// grows only between transactions.
    ///
    /// - Parameter isFirst: Whether the type's layout may become the newest layout.
    /// - Returns: The progress; nil if the migration was already over.
    /// - Throws: ``StoreError`` with the first record that does not convert; then this transaction has changed nothing.
    func rewriteBatch(in store: Store, _ size: inout BatchSize, isFirst: Bool) throws -> MigrationProgress? {
        while true {
            do {
                return try store.write { [size] context in
                    try translatingErrors { try rewriteBatch(context, size, isFirst: isFirst) }
                }
            } catch StoreError.file(.mapFull) where size.bytes > BatchSize.minimumBytes {
                size.bytes /= 4
            }
        }
    }

    private func rewriteBatch(
        _ context: TransactionContext, _ size: BatchSize, isFirst: Bool
    ) throws -> MigrationProgress? {
        let catalog = try context.catalogStorage()
        let prefix = type.schema.keyPrefix
        guard var stored = try catalog.type(prefix) else { return nil }
        // The plan has no method for layouts added after its creation.
        guard stored.hasSameLayouts(as: source.type, excluding: type.schema.fieldsVersion) else {
            throw context.catalog.newer(stored, than: type.schema)
        }
        let isAsPlanned = stored.generation == name.generation
        if stored.newestVersion != type.schema.fieldsVersion {
            // If another program has changed the type since the plan, its layout is not replaced by this layout.
            guard isFirst, isAsPlanned, stored.newestVersion == source.type.newestVersion else {
                throw context.catalog.newer(stored, than: type.schema)
            }
            stored = try context.adopt(type.schema, over: stored)
        }
        guard isAsPlanned else { return nil }
        if !changesKeys, stored.isMigrated { return nil }
        var migration = try migrationUnderWay(context, stored)
        let isOver = try rewriteChunks(&migration, context, size)
        if isOver {
            try finish(stored, migration, context)
        } else {
            try catalog.setMigration(prefix, migration)
        }
        context.noteChange()
        return MigrationProgress(
            type: typeName, phase: .rewriting, done: Int(migration.done),
            total: max(Int(migration.total), Int(migration.done)))
    }

    /// Rewrites records chunk by chunk, and then their links, up to the size of a transaction.
    ///
    /// - Returns: Whether all are rewritten.
    private func rewriteChunks(
        _ migration: inout CatalogMigration, _ context: TransactionContext, _ size: BatchSize
    ) throws -> Bool {
        let target = try target(context, &migration)
        let hasLinks = try changesKeys && (!linkRelations(context).isEmpty || stamps(context) != nil)
        let start = ContinuousClock.now
        var isOver = false
        repeat {
            var chunk = RewrittenChunk(records: size.records, bytes: min(1 << 20, size.bytes))
            try fill(
                &chunk, context.keyspace, after: migration.position, until: start + size.time, hasLinks: hasLinks)
            try write(chunk, to: target, context)
            try write(chunk.newKeys, context)
            migration.done += UInt64(chunk.scanned)
            // The links may take further transactions: then no record is rewritten again.
            if chunk.scanned > 0 { migration.position = chunk.last }
            isOver = chunk.isLast
        } while !isOver && context.core.writtenBytes < size.bytes && ContinuousClock.now - start < size.time
        return isOver && changesKeys ? try rewriteLinks(context, size, until: start + size.time) : isOver
    }

    /// Returns the catalog's entry of this migration, or a new entry.
    private func migrationUnderWay(
        _ context: TransactionContext, _ stored: CatalogType
    ) throws -> CatalogMigration {
        let version = type.schema.fieldsVersion
        let generation = changesKeys ? stored.generation ^ 1 : stored.generation
        let known = try context.catalogStorage().migration(type.schema.keyPrefix)
        if let known, known.version == version, known.generation == generation { return known }
        let total = try context.keyspace.count(source.database)
        return CatalogMigration(version: version, generation: generation, done: 0, total: UInt64(total), position: [])
    }

    /// Returns the table for the rewritten records.
    private func target(
        _ context: TransactionContext, _ migration: inout CatalogMigration
    ) throws -> (table: Database, seed: CRC32C) {
        guard changesKeys else { return (source.database, source.checksumSeed) }
        let name = TableName(keyPrefix: type.schema.keyPrefix, generation: migration.generation)
        let table = try context.keyspace.createTable(named: name.text)
        // The table may have records of an attempt without a catalog entry.
        if migration.position.isEmpty {
            try context.keyspace.deleteAll(table)
            try removeNewKeys(context)
        }
        return (table, name.checksumSeed)
    }

    /// Converts the next records.
    private func fill(
        _ chunk: inout RewrittenChunk, _ keyspace: Keyspace, after position: [UInt8],
        until deadline: ContinuousClock.Instant, hasLinks: Bool
    ) throws {
        var new = EncodedRecord()
        var last = LastMethod()
        try keyspace.scan(source.database, ScanRange(after: position)) { key, value in
            if try rewrite(key, value, &last, into: &new) {
                if changesKeys {
                    new.key.withRawSpan { chunk.append($0, new.fields) }
                    if hasLinks { chunk.newKeys.append(DistinctKeys.Pair(old: copiedBytes(key), new: new.key)) }
                } else {
                    chunk.append(key, new.fields)
                }
            }
            chunk.noteScanned(key)
            let isLate = chunk.scanned % 32 == 0 && ContinuousClock.now > deadline
            chunk.isLast = !chunk.isFull && !isLate
            return chunk.isLast ? .continue : .stop
        }
    }

    private func write(
        _ chunk: RewrittenChunk, to target: (table: Database, seed: CRC32C), _ context: TransactionContext
    ) throws {
        try chunk.forEach { key, fields in
            let isNew = try context.keyspace.put(
                target.table, key, size: StoredValue.size(fields: fields.byteCount),
                mode: changesKeys ? .keep : .replaceNext
            ) { value in
                copyBytes(fields, into: &value, at: StoredValue.headerSize)
                StoredValue.seal(&value, source.fieldsVersion, key: key, seed: target.seed)
            }
            guard isNew else {
                throw StoreError.schema(
                    .keysCollide(type: type.schema.name, key: type.schema.storedKey(copiedBytes(key)), records: []))
            }
        }
    }

    /// Marks the type as migrated, and replaces the old table by the new table if keys change.
    private func finish(
        _ stored: CatalogType, _ migration: CatalogMigration, _ context: TransactionContext
    ) throws {
        var stored = stored
        let prefix = type.schema.keyPrefix
        stored.oldestOrdinal = stored.newestOrdinal
        if changesKeys {
            try context.keyspace.deleteAll(source.database)
            stored.generation = migration.generation
            stored.keyLayout = type.schema.keyLayout
            // Each index entry contains a record key.
            for number in stored.indexes.keys { try context.empty(number, of: &stored, prefix) }
            try context.emptyRecordNumbers(prefix)
            try moveStamps(context)
            try rewriteIDs(context)
            try finishLinks(context)
            // Readers find the records under other keys from now on.
            context.noteAny(prefix, stored)
        } else if versions.contains(where: \.isConvertedByItsType) {
            // The code of the program can have given a record any values.
            context.recordAny(prefix, stored)
        }
        try context.catalogStorage().setMigration(prefix, nil)
        try context.set(stored, prefix)
    }
}

/// A batch of rewritten records, written when the scan of the old records pauses.
private struct RewrittenChunk {
    /// The limits of the batch.
    private let maximumRecords: Int
    private let maximumBytes: Int
    private var bytes: [UInt8] = []
    /// The end of each record's key and of its fields.
    private var ends: [(key: Int, fields: Int)] = []
    /// The new key of each record, if records keep their links or stamps under new keys.
    var newKeys: [DistinctKeys.Pair] = []
    /// The number of records read.
    private(set) var scanned = 0
    /// The key of the last record read.
    private(set) var last: [UInt8] = []
    /// Whether the scan has reached the end of the table.
    var isLast = true

    init(records: Int, bytes: Int) {
        maximumRecords = records
        maximumBytes = bytes
    }

    var isFull: Bool { scanned >= maximumRecords || bytes.count >= maximumBytes }

    /// Notes a record that has been read.
    mutating func noteScanned(_ key: RawSpan) {
        scanned += 1
        last.removeAll(keepingCapacity: true)
        appendBytes(key, to: &last)
    }

    mutating func append(_ key: RawSpan, _ fields: [UInt8]) {
        appendBytes(key, to: &bytes)
        let keyEnd = bytes.count
        bytes += fields
        ends.append((keyEnd, bytes.count))
    }

    func forEach(_ body: (_ key: RawSpan, _ fields: RawSpan) throws -> Void) rethrows {
        try bytes.withRawSpan { bytes in
            var start = 0
            for end in ends {
                try body(bytes.extracting(start..<end.key), bytes.extracting(end.key..<end.fields))
                start = end.fields
            }
        }
    }
}
