// A record type as a migration sees it: what can be done with the bytes of its records, whichever Swift type it is.

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

    /// Makes the entries of some records in one of the type's secondary tables.
    typealias Build =
        @Sendable (Int, RecordTable, _ after: [UInt8], _ atMost: Int, TransactionContext) throws -> BuildStep

    let schema: RecordSchema
    let findWay: FindWay
    let rewrite: Rewrite
    let build: Build

    init<Record: IndexKeyRecord>(_ type: Record.Type) {
        schema = type.schema
        findWay = { key, fields, version, table in try type.way(key, fields, version, table) }
        build = { index, table, position, count, context in
            try type.buildEntries(index, in: table, after: position, atMost: count, context)
        }
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
