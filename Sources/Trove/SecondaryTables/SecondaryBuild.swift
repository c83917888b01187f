// The making of a secondary table whose records are there already: in batches, each of which is a transaction that notes
// how far it came. Meanwhile every write keeps the entries of the records that it touches; an entry that is made twice is
// the same one, so that neither has to know of the other.

import Foundation
import LMDB
import TroveCoding

/// How far the making of a table is.
struct BuildStep {
    /// How many records were looked at.
    var records = 0
    /// The key of the last one; nil at the end.
    var last: [UInt8]?
}

extension IndexKeyRecord {
    /// Makes the entries of some records.
    ///
    /// - Parameters:
    ///   - index: Which of the type's tables they belong to.
    ///   - position: The key of the last record of which they are made.
    ///   - count: How many records.
    /// - Throws: ``StoreError/notUnique(type:table:key:existing:)`` with two records that have the same unique values.
    static func buildEntries(
        _ index: Int, in table: RecordTable, after position: [UInt8], atMost count: Int, _ context: TransactionContext
    ) throws -> BuildStep {
        let secondary = secondaryTables[index]
        var step = BuildStep()
        var list = EntryList()
        try context.keyspace.scan(table.database, TypeMigration.range(after: position)) { key, value in
            secondary.derive(try decode(key, value, table), key, as: index, into: &list)
            step.records += 1
            guard step.records == count else { return .continue }
            step.last = copiedBytes(key)
            return .stop
        }
        let target = table.secondaryTables[index]
        for entry in list.sorted() {
            let recordKey = list.recordKey(of: entry)
            if secondary.collisions != nil,
                let existing = try context.holder(
                    of: Array(list.value(of: entry)), Self.self, index, besides: Array(recordKey), table)
            {
                throw StoreError.notUnique(
                    type: schema.name, table: secondary.description.text, key: Array(recordKey), existing: existing)
            }
            try SecondaryRow.put(list.bytes(of: entry), of: recordKey, target, context.keyspace)
        }
        return step
    }
}

extension EntryList {
    /// The places of the entries in the order of their bytes.
    fileprivate func sorted() -> [Int] {
        let heads = entries.indices.map { index in
            (head: bytes(of: index).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, index: index)
        }
        return heads.sorted { first, second in
            first.head != second.head
                ? first.head < second.head
                : bytes(of: first.index).lexicographicallyPrecedes(bytes(of: second.index))
        }.map(\.index)
    }
}

extension Store {
    /// Makes the tables of a type that are not ready, batch by batch.
    static func buildSecondaryTables(
        of type: MigratableType, in store: @autoclosure () throws -> Store, _ size: TypeMigration.BatchSize,
        _ progress: (MigrationProgress) -> Void
    ) throws {
        var start = ContinuousClock.now
        while let step = try store().buildBatch(of: type, size) {
            progress(step)
            if size.rests { Thread.sleep(for: ContinuousClock.now - start) }
            start = .now
        }
    }

    /// Makes the entries of some records for the first table that is not ready.
    ///
    /// - Returns: How far it is; nil when all are ready.
    private func buildBatch(of type: MigratableType, _ size: TypeMigration.BatchSize) throws -> MigrationProgress? {
        try write { context in
            try translatingErrors {
                let prefix = type.schema.keyPrefix
                guard try context.catalogTable().type(prefix) != nil else { return nil }
                let table = try unsafe context.tableForWriting(type.schema).takeUnretainedValue()
                guard var stored = try context.catalogTable().type(prefix),
                    let index = table.secondaryTables.firstIndex(where: { target in
                        stored.secondaryTables[target.number]?.isReady == false
                    })
                else { return nil }
                let number = table.secondaryTables[index].number
                guard var secondary = stored.secondaryTables[number] else { return nil }
                let step = try type.build(index, table, secondary.position, size.records * 16, context)
                context.noteChange()
                if let last = step.last {
                    secondary.position = last
                    try context.catalogTable().setSecondaryTable(prefix, number, secondary)
                } else {
                    stored.secondaryTables[number]?.isReady = true
                    stored.secondaryTables[number]?.position = []
                    try context.set(stored, prefix)
                }
                return MigrationProgress(
                    type: type.schema.qualifiedName, phase: .indexing, done: step.records,
                    total: try context.keyspace.count(table.database))
            }
        }
    }
}
