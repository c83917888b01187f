// Builds of indexes over existing records, in chunks:
//
//     pass      a write transaction: declares missing indexes, and finds the indexes with the least progress
//     collect   a read transaction: collects the entries of the next records, and sorts them (BuildChunk.swift)
//     write     write transactions of bounded time; the last one moves the position of the indexes
//
// An empty index receives its entries from the first key to the last, which fills its pages. In later chunks, neighbors
// are written in order, so each page is read and written once. Meanwhile every write maintains the entries of its
// records. Duplicate unique values are searched for at the end (DuplicateValues.swift).

import Foundation
import LMDB

extension Store {
    /// The maximum number of damaged records to report for each type.
    private static let mostReports = 10
    /// The maximum number of times that an index with a damaged row is emptied during a build.
    private static let mostRepairs = 3

    /// Builds the unready indexes of a type, chunk by chunk, and searches its indexes for duplicate unique values if
    /// they may have any.
    ///
    /// - Parameter store: Called before each transaction. Its error ends the build.
    /// - Returns: For each violated unique constraint, an error with two of the records. In addition, the errors of the
    ///   first damaged and unreadable records found, and the errors of closures that gather texts: their indexes stay
    ///   unfinished. So does an index whose entries of an unreadable record cannot be derived.
    static func buildIndexes(
        of type: any IndexKeyRecord.Type, in store: @autoclosure () throws -> Store, _ size: BuildSize,
        _ progress: (MigrationProgress) -> Void
    ) throws -> [StoreError] {
        var size = size
        var repairs = 0
        /// The indexes whose closures have failed, or whose entries of an unreadable record cannot be derived.
        var failed: Set<String> = []
        var reports: [StoreError] = []
        while true {
            do {
                guard let pass = try store().nextPass(of: type, without: failed) else { break }
                guard var chunk = try store().collect(pass, of: type, size) else { continue }
                while !chunk.isWritten {
                    guard let time = try store().write(&chunk, of: type, size) else { break }
                    progress(chunk.progress(of: type.schema))
                    if size.rests { Thread.sleep(for: time) }
                }
                if chunk.isWritten { reports += chunk.damaged.prefix(max(0, mostReports - reports.count)) }
            } catch StoreError.file(.mapFull) where size.bytes > BuildSize.minimumBytes {
                size.bytes /= 4
            } catch StoreError.text(.gatheringFailed(let name, let index, let reason)) where !failed.contains(index) {
                // The next opener tries again. The other indexes are built now.
                failed.insert(index)
                reports.append(.text(.gatheringFailed(type: name, index: index, reason: reason)))
            } catch let error as UnderivableEntries where !failed.contains(error.index) {
                failed.insert(error.index)
                if !reports.contains(error.report) { reports.append(error.report) }
            } catch StoreError.record(.indexDamaged(let name, let index, let key)) {
                // The words or totals of an interrupted build, or the words of an older layout.
                repairs += 1
                guard repairs <= mostRepairs,
                    try store().write({ try $0.emptyDamagedRows(index, of: type.schema) })
                else { throw StoreError.record(.indexDamaged(type: name, index: index, key: key)) }
            }
        }
        return try reports + store().reportDuplicates(of: type)
    }

    /// Declares missing indexes of a type, and returns the next pass; nil if all indexes are ready.
    ///
    /// - Parameter failed: The names of indexes to leave as they are.
    private func nextPass(of type: any IndexKeyRecord.Type, without failed: Set<String>) throws -> BuildPass? {
        let prefix = type.schema.keyPrefix
        return try write { context in
            try translatingErrors {
                let catalog = try context.catalogStorage()
                guard try catalog.type(prefix) != nil else { return nil }
                let table = try context.tableForWriting(type.schema).table
                guard let stored = try catalog.type(prefix) else { return nil }
                let changes = BuildChanges(context.catalog.hub, ofType: prefix)
                return BuildPass(
                    table, stored, without: failed, epoch: try catalog.number(.schemaEpoch), changes)
            }
        }
    }

    /// Collects and sorts the entries of the next records of a snapshot. Returns nil if the catalog of the snapshot
    /// differs from the catalog of the pass.
    private func collect(_ pass: BuildPass, of type: any IndexKeyRecord.Type, _ size: BuildSize) throws -> BuildChunk? {
        var chunk = try readToEnd { context in
            try translatingErrors {
                guard try context.catalogStorage().number(.schemaEpoch) == pass.epoch,
                    let table = try context.table(for: type.schema)
                else { return BuildChunk?.none }
                let size = size.reading(within: environment.maximumReadAge)
                return try type.collectEntries(pass, size, of: table, context)
            }
        }
        // The snapshot would keep pages from being reused meanwhile.
        chunk?.sort()
        return chunk
    }

    /// Writes the next entries of a chunk. Returns the duration of the transaction from its turn on; nil if the chunk
    /// was abandoned.
    private func write(
        _ chunk: inout BuildChunk, of type: any IndexKeyRecord.Type, _ size: BuildSize
    ) throws -> Duration? {
        let prefix = type.schema.keyPrefix
        var start = ContinuousClock.now
        let position = try write { [chunk] context in
            start = .now
            return try translatingErrors {
                let catalog = try context.catalogStorage()
                guard let stored = try catalog.type(prefix),
                    try chunk.pass.isCurrent(stored, epoch: catalog.number(.schemaEpoch))
                else { return BuildChunk.Position?.none }
                // The epoch is still the epoch of the pass, which has registered the type. So this changes nothing in
                // the catalog, and `stored` stays current.
                let table = try context.tableForWriting(type.schema).table
                let changed = chunk.pass.changes.keys(
                    since: chunk.snapshot, upTo: try catalog.number(.commitSequence))
                let position = try type.writeEntries(of: chunk, changed, to: table, size, context)
                if chunk.isWritten(upTo: position) { try context.note(chunk, prefix, stored) }
                context.noteChange()
                return position
            }
        }
        guard let position else { return nil }
        chunk.position = position
        return ContinuousClock.now - start
    }
}

extension TransactionContext {
    /// Stores the progress of a chunk's indexes in the catalog.
    fileprivate func note(_ chunk: BuildChunk, _ prefix: UInt32, _ stored: CatalogType) throws {
        var stored = stored
        for number in chunk.pass.numbers {
            guard var index = stored.indexes[number] else { continue }
            if let end = chunk.end {
                index.state = .building(done: chunk.pass.done + UInt64(chunk.records), position: end)
                try catalogStorage().setIndex(prefix, number, index)
            } else {
                index.state = index.kind.readable(mayHaveDuplicates: true)
                let name = TableName(keyPrefix: prefix, table: TableNumber(rawValue: number))
                try index.kind.maintainer.complete(index, name, in: self)
            }
            stored.indexes[number] = index
        }
        if chunk.end == nil { try set(stored, prefix) }
    }
}
