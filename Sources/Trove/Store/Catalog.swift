// What a process knows of a store's types, shared by all who have the store open, and brought up to date when another
// process changed it.

import LMDB
import Synchronization
import TroveCoding

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A table of records, ready for use: what the hot paths need and nothing else.
@usableFromInline
final class RecordTable: Sendable {
    @usableFromInline let schema: RecordSchema
    @usableFromInline let fieldsVersion: UInt32
    @usableFromInline let verifiesChecksums: Bool
    let database: Database
    let checksumSeed: CRC32C

    init(_ schema: RecordSchema, _ database: Database, _ name: TableName, verifiesChecksums: Bool) {
        self.schema = schema
        self.database = database
        self.verifiesChecksums = verifiesChecksums
        fieldsVersion = schema.fieldsVersion
        checksumSeed = name.checksumSeed
    }
}

/// The catalog in memory.
///
/// Its image is valid for the last transaction that was checked. One with another number first compares the epoch that
/// is stored: an atomic load and a comparison where nothing happened, one more look-up where other data was written.
final class Catalog: Sendable {
    fileprivate struct State {
        var epoch: UInt64?
        var identifier: UUID?
        var types: [UInt32: CatalogType] = [:]
        var tables: [ObjectIdentifier: RecordTable] = [:]
        /// The first schema that this process used for each prefix.
        var declared: [UInt32: RecordSchema] = [:]
    }

    private let state = Mutex(State())
    private let lastChecked = Atomic<Int>(-1)

    /// Whether nothing was committed since the image was last compared.
    @inline(__always)
    func isCurrent(at transaction: Int) -> Bool {
        lastChecked.load(ordering: .relaxed) == transaction
    }

    /// Notes that the image holds for a transaction.
    func markCurrent(at transaction: Int) {
        lastChecked.store(transaction, ordering: .relaxed)
    }

    /// The random number that tells this store from all others; nil until something is written.
    var identifier: UUID? { state.withLock { $0.identifier } }

    /// Brings the image up to what a transaction sees.
    ///
    /// - Returns: False when tables have appeared that have no handle yet: open them, begin anew, and call again.
    func update(_ keyspace: Keyspace, _ environment: SharedEnvironment) throws -> Bool {
        guard let table = try CatalogTable(keyspace) else {
            try refuseForeignFile(keyspace, environment)
            state.withLock { state in
                state.epoch = nil
                state.types = [:]
                state.tables = [:]
            }
            return true
        }
        guard let format = try table.format(), format <= FormatVersion.current else {
            throw StoreError.formatTooNew(
                path: environment.path, format: Int(try table.format() ?? 0), supported: Int(FormatVersion.current))
        }
        let epoch = try table.number(.schemaEpoch)
        if state.withLock({ $0.epoch == epoch }) { return true }
        let types = try table.types()
        for (prefix, type) in types
        where environment.database(named: TableName(keyPrefix: prefix, generation: type.generation).text) == nil {
            return false
        }
        let identifier = try table.storeEntry().identifier
        state.withLock { state in
            state.epoch = epoch
            state.identifier = identifier
            state.types = types
            state.tables = [:]
        }
        return true
    }

    private func refuseForeignFile(_ keyspace: Keyspace, _ environment: SharedEnvironment) throws {
        guard try keyspace.core.databaseNames().isEmpty else {
            throw StoreError.notAStore(path: environment.path, reason: nil)
        }
    }

    /// The table of a type's records; nil where the store has none, or none with the type's present version.
    ///
    /// - Parameter forWriting: Whether the very version of the schema must be known.
    /// - Throws: ``StoreError`` when the schema contradicts what is stored.
    func table(
        for schema: RecordSchema, forWriting: Bool, _ environment: SharedEnvironment, verifiesChecksums: Bool
    ) throws -> RecordTable? {
        try state.withLock { state -> RecordTable? in
            if let known = state.tables[ObjectIdentifier(schema)] {
                if !forWriting || state.types[schema.keyPrefix]?.layouts[schema.fieldsVersion] != nil { return known }
                return nil
            }
            try state.declare(schema)
            guard let type = state.types[schema.keyPrefix] else { return nil }
            try schema.check(against: type)
            if forWriting, !type.isUpToDate(with: schema) { return nil }
            let name = TableName(keyPrefix: schema.keyPrefix, generation: type.generation)
            guard let database = environment.database(named: name.text) else { return nil }
            let table = RecordTable(schema, database, name, verifiesChecksums: verifiesChecksums)
            state.tables[ObjectIdentifier(schema)] = table
            return table
        }
    }
}

extension Catalog.State {
    /// Refuses a second type of this process that claims a prefix with another layout.
    fileprivate mutating func declare(_ schema: RecordSchema) throws {
        guard let first = declared[schema.keyPrefix] else {
            declared[schema.keyPrefix] = schema
            return
        }
        guard first !== schema, first.layout != schema.layout || first.qualifiedName != schema.qualifiedName else {
            return
        }
        throw StoreError.prefixTaken(
            prefix: schema.keyPrefix, type: schema.qualifiedName, by: first.qualifiedName)
    }
}

extension CatalogType {
    /// Whether a schema's name and layout are stored already.
    func isUpToDate(with schema: RecordSchema) -> Bool {
        qualifiedName == schema.qualifiedName && layouts[schema.fieldsVersion] == schema.layout
    }
}

extension RecordSchema {
    /// Refuses a type that contradicts what is stored under its prefix.
    func check(against type: CatalogType) throws {
        if hasAutomaticPrefix, type.qualifiedName != qualifiedName {
            throw StoreError.prefixTaken(prefix: keyPrefix, type: qualifiedName, by: type.qualifiedName)
        }
        if type.keyLayout != keyLayout {
            throw StoreError.keyLayoutChanged(type: name, stored: type.keyLayout, declared: keyLayout)
        }
        if let stored = type.layouts[fieldsVersion], stored != layout {
            throw StoreError.layoutChanged(type: name, version: fieldsVersion, stored: stored, declared: layout)
        }
    }
}
