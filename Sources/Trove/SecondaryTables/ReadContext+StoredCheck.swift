// The check of secondary tables by what the store itself knows of them: for who has not the Swift types.

import LMDB
import TroveCoding

/// What could be told of an index or a unique constraint without the Swift type that declares it.
public struct StoredTableCheck: Hashable, Sendable, Codable {
    /// How far it was compared with the records.
    public enum Extent: String, Hashable, Sendable, Codable {
        /// Row by row, and record by record.
        case whole
        /// Row by row. It has a condition, which only its program can ask: whether rows are missing is not known.
        case rows
        /// Not at all: it is still being made.
        case notReady
        /// Not at all: only its program knows how its entries follow from records.
        case unknown
    }

    /// The record type's name, with its module.
    public var type: String
    /// Its own name, such as `index(age)`.
    public var table: String
    /// How many rows it has.
    public var rows: Int
    /// How far it was compared.
    public var extent: Extent
    /// How many records were left out, because they have an older layout, which only the program converts.
    public var olderRecords: Int
    /// What is wrong, at most 1,000 for all tables of a type.
    public var differences: [TableDifference]
}

/// What could be told of the secondary tables of a record type without the Swift type that declares them.
public struct StoredTypeCheck: Hashable, Sendable, Codable {
    /// Each of them.
    public var tables: [StoredTableCheck]
    /// The damaged records that were met when tables were compared with the records, at most 1,000.
    public var damagedRecords: [TableDifference]
}

extension ReadContext {
    /// Compares the secondary tables of a type with what follows from its records, as far as their definitions tell.
    ///
    /// Whether two records have the same unique values is left open: a constraint may let them.
    ///
    /// - Parameter type: One of ``storedTypes()``.
    /// - Returns: What was found out about each.
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n* log *n*) in the number of records, in constant memory.
    public final func checkStoredTables(of type: StoredType) throws -> StoredTypeCheck {
        try translatingErrors {
            let layout = try type.newestLayout()
            let derivations = type.secondaryTables.map { table in
                table.isReady ? layout.flatMap { StoredDerivation(table.table, in: $0) } : nil
            }
            let tables = zip(type.secondaryTables, derivations).map { table, derivation in
                derivation.map { derivation in
                    CheckedTable(
                        name: table.name, database: table.rows, seed: table.checksumSeed,
                        hasAllEntries: !derivation.isPartial, valueSize: derivation.valueSize(in:))
                }
            }
            var check = TableCheck(
                keyspace, type: type.name, records: type.records, seed: type.checksumSeed, tables
            ) { key, value in
                let version = UInt32(littleEndian: unsafe value.unsafeLoadUnaligned(as: UInt32.self))
                guard let layout, version == type.versions.last else { return nil }
                var list = EntryList()
                do {
                    let fields = try layout.read(
                        key: key, fields: value.extracting(droppingFirst: StoredValue.headerSize))
                    for (index, derivation) in derivations.enumerated() {
                        try derivation?.derive(fields, key, as: index, into: &list)
                    }
                } catch let error as CodingError {
                    throw StoreError(reading: type.name, key: copiedBytes(key), error)
                }
                return list
            }
            try check.run()
            let checks = zip(type.secondaryTables, derivations).map { table, derivation in
                StoredTableCheck(
                    type: type.name, table: table.name, rows: table.count,
                    extent: derivation.map { $0.isPartial ? .rows : .whole } ?? (table.isReady ? .unknown : .notReady),
                    olderRecords: check.unknownRecords,
                    differences: check.differences.filter { $0.table == table.name })
            }
            return StoredTypeCheck(
                tables: checks, damagedRecords: check.differences.filter { $0.kind == .damagedRecord })
        }
    }
}

extension StoredType {
    /// The layout of new records; nil where a part of it is described by a name alone.
    fileprivate func newestLayout() throws -> RecordLayout? {
        guard let version = versions.last else { return nil }
        let layout = try layout(of: version)
        return layout.unknownPart == nil ? layout : nil
    }
}

extension Store {
    /// Empties secondary tables, which the next program makes anew that opens the store with their type declared.
    ///
    /// A program that has the type makes them at once: ``rebuild(_:table:progress:)``. Until then, queries do without
    /// them, and writes maintain them.
    ///
    /// - Parameters:
    ///   - table: The name of one, such as `index(age)`; nil for all of the type.
    ///   - type: One of ``ReadContext/storedTypes()``.
    /// - Returns: The names of the tables.
    /// - Throws: ``StoreError/noSuchTable(type:table:tables:)``.
    public func markForRebuild(_ table: String? = nil, of type: StoredType) throws -> [String] {
        try write { context in
            try translatingErrors {
                guard var stored = try context.catalogTable().type(type.keyPrefix) else { return [] }
                let wanted = stored.secondaryTables.filter { table ?? $0.value.text == $0.value.text }
                guard table == nil || !wanted.isEmpty else {
                    throw StoreError.noSuchTable(
                        type: type.name, table: table ?? "", tables: type.secondaryTables.map(\.name))
                }
                if wanted.isEmpty { return [] }
                for number in wanted.keys { try context.empty(number, of: &stored, type.keyPrefix) }
                try context.set(stored, type.keyPrefix)
                return wanted.sorted { $0.key < $1.key }.map(\.value.text)
            }
        }
    }
}
