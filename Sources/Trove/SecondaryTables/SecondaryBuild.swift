// The making of secondary tables whose records are there already: in batches, each of which is a transaction that notes
// how far it came. Meanwhile every write keeps the entries of the records that it touches; an entry that is made twice is
// the same one, so that neither has to know of the other.
//
// Tables that are equally far are made in one pass over the records. One that is further waits until the others have
// come as far. The entries of a batch are sorted before they are written: into an empty table they go from its first row
// to its last, which fills its pages.

import Foundation
import LMDB
import TroveCoding

/// How much of a build one transaction does.
struct BuildSize {
    /// The most bytes of entries that are gathered. To sort them takes about as much memory again.
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
    static let small = BuildSize(bytes: 1 << 18, time: .milliseconds(5), rests: true)
}

/// What a transaction of a build has done.
struct BuildStep {
    /// How many records were looked at.
    var records = 0
    /// The key of the last one; nil at the end of the range.
    var last: [UInt8]?
}

extension IndexKeyRecord {
    /// Makes the entries of some records.
    ///
    /// - Parameters:
    ///   - indices: Which of the type's tables they belong to.
    ///   - range: Of which records.
    ///   - reader: A snapshot of what the transaction has begun with, in which nothing need be copied.
    /// - Throws: ``StoreError/notUnique(type:table:key:existing:)`` with two records that have the same unique values.
    static func buildEntries(
        _ indices: [Int], in table: RecordTable, _ range: ScanRange, _ size: BuildSize, _ context: TransactionContext,
        _ reader: ReadContext
    ) throws -> BuildStep {
        var gathering = EntryGathering<Self>(indices, of: table)
        var step = BuildStep()
        var isReserved = false
        let deadline = ContinuousClock.now + size.time
        guard var scan = try reader.keyspace.scan(table.database, range) else { return step }
        while step.last == nil, let batch = try scan.next() {
            try gathering.add(batch)
            step.records += batch.count
            if !isReserved, step.records > 1000 {
                // Enough to tell how large entries are.
                let most = size.bytes / (gathering.memory / step.records + 1)
                gathering.reserve(min(most, try reader.keyspace.count(table.database)))
                isReserved = true
            }
            let isFull = gathering.memory > size.bytes || ContinuousClock.now > deadline
            if isFull, step.records > EntryBatch.capacity {
                step.last = unsafe Array(batch.entries[batch.count - 1].key)
            }
        }
        for (index, entries) in gathering.lists { try write(entries, into: index, of: table, context) }
        return step
    }

    private static func write(
        _ list: EntryList, into index: Int, of table: RecordTable, _ context: TransactionContext
    ) throws {
        let places = list.sortedPlaces()
        if secondaryTables[index].collisions?.forbidsTwice == true {
            try checkUnique(list, places, index, table, context)
        }
        try SecondaryRow.put(list, places, into: table.secondaryTables[index], context.keyspace)
    }

    /// Refuses entries of values that others have, among them or in the table.
    private static func checkUnique(
        _ list: EntryList, _ places: [Int], _ index: Int, _ table: RecordTable, _ context: TransactionContext
    ) throws {
        func refuse(_ place: Int, _ existing: [UInt8]) -> StoreError {
            .notUnique(
                type: schema.name, table: secondaryTables[index].description.text,
                key: Array(list.recordKey(of: place)), existing: existing)
        }
        if let (first, second) = list.firstRepetition(in: places) {
            throw refuse(second, Array(list.recordKey(of: first)))
        }
        if try context.keyspace.count(table.secondaryTables[index].database) == 0 { return }
        for place in places {
            let (value, key) = (Array(list.value(of: place)), Array(list.recordKey(of: place)))
            if let existing = try context.storedHolder(of: value, Self.self, index, besides: key, table) {
                throw refuse(place, existing)
            }
        }
    }
}

extension CollisionRule {
    /// Whether no two records ever have the same values. A closure may let them.
    var forbidsTwice: Bool { if case .custom = kind { false } else { true } }
}

extension Store {
    /// Makes the tables of a type that are not ready, batch by batch.
    ///
    /// - Returns: Of each unique constraint that the records contradict, an error with two of them. The table stays as far
    ///   as it was.
    static func buildSecondaryTables(
        of type: MigratableType, in store: @autoclosure () throws -> Store, _ size: BuildSize,
        _ progress: (MigrationProgress) -> Void
    ) throws -> [StoreError] {
        var size = size
        var (collisions, tables): ([StoreError], Set<String>) = ([], [])
        var start = ContinuousClock.now
        while true {
            do {
                guard let step = try store().buildBatch(of: type, size, besides: tables) else { return collisions }
                progress(step)
            } catch StoreError.mapFull where size.bytes > BuildSize.fewestBytes {
                size.bytes /= 4
            } catch let error as StoreError {
                guard case .notUnique(_, let table, _, _) = error else { throw error }
                collisions.append(error)
                tables.insert(table)
            }
            if size.rests { Thread.sleep(for: ContinuousClock.now - start) }
            start = .now
        }
    }

    /// Makes the entries of some records for the tables that are the least far.
    ///
    /// - Parameter left: The names of tables that are left as they are.
    /// - Returns: How far it is; nil when all are ready.
    private func buildBatch(
        of type: MigratableType, _ size: BuildSize, besides left: Set<String>
    ) throws -> MigrationProgress? {
        try write { context in
            try translatingErrors {
                let prefix = type.schema.keyPrefix
                guard try context.catalogTable().type(prefix) != nil else { return nil }
                let table = try unsafe context.tableForWriting(type.schema).takeUnretainedValue()
                guard let stored = try context.catalogTable().type(prefix),
                    let pass = BuildPass(table, stored, besides: left)
                else { return nil }
                // Nobody else writes now, and this transaction has not changed a record.
                let step = try read { try type.build(pass.indices, table, pass.range, size, context, $0) }
                let done = pass.done + UInt64(step.records)
                try context.note(
                    step.last ?? pass.end, done, of: pass.indices.map { table.secondaryTables[$0].number }, prefix,
                    stored)
                return MigrationProgress(
                    type: type.schema.qualifiedName, phase: .indexing, done: Int(done),
                    total: max(Int(done), try context.keyspace.count(table.database)))
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

    init?(_ table: RecordTable, _ stored: CatalogType, besides left: Set<String>) {
        let unfinished = table.secondaryTables.enumerated().compactMap { index, target in
            stored.secondaryTables[target.number].flatMap { secondary in
                secondary.isReady || left.contains(secondary.text) ? nil : (index: index, table: secondary)
            }
        }
        let positions = unfinished.map(\.table.position).sorted { $0.lexicographicallyPrecedes($1) }
        guard let start = positions.first else { return nil }
        let first = unfinished.filter { $0.table.position == start }
        indices = first.map(\.index)
        done = first[0].table.done
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
            stored.secondaryTables[number]?.isReady = position == nil
            stored.secondaryTables[number]?.position = position ?? []
            stored.secondaryTables[number]?.done = position == nil ? 0 : done
            if position != nil {
                try catalogTable().setSecondaryTable(prefix, number, stored.secondaryTables[number])
            }
        }
        if position == nil { try set(stored, prefix) }
        noteChange()
    }

    /// Empties a secondary table, for it to be made anew.
    func empty(_ number: UInt32, of stored: inout CatalogType, _ prefix: UInt32) throws {
        let name = TableName(keyPrefix: prefix, table: TableNumber(rawValue: number))
        try keyspace.deleteAll(keyspace.createTable(named: name.text))
        stored.secondaryTables[number]?.isReady = false
        stored.secondaryTables[number]?.position = []
        stored.secondaryTables[number]?.done = 0
    }
}
