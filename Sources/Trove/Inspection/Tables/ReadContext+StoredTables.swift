// The tables that a transaction can read, and its parts for code that reads them in place.

import LMDB
import TroveCoding

extension ReadContext {
    /// The transaction.
    package final var engineTransaction: TransactionCore { core }

    /// The use of the transaction that is this context.
    package final var engineLease: UInt64 { lease }

    /// Whether the checksum of each record is verified.
    package final var verifiesRecords: Bool { verifiesChecksums }

    /// The identity of the catalog at the state of this transaction; nil if the transaction has changed the catalog.
    package final var catalogIdentity: AnyObject? {
        if let context = self as? TransactionContext, context.hasChangedCatalog { return nil }
        return catalogSnapshot
    }

    /// The number of types that this process has declared for the store. It only grows.
    package final var declaredTypeCount: Int { catalog.usedSchemaCount }

    /// Notes that the results of this context depend on all records of a type.
    package final func noteRead(of keyPrefix: UInt32) { readRegion?.noteAll(of: keyPrefix) }

    /// Notes that the results of this context depend on a record of a type, stored or not.
    package final func noteRead(of keyPrefix: UInt32, _ key: RawSpan) { readRegion?.note(key, of: keyPrefix) }

    /// Notes that the results of this context depend on the records of a type with keys in some ranges, which are in
    /// ascending order.
    package final func noteRead(of keyPrefix: UInt32, in ranges: [KeyRange]) {
        readRegion?.note(ranges, of: keyPrefix)
    }

    /// Writes the pending changes of the transaction's parts, and throws for a wrong use of the context.
    package final func prepareToRead() throws {
        try translatingErrors {
            try keyspace.check()
            try flushParts()
        }
    }

    /// Returns the tables of all types with records of their own, sorted by name. Declared types without records have
    /// no table in the store yet.
    package final func storedTables() throws -> [StoredTable] {
        try translatingErrors {
            let declared = Dictionary(catalog.usedSchemas.map { ($0.keyPrefix, $0) }) { first, _ in first }
            var tables: [UInt32: StoredTable] = [:]
            let hasChanged = (self as? TransactionContext)?.hasChangedCatalog ?? false
            for (known, name, records) in catalogSnapshot.recordTables where relations[name.keyPrefix] == nil {
                var type = known
                // The transaction can have emptied indexes.
                if hasChanged, let changed = try catalogStorage().type(name.keyPrefix),
                    changed.generation == known.generation
                {
                    type = changed
                }
                let databases = catalogSnapshot.indexes(name.keyPrefix)
                let parts = catalogSnapshot.indexParts(name.keyPrefix)
                tables[name.keyPrefix] = try StoredTable(
                    type, name, records: records, declared: declared[name.keyPrefix],
                    indexes: type.indexes.sorted { $0.key < $1.key }.compactMap { number, index in
                        databases[number].map { StoredTable.FoundIndex(index, $0, name.index(number), type, parts) }
                    })
            }
            for table in (self as? TransactionContext)?.allPendingTables ?? [] where !table.schema.isOfLinks {
                let name = TableName(keyPrefix: table.schema.keyPrefix, generation: table.type.generation)
                tables[name.keyPrefix] = try StoredTable(
                    table.type, name, records: table.database, declared: table.schema,
                    indexes: table.indexes.compactMap { index in
                        table.type.indexes[index.number].map { stored in
                            StoredTable.FoundIndex(
                                stored: stored, entries: index.database, name: name.index(index.number)
                            ) { _ in index }
                        }
                    })
            }
            for (prefix, schema) in declared where tables[prefix] == nil && !schema.isOfLinks {
                tables[prefix] = try StoredTable(
                    CatalogType(schema), TableName(keyPrefix: prefix), records: nil, declared: schema, indexes: [])
            }
            return tables.values.sorted { ($0.name, $0.keyPrefix) < ($1.name, $1.keyPrefix) }
        }
    }
}

extension StoredTable.FoundIndex {
    fileprivate init(
        _ stored: CatalogIndex, _ entries: Database, _ name: TableName, _ type: CatalogType,
        _ parts: [TableName: Database]
    ) {
        self.init(stored: stored, entries: entries, name: name) { verifiesChecksums in
            stored.kind.tables.open(
                stored,
                IndexTables(
                    name: name, database: entries, state: stored.state, type: type.qualifiedName, parts: parts,
                    verifiesChecksums: verifiesChecksums))
        }
    }
}

extension TableName {
    /// Returns the name of the table of an index.
    fileprivate func index(_ number: UInt32) -> TableName {
        TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
    }
}

extension TransactionContext {
    /// Whether this transaction, or one around it, has changed the catalog.
    fileprivate var hasChangedCatalog: Bool {
        hasChangedTypes || !pendingTables.isEmpty || parent?.hasChangedCatalog == true
    }

    /// The tables created or updated by this transaction and those around it, the outermost first.
    fileprivate var allPendingTables: [RecordTable] { (parent?.allPendingTables ?? []) + pendingTables }

    /// Returns the table of links that this transaction, or one around it, has created or updated; nil if there is
    /// none.
    func pendingTable(ofLinks keyPrefix: UInt32) -> RecordTable? {
        allPendingTables.last { $0.schema.isOfLinks && $0.schema.keyPrefix == keyPrefix }
    }
}

extension ReadContext {
    /// Returns the object of a type that the process keeps for the store's file. The first call creates it.
    package final func kept<Object: AnyObject & Sendable>(_ make: () -> Object) -> Object {
        catalog.attachments.object(make)
    }
}

/// Runs a closure, and translates errors of the engine.
package func translatingEngineErrors<R: ~Copyable>(_ body: () throws -> R) throws -> R {
    try translatingErrors(body)
}

extension ReadContext {
    /// Returns the record with the bytes of a key; nil if it is absent.
    package final func record<Record: IndexKeyRecord>(_ type: Record.Type, withKey key: [UInt8]) throws -> Record? {
        try translatingErrors { try record(of: key, type) }
    }
}
