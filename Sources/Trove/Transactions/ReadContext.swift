// What the closure of a read receives: the snapshot, and everything that can be asked of it.

import LMDB
import TroveCoding

/// A snapshot of a store, for the length of a closure.
///
/// It belongs to the thread that runs the closure. A use elsewhere or afterwards throws
/// ``StoreError/wrongThread(path:)`` or ``StoreError/transactionEnded(path:)``.
public class ReadContext {
    let catalog: Catalog
    let verifiesChecksums: Bool
    let core: TransactionCore
    private(set) var keyspace: Keyspace
    /// The catalog as this transaction found it.
    private(set) var image: CatalogImage
    /// The number of the commit for which the image was found to hold.
    private var snapshot: Int
    private var lastTable: RecordTable?

    init(_ store: Store, _ core: TransactionCore, _ view: Catalog.View) {
        catalog = store.catalog
        verifiesChecksums = store.verifiesChecksums
        self.core = core
        image = view.image
        snapshot = view.transaction
        keyspace = Keyspace(core)
    }

    /// The context of a transaction nested in another's.
    init(_ core: TransactionCore, in parent: ReadContext) {
        catalog = parent.catalog
        verifiesChecksums = parent.verifiesChecksums
        self.core = core
        image = parent.image
        snapshot = parent.snapshot
        keyspace = Keyspace(core)
    }

    /// The table of a type's records; nil where there is none.
    @usableFromInline
    final func table(for schema: RecordSchema) throws -> RecordTable? {
        // First: whoever uses the context wrongly must not even touch its members.
        try translatingErrors { try keyspace.check() }
        if let lastTable, lastTable.schema === schema { return lastTable }
        let table = try findTable(for: schema)
        lastTable = table
        return table
    }

    func findTable(for schema: RecordSchema) throws -> RecordTable? {
        try image.table(for: schema, catalog, verifiesChecksums: verifiesChecksums)
    }

    final func forgetTable() { lastTable = nil }
}

// MARK: From one read to the next

extension ReadContext {
    /// The context of a read that has just begun: the one that served the reader's last transaction, brought up to
    /// date, unless that was another's.
    static func beginning(_ core: TransactionCore, in store: Store) throws -> ReadContext {
        // Nothing but a context is ever left with a reader.
        if let companion = core.companion {
            let context = unsafe unsafeDowncast(companion, to: ReadContext.self)
            core.companion = nil
            if context.verifiesChecksums == store.verifiesChecksums {
                try context.renew(in: store)
                return context
            }
        }
        return ReadContext(store, core, try store.view(of: core, known: Catalog.View()))
    }

    private func renew(in store: Store) throws {
        keyspace = Keyspace(core)
        guard snapshot != core.identifier else { return }
        let view = try store.view(of: core, known: Catalog.View(image: image, transaction: snapshot))
        if view.image !== image { lastTable = nil }
        image = view.image
        snapshot = view.transaction
    }

    /// Ends the read, and leaves the context with the reader for the next one.
    ///
    /// A context that somebody has kept is never used again: what is kept stays of no use.
    @usableFromInline
    static func end(_ context: inout ReadContext) {
        let core = context.core
        if isKnownUniquelyReferenced(&context) { core.companion = context }
        core.endRead()
    }
}

// MARK: The concrete half of what generic code asks for

extension ReadContext {
    /// Calls `body` with the value stored for a key; false when there is none.
    @usableFromInline
    final func withValue(_ table: RecordTable, _ key: RawSpan, _ body: (RawSpan) throws -> Void) throws -> Bool {
        try translatingErrors { try keyspace.withValue(table.database, key, body) }
    }

    /// Counts the keys of a plan's ranges, up to its limit.
    @usableFromInline
    final func count(_ table: RecordTable, _ plan: ScanPlan) throws -> Int {
        if plan.limit != nil {
            var scan = RecordScan(self, table, plan)
            var count = 0
            while let batch = try scan.next() { count += batch.count }
            return count
        }
        return try translatingErrors {
            if plan.isWholeTable { return try keyspace.count(table.database) }
            return try plan.ranges.reduce(0) { count, range in try count + keyspace.count(table.database, range) }
        }
    }
}

extension RecordTable {
    /// Refuses a value whose checksum is not that of its bytes.
    @usableFromInline
    func verify(_ key: RawSpan, _ value: RawSpan) throws {
        guard StoredValue.isIntact(value, key: key, seed: checksumSeed) else {
            throw StoreError.checksumMismatch(type: schema.name, key: copiedBytes(key))
        }
    }

    /// The error of a record that could not be read.
    @usableFromInline
    func corrupted(_ key: RawSpan, _ reason: CodingError) -> StoreError {
        StoreError(reading: schema.name, key: copiedBytes(key), reason)
    }

    @usableFromInline
    func tooShort(_ value: RawSpan) -> CodingError {
        CodingError(.truncated(needed: StoredValue.headerSize, available: value.byteCount))
    }
}

extension IndexKeyRecord {
    /// The record whose stored bytes these are.
    @inlinable
    @inline(__always)
    static func decode(_ key: RawSpan, _ value: RawSpan, _ table: RecordTable) throws -> Self {
        guard value.byteCount >= StoredValue.headerSize else { throw table.corrupted(key, table.tooShort(value)) }
        if table.verifiesChecksums { try table.verify(key, value) }
        let version = UInt32(littleEndian: unsafe value.unsafeLoadUnaligned(as: UInt32.self))
        let fields = value.extracting(droppingFirst: StoredValue.headerSize)
        guard version == table.fieldsVersion else { return try migrate(key, fields, version, table) }
        return try unsafe key.withUnsafeBytes { keyBytes in
            try unsafe fields.withUnsafeBytes { fieldBytes in
                var reader = unsafe RecordReader(key: keyBytes, fields: fieldBytes)
                do throws(CodingError) {
                    let record = try Self(decoding: &reader)
                    try reader.finish()
                    return record
                } catch {
                    throw table.corrupted(key, error)
                }
            }
        }
    }

    /// The record out of bytes of another version.
    @usableFromInline
    static func migrate(_ key: RawSpan, _ fields: RawSpan, _ version: UInt32, _ table: RecordTable) throws -> Self {
        do {
            return try RecordReader.readPart(key: key, fields: fields) { reader in
                try Self(decoding: &reader, version: version)
            }
        } catch let error as CodingError {
            throw table.corrupted(key, error)
        }
    }
}
