// A type-erased record type for migrations and index builds: closures to read, rewrite and index the bytes of its
// records.

import LMDB
import TroveCoding

/// A record type without its Swift type.
struct AnyRecordType: Sendable {
    /// Returns the migration method for the records of a version, determined with one of these records.
    typealias FindMethod = @Sendable (_ key: RawSpan, _ fields: RawSpan, UInt32, RecordTable) throws -> MigrationMethod
    /// Encodes a record in the current layout. The type decodes the result if decoding can fail.
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
    /// Returns the duplicate values in the type's unique indexes.
    typealias FindDuplicates = @Sendable (ReadContext) throws -> [UniquenessViolation]
    /// Compares the type's indexes with its records.
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
