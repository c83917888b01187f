// A record type as a migration sees it: what can be done with the bytes of its records, whichever Swift type it is.

import LMDB
import TroveCoding

/// What a migration needs of a record type.
struct MigratableType: Sendable {
    /// Finds out how the records of a version are read, by one of them.
    typealias FindWay = @Sendable (_ key: RawSpan, _ fields: RawSpan, UInt32, RecordTable) throws -> MigrationWay
    /// Makes the bytes of a record in the present layout, which the type itself has read where that can fail.
    typealias Rewrite =
        @Sendable (
            _ key: RawSpan, _ fields: RawSpan, UInt32, MigrationWay, RecordTable, inout RewrittenRecord
        ) throws -> Void

    /// Makes the entries of some records in some of the type's secondary tables.
    typealias Build =
        @Sendable (_ tables: [Int], RecordTable, ScanRange, BuildSize, TransactionContext, ReadContext) throws
        -> BuildStep
    /// Looks through the type's tables that may have unique values twice.
    typealias FindRepetitions = @Sendable (ReadContext) throws -> [TableRepetition]
    /// Compares the type's secondary tables with what follows from the records.
    typealias Check = @Sendable (ReadContext) throws -> [TableDifference]

    let schema: RecordSchema
    let findWay: FindWay
    let rewrite: Rewrite
    let build: Build
    let repetitions: FindRepetitions
    let check: Check

    init<Record: IndexKeyRecord>(_ type: Record.Type) {
        schema = type.schema
        findWay = { key, fields, version, table in try type.way(key, fields, version, table) }
        build = { tables, table, range, size, context, reader in
            try type.buildEntries(tables, in: table, range, size, context, reader)
        }
        repetitions = { context in try type.repetitions(context) }
        check = { context in try type.checkTables(context) }
        rewrite = { key, fields, version, way, table, new in
            try type.rewrite(key, fields, version, way, table, into: &new)
        }
    }
}

/// The bytes of a record in the present layout of its type. Its memory is used for one record after the other.
struct RewrittenRecord {
    var key: [UInt8] = []
    var fields: [UInt8] = []
}
