// A record type as a migration sees it: what can be done with the bytes of its records, whichever Swift type it is.

import LMDB
import TroveCoding

/// What a migration needs of a record type.
struct AnyRecordType: Sendable {
    /// Finds out how the records of a version are read, by one of them.
    typealias FindMethod = @Sendable (_ key: RawSpan, _ fields: RawSpan, UInt32, RecordTable) throws -> MigrationMethod
    /// Makes the bytes of a record in the present layout, which the type itself has read where that can fail.
    typealias Rewrite =
        @Sendable (
            _ key: RawSpan, _ fields: RawSpan, UInt32, MigrationMethod, RecordTable, inout EncodedRecord
        ) throws -> Void

    /// Collects and sorts the entries of the next records for the indexes of a pass.
    typealias Collect = @Sendable (BuildPass, BuildSize, RecordTable, ReadContext) throws -> BuildChunk
    /// Writes the next entries of a chunk. Returns the position after the last one.
    typealias WriteEntries =
        @Sendable (BuildChunk, BuildChanges.Keys, RecordTable, BuildSize, TransactionContext) throws
        -> BuildChunk.Position
    /// Looks through the type's tables that may have unique values twice.
    typealias FindDuplicates = @Sendable (ReadContext) throws -> [UniquenessViolation]
    /// Compares the type's indexes with what follows from the records.
    typealias Check = @Sendable (ReadContext) throws -> [IndexDifference]

    let schema: RecordSchema
    let findMethod: FindMethod
    let rewrite: Rewrite
    let collect: Collect
    let writeEntries: WriteEntries
    let violations: FindDuplicates
    let check: Check

    init<Record: IndexKeyRecord>(_ type: Record.Type) {
        schema = type.schema
        findMethod = { key, fields, version, table in try type.method(key, fields, version, table) }
        collect = { pass, size, table, context in try type.collectEntries(pass, size, of: table, context) }
        writeEntries = { chunk, changed, table, size, context in
            try type.writeEntries(of: chunk, changed, to: table, size, context)
        }
        violations = { context in try type.violations(context) }
        check = { context in try type.checkIndexes(context) }
        rewrite = { key, fields, version, method, table, new in
            try type.rewrite(key, fields, version, method, table, into: &new)
        }
    }
}

/// The bytes of a record in the present layout of its type. Its memory is used for one record after the other.
struct EncodedRecord {
    var key: [UInt8] = []
    var fields: [UInt8] = []
}
