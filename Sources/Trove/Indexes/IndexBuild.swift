// The making of indexes whose records are there already: in batches, each of which is a transaction that notes
// how far it came. Meanwhile every write keeps the entries of the records that it touches; an entry that is made twice
// is the same one, so that neither has to know of the other.
//
// Tables that are equally far are made in one pass over the records. One that is further waits until the others have
// come as far. The entries of a batch are sorted before they are written: into an empty table they go from its first
// row to its last, which fills its pages. Whether unique values stand twice is looked at when a table is made
// (RepeatedValues.swift).

import Foundation
import LMDB
import TroveCoding

/// How much of a build one transaction does.
struct BuildSize {
    /// The most bytes of entries that are gathered. To sort them takes less than half as much memory again.
    var bytes: Int
    /// How long records are read.
    var time: Duration
    /// Whether it is followed by a rest of the same length, in which others can write.
    var rests: Bool

    /// The fewest bytes that are worth a transaction, where the map has no room for more.
    static let fewestBytes = 1 << 16

    /// For those who wait for the end. One that is twice as large is sorted half as often, and fills pages better.
    static let large = BuildSize(bytes: 64 << 20, time: .seconds(2), rests: false)
    /// For those who do something else meanwhile.
    static let small = BuildSize(bytes: 1 << 20, time: .milliseconds(5), rests: true)
}

/// What a transaction of a build has done.
struct BuildStep {
    /// How many records were looked at.
    var records = 0
    /// The key of the last one; nil at the end of the range.
    var last: [UInt8]?
    /// The errors of those that were passed over.
    var damaged: [StoreError] = []
}

extension IndexKeyRecord {
    /// Makes the entries of some records.
    ///
    /// - Parameters:
    ///   - indices: Which of the type's tables they belong to.
    ///   - range: Of which records.
    ///   - reader: A snapshot of what the transaction has begun with, in which nothing need be copied.
    static func buildEntries(
        _ indices: [Int], in table: RecordTable, _ range: ScanRange, _ size: BuildSize, _ context: TransactionContext,
        _ reader: ReadContext
    ) throws -> BuildStep {
        var (gathering, step): (EntryCollector<Self>, BuildStep)
        do {
            (gathering, step) = try gatherEntries(indices, in: table, range, size, reader, passesOverDamage: false)
        } catch let error where !(error is LMDBError) {
            // A record cannot be read. Where damage is not the reason, this throws again.
            (gathering, step) = try gatherEntries(indices, in: table, range, size, reader, passesOverDamage: true)
        }
        gathering.sort()
        for (index, entries) in gathering.lists {
            try StoredEntry.put(entries, into: table.indexes[index], context.keyspace)
        }
        return step
    }

    private static func gatherEntries(
        _ indices: [Int], in table: RecordTable, _ range: ScanRange, _ size: BuildSize, _ reader: ReadContext,
        passesOverDamage: Bool
    ) throws -> (EntryCollector<Self>, BuildStep) {
        var gathering = EntryCollector<Self>(indices, of: table)
        var step = BuildStep()
        var isReserved = false
        let deadline = ContinuousClock.now + size.time
        guard var scan = try reader.keyspace.scan(table.database, range, mayWrite: false) else {
            return (gathering, step)
        }
        while step.last == nil, let batch = try scan.next() {
            if passesOverDamage {
                step.damaged += try gathering.addIntact(batch, of: table)
            } else {
                try gathering.add(batch)
            }
            step.records += batch.count
            if !isReserved, step.records > 1000 {
                // Enough to tell how many entries there will be, and how large they are.
                let count = try reader.keyspace.count(table.database)
                gathering.reserve(times: min(size.bytes / (gathering.memory + 1), count / step.records) + 1)
                isReserved = true
            }
            let isFull = gathering.memory > size.bytes || ContinuousClock.now > deadline
            if isFull, step.records > EntryBatch.capacity {
                step.last = batch[batch.count - 1].key.copy()
            }
        }
        return (gathering, step)
    }
}

extension EntryCollector {
    /// Adds the entries of those of some records that are not damaged.
    ///
    /// - Returns: The errors of the others.
    fileprivate mutating func addIntact(_ batch: EntryBatch, of table: RecordTable) throws -> [StoreError] {
        var damaged: [StoreError] = []
        var start = 0
        for index in 0..<batch.count {
            let entry = batch[index]
            if table.isIntact(entry) { continue }
            try add(batch.part(start..<index))
            damaged.append(.checksumMismatch(type: table.schema.name, key: entry.key.copy()))
            start = index + 1
        }
        try add(batch.part(start..<batch.count))
        return damaged
    }
}

extension Store {
    /// The most damaged records of a type that are told of.
    private static let mostReports = 10

    /// Makes the tables of a type that are not ready, batch by batch, and looks through those that may have unique
    /// values twice.
    ///
    /// - Returns: Of each unique constraint that the records contradict, an error with two of them; and of each damaged
    ///   record that was met, of the first ones, that it is.
    static func buildIndexes(
        of type: AnyRecordType, in store: @autoclosure () throws -> Store, _ size: BuildSize,
        _ progress: (MigrationProgress) -> Void
    ) throws -> [StoreError] {
        var size = size
        var reports: [StoreError] = []
        var start = ContinuousClock.now
        while true {
            do {
                guard let (step, damaged) = try store().buildBatch(of: type, size) else { break }
                reports += damaged.prefix(mostReports - reports.count)
                progress(step)
            } catch StoreError.mapFull where size.bytes > BuildSize.fewestBytes {
                size.bytes /= 4
            }
            if size.rests { Thread.sleep(for: ContinuousClock.now - start) }
            start = .now
        }
        return try reports + store().reportDuplicates(of: type)
    }

    /// Makes the entries of some records for the tables that are the least far.
    ///
    /// - Returns: How far it is, and the errors of damaged records; nil when all are ready.
    private func buildBatch(
        of type: AnyRecordType, _ size: BuildSize
    ) throws -> (progress: MigrationProgress, damaged: [StoreError])? {
        try write { context in
            try translatingErrors {
                let prefix = type.schema.keyPrefix
                guard try context.catalogStorage().type(prefix) != nil else { return nil }
                let table = try context.tableForWriting(type.schema).table
                guard let stored = try context.catalogStorage().type(prefix), let pass = BuildPass(table, stored) else {
                    return nil
                }
                // Nobody else writes now, and this transaction has not changed a record.
                let step = try read { try type.build(pass.indices, table, pass.range, size, context, $0) }
                let done = pass.done + UInt64(step.records)
                try context.note(
                    step.last ?? pass.end, done, of: pass.indices.map { table.indexes[$0].number }, prefix,
                    stored)
                let progress = MigrationProgress(
                    type: type.schema.qualifiedName, phase: .indexing, done: Int(done),
                    total: max(Int(done), try context.keyspace.count(table.database)))
                return (progress, step.damaged)
            }
        }
    }
}

/// The tables to which one batch belongs, and the records that it may look at.
private struct BuildPass {
    let indices: [Int]
    /// How many records come before.
    let done: UInt64
    /// The key of the last record before a table joins that was further; nil where none is.
    let end: [UInt8]?
    let range: ScanRange

    init?(_ table: RecordTable, _ stored: CatalogType) {
        let unfinished = table.indexes.enumerated().compactMap { index, target in
            stored.indexes[target.number].flatMap { declared in
                declared.isReady ? nil : (index: index, state: declared.state)
            }
        }
        let positions = unfinished.map(\.state.position).sorted { $0.lexicographicallyPrecedes($1) }
        guard let start = positions.first else { return nil }
        let first = unfinished.filter { $0.state.position == start }
        indices = first.map(\.index)
        done = first[0].state.done
        end = positions.first { $0 != start }
        range = ScanRange(
            from: TypeMigration.range(after: start).lower, upTo: end.map { KeyRange.all.after($0).lower })
    }
}

extension TransactionContext {
    /// Notes how far tables are.
    ///
    /// - Parameter position: The key of the last record of which they have the entries; nil for all records.
    fileprivate func note(
        _ position: [UInt8]?, _ done: UInt64, of numbers: [UInt32], _ prefix: UInt32, _ stored: CatalogType
    ) throws {
        var stored = stored
        for number in numbers {
            guard var index = stored.indexes[number] else { continue }
            if let position {
                index.state = .building(done: done, position: position)
                try catalogStorage().setIndex(prefix, number, index)
            } else {
                // The records are older than the constraint: they may have duplicate values.
                index.state = index.kind.readable(mayHaveDuplicates: true)
            }
            stored.indexes[number] = index
        }
        if position == nil { try set(stored, prefix) }
        noteChange()
    }

    /// Empties an index, for it to be made anew.
    func empty(_ number: UInt32, of stored: inout CatalogType, _ prefix: UInt32) throws {
        let name = TableName(keyPrefix: prefix, table: TableNumber(rawValue: number))
        try keyspace.deleteAll(keyspace.createTable(named: name.text))
        stored.indexes[number] = stored.indexes[number]?.emptied
    }
}
