// The typed part of an index build: collects the entries of a chunk, and writes them.

import LMDB
import TroveCoding

extension IndexKeyRecord {
    // MARK: Collecting

    /// Collects the entries of the next records for the indexes of a pass, unsorted.
    static func collectEntries(
        _ pass: BuildPass, _ size: BuildSize, of table: RecordTable, _ context: ReadContext
    ) throws -> BuildChunk {
        do {
            return try collectEntries(pass, size, of: table, context, skipsDamage: false)
        } catch let error where !(error is LMDBError) {
            // A record failed to decode. Retry without damaged records; any other error is thrown again.
            return try collectEntries(pass, size, of: table, context, skipsDamage: true)
        }
    }

    private static func collectEntries(
        _ pass: BuildPass, _ size: BuildSize, of table: RecordTable, _ context: ReadContext, skipsDamage: Bool
    ) throws -> BuildChunk {
        var chunk = BuildChunk(
            pass, snapshot: try context.catalogStorage().number(.commitSequence),
            total: try context.keyspace.count(table.database))
        var collector = EntryCollector<Self>(pass.indices, of: table)
        var isReserved = false
        let deadline = ContinuousClock.now + size.readTime
        var scan = try context.keyspace.scan(table.database, pass.range, mayWrite: false)
        while chunk.last == nil, let batch = try scan?.next() {
            do {
                if skipsDamage {
                    chunk.damaged += try collector.addIntact(batch, of: table)
                } else {
                    try collector.add(batch)
                }
            } catch {
                throw collector.underivable.map(UnderivableEntries.init) ?? error
            }
            chunk.records += batch.count
            if !isReserved, chunk.records > 1000 {
                // These records suffice to estimate the number and the size of all entries.
                collector.reserve(times: min(size.bytes / (collector.memory + 1), chunk.total / chunk.records) + 1)
                isReserved = true
            }
            let isFull = collector.memory > size.bytes || ContinuousClock.now > deadline
            if isFull, chunk.records > EntryBatch.capacity {
                chunk.last = batch[batch.count - 1].key.copy()
            }
        }
        chunk.damaged += collector.unreadable
        chunk.lists = collector.takeLists()
        return chunk
    }

    // MARK: Writing

    /// Writes entries of a chunk from its position on, for a limited time. Returns the position after the last entry.
    ///
    /// - Parameter changed: The records possibly changed since the snapshot. Their entries are compared first.
    static func writeEntries(
        of chunk: BuildChunk, _ changed: BuildChanges.Keys, to table: RecordTable, _ size: BuildSize,
        _ context: TransactionContext
    ) throws -> BuildChunk.Position {
        let deadline = ContinuousClock.now + size.writeTime
        var position = chunk.position
        while !chunk.isWritten(upTo: position) {
            let (index, _, entries) = chunk.lists[position.list]
            let end = min(position.entry + size.block, entries.indices.upperBound)
            var start = position.entry
            for entry in start..<end where changed.contains(entries.recordKey(of: entry)) {
                if try context.hasEntry(entry, from: entries, of: Self.self, index: index, in: table) { continue }
                try context.put(entries, start..<entry, into: index, table)
                start = entry + 1
            }
            try context.put(entries, start..<end, into: index, table)
            position.entry = end
            if end == entries.indices.upperBound { position = BuildChunk.Position(list: position.list + 1) }
            if ContinuousClock.now > deadline { break }
        }
        return position
    }
}

/// The error of an index whose entries of an unreadable record cannot be derived. It is not built until the record is
/// replaced or deleted.
struct UnderivableEntries: Error {
    let index: String
    let report: StoreError

    fileprivate init(_ found: (index: String, error: StoreError)) { (index, report) = found }
}

extension TransactionContext {
    /// Stores collected entries, as the kind of the index does.
    fileprivate func put(_ entries: EntrySorter, _ range: Range<Int>, into index: Int, _ table: RecordTable) throws {
        try table.indexes[index].kind.maintainer.build(entries, range, index, of: table, in: self)
    }

    /// Returns whether an entry belongs to the current state of its record.
    fileprivate func hasEntry<Record: IndexKeyRecord>(
        _ entry: Int, from entries: EntrySorter, of type: Record.Type, index: Int, in table: RecordTable
    ) throws -> Bool {
        var list = IndexEntries()
        let key = entries.recordKey(of: entry)
        return try key.withRawSpan { key in
            _ = try keyspace.withValue(table.database, key) { stored in
                try Record.deriveUnlessDamaged(
                    key, stored, in: table, for: index, includingPartial: true, into: &list)
            }
            return list.entries.indices.contains { list.bytes(of: $0) == entries.bytes(of: entry) }
        }
    }
}

extension EntryCollector {
    /// Adds the entries of the intact records of a batch.
    ///
    /// - Returns: The errors of the damaged records.
    fileprivate mutating func addIntact(_ batch: EntryBatch, of table: RecordTable) throws -> [StoreError] {
        var damaged: [StoreError] = []
        var start = 0
        for index in 0..<batch.count {
            let entry = batch[index]
            if table.isIntact(entry) { continue }
            try add(batch.part(start..<index))
            damaged.append(.record(.checksumMismatch(type: table.schema.name, key: table.storedKey(entry.key.copy()))))
            start = index + 1
        }
        try add(batch.part(start..<batch.count))
        return damaged
    }
}
