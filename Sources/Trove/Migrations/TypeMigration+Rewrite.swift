// The rewriting of records, in transactions of a bounded size, each of which notes how far it came. A process that is
// killed loses the last one; whoever opens the store next goes on behind it, and several may share the work.
//
// Where keys stay, a record is replaced where it is. Where they change, the records go into a table of another
// generation, which takes the old one's place in the last transaction: nobody ever sees half of them.

import Foundation
import LMDB
import TroveCoding

extension TypeMigration {
    /// How much one transaction does.
    struct BatchSize {
        /// The most bytes of values that it writes.
        var bytes: Int
        /// How many records are converted before they are written.
        var records: Int
        /// How long it goes on, the commit not counted.
        var time: Duration
        /// Whether it is followed by a rest of the same length, in which others can write.
        var rests: Bool

        /// The fewest bytes that are worth a transaction, where the map has no room for more.
        static let fewestBytes = 1 << 16

        /// For those who wait for the end.
        static let large = BatchSize(bytes: 16 << 20, records: 4096, time: .milliseconds(500), rests: false)
        /// For those who do something else meanwhile.
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
            // What went into another table is no use to anyone: the next attempt may convert it otherwise.
            if changesKeys, Self.isFinal(error) {
                do { try giveUp(in: store()) } catch {
                    // The next attempt goes on where this one has stopped.
                }
            }
            throw error
        }
    }

    /// Whether an error is about the records, and not about the store for the moment.
    private static func isFinal(_ error: any Error) -> Bool {
        switch error {
        case StoreError.unconvertible, StoreError.keysCollide: true
        default: !(error is StoreError || error is CancellationError)
        }
    }

    private func giveUp(in store: Store) throws {
        try store.write { context in
            let catalog = try context.catalogStorage()
            let prefix = type.schema.keyPrefix
            // Another program's may have come after this one.
            guard let stored = try catalog.type(prefix), try catalog.migration(prefix)?.version == source.fieldsVersion
            else { return }
            try context.endMigration(of: stored, prefix)
        }
    }

    /// Rewrites some records in a transaction: fewer of them, where the map has no room for so many. It grows between
    /// two transactions alone.
    ///
    /// - Parameter isFirst: Whether the type's layout may become the newest one.
    /// - Returns: How far the migration is; nil when it was over already.
    /// - Throws: ``StoreError`` with the first record that does not convert; this transaction has changed nothing then.
    func rewriteBatch(in store: Store, _ size: inout BatchSize, isFirst: Bool) throws -> MigrationProgress? {
        while true {
            do {
                return try store.write { [size] context in
                    try translatingErrors { try rewriteBatch(context, size, isFirst: isFirst) }
                }
            } catch StoreError.mapFull where size.bytes > BatchSize.fewestBytes {
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
        // How records of a layout are read that came after the plan, the plan does not know.
        guard stored.hasSameLayouts(as: source.type, excluding: type.schema.fieldsVersion) else {
            throw context.catalog.newer(stored, than: type.schema)
        }
        let isAsPlanned = stored.generation == name.generation
        if stored.newestVersion != type.schema.fieldsVersion {
            // What another program has made of the type since the plan does not make way for this one's layout.
            guard isFirst, isAsPlanned, stored.newestVersion == source.type.newestVersion else {
                throw context.catalog.newer(stored, than: type.schema)
            }
            stored = try context.adopt(type.schema, over: stored)
        }
        guard isAsPlanned else { return nil }
        if !changesKeys, stored.isMigrated { return nil }
        var migration = try migrationUnderWay(context, stored)
        let target = try target(context, &migration)
        let start = ContinuousClock.now
        var isOver = false
        repeat {
            var chunk = RewrittenChunk(records: size.records, bytes: min(1 << 20, size.bytes))
            try fill(&chunk, context.keyspace, after: migration.position, until: start + size.time)
            try write(chunk, to: target, context)
            migration.done += UInt64(chunk.walked)
            if let last = chunk.last { migration.position = last }
            isOver = chunk.isLast
        } while !isOver && context.core.writtenBytes < size.bytes && ContinuousClock.now - start < size.time
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

    /// The migration as the catalog has it, or as it begins.
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

    /// The table that receives the records.
    private func target(
        _ context: TransactionContext, _ migration: inout CatalogMigration
    ) throws -> (table: Database, seed: CRC32C) {
        guard changesKeys else { return (source.database, source.checksumSeed) }
        let name = TableName(keyPrefix: type.schema.keyPrefix, generation: migration.generation)
        let table = try context.keyspace.createTable(named: name.text)
        // What an attempt that nobody remembers has left.
        if migration.position.isEmpty { try context.keyspace.deleteAll(table) }
        return (table, name.checksumSeed)
    }

    /// Converts the records that follow.
    private func fill(
        _ chunk: inout RewrittenChunk, _ keyspace: Keyspace, after position: [UInt8],
        until deadline: ContinuousClock.Instant
    ) throws {
        var new = EncodedRecord()
        var last = LastMethod()
        try keyspace.scan(source.database, Self.range(after: position)) { key, value in
            if try rewrite(key, value, &last, into: &new) {
                if changesKeys {
                    new.key.withRawSpan { chunk.append($0, new.fields) }
                } else {
                    chunk.append(key, new.fields)
                }
            }
            chunk.walked += 1
            let isLate = chunk.walked % 32 == 0 && ContinuousClock.now > deadline
            guard chunk.isFull || isLate else { return .continue }
            chunk.last = copiedBytes(key)
            return .stop
        }
        chunk.isLast = chunk.last == nil
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
                throw StoreError.keysCollide(type: type.schema.name, key: copiedBytes(key), records: [])
            }
        }
    }

    /// Notes that every record has the present layout, and lets a new table take the place of the old one.
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
            // Each entry has a record's key in it.
            for number in stored.indexes.keys { try context.empty(number, of: &stored, prefix) }
        }
        try context.catalogStorage().setMigration(prefix, nil)
        try context.set(stored, prefix)
    }
}

extension Thread {
    static func sleep(for duration: Duration) {
        sleep(forTimeInterval: duration / .seconds(1))
    }
}

/// Some rewritten records, which are written when the walk over the old ones rests.
private struct RewrittenChunk {
    /// When it is full.
    private let mostRecords: Int
    private let mostBytes: Int
    private var bytes: [UInt8] = []
    /// Where the key of each record ends, and where its fields do.
    private var ends: [(key: Int, fields: Int)] = []
    /// How many records were looked at.
    var walked = 0
    /// The key of the last one; nil at the end of the table.
    var last: [UInt8]?
    var isLast = false

    init(records: Int, bytes: Int) {
        mostRecords = records
        mostBytes = bytes
    }

    var isFull: Bool { walked >= mostRecords || bytes.count >= mostBytes }

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
