// The check of indexes by what the store itself knows of them: for who has not the Swift types.

import LMDB
import TroveCoding

/// What could be told of an index or a unique constraint without the Swift type that declares it.
public struct StoredIndexCheck: Hashable, Sendable, Codable {
    /// How far it was compared with the records.
    public enum Extent: String, Hashable, Sendable, Codable {
        /// Row by row, and record by record.
        case whole
        /// Row by row. It has a condition, which only its program can ask: whether rows are missing is not known.
        case entries
        /// Not at all: it is still being made.
        case notReady
        /// Not at all: only its program knows how its entries follow from records.
        case unknown
    }

    /// The record type's name, with its module.
    public var type: String
    /// Its own name, such as `index(age)`.
    public var index: String
    /// How many rows it has.
    public var entries: Int
    /// How far it was compared.
    public var extent: Extent
    /// How many records were left out, because they have an older layout, which only the program converts.
    public var olderRecords: Int
    /// What is wrong, at most 1,000 for all tables of a type.
    public var differences: [IndexDifference]
}

/// What could be told of the indexes of a record type without the Swift type that declares them.
public struct StoredTypeCheck: Hashable, Sendable, Codable {
    /// Each of them.
    public var indexes: [StoredIndexCheck]
    /// The damaged records that were met when tables were compared with the records, at most 1,000.
    public var damagedRecords: [IndexDifference]
}

extension ReadContext {
    /// Compares the indexes of a type with what follows from its records, as far as their definitions tell.
    ///
    /// Whether two records have the same unique values is left open: a constraint may let them.
    ///
    /// - Parameter type: One of ``storedTypes()``.
    /// - Returns: What was found out about each.
    /// - Throws: ``StoreError``.
    /// - Complexity: O(*n* log *n*) in the number of records, in constant memory.
    public final func checkStoredIndexes(of type: StoredType) throws -> StoredTypeCheck {
        try translatingErrors {
            let layout = try type.newestLayout()
            let derivations = type.indexes.map { table in
                table.isReady ? layout.flatMap { LayoutDerivation(table.table, in: $0) } : nil
            }
            let tables = zip(type.indexes, derivations).map { table, derivation in
                derivation.map { derivation in
                    CheckedIndex(
                        name: table.name, database: table.rows, seed: table.checksumSeed,
                        hasAllEntries: !derivation.isPartial, valueSize: derivation.valueSize(in:))
                }
            }
            var check = IndexCheck(
                keyspace, type: type.name, records: type.records, seed: type.checksumSeed, tables
            ) { key, value in
                let version = UInt32(littleEndian: unsafe value.unsafeLoadUnaligned(as: UInt32.self))
                guard let layout, version == type.versions.last else { return nil }
                var list = IndexEntries()
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
            let checks = zip(type.indexes, derivations).map { table, derivation in
                StoredIndexCheck(
                    type: type.name, index: table.name, entries: table.count,
                    extent: derivation.map { $0.isPartial ? .entries : .whole }
                        ?? (table.isReady ? .unknown : .notReady),
                    olderRecords: check.unknownRecords,
                    differences: check.differences.filter { $0.index == table.name })
            }
            return StoredTypeCheck(
                indexes: checks, damagedRecords: check.differences.filter { $0.kind == .damagedRecord })
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
    /// Empties indexes, which the next program makes anew that opens the store with their type declared.
    ///
    /// A program that has the type makes them at once: ``rebuild(_:index:progress:)``. Until then, queries do without
    /// them, and writes maintain them.
    ///
    /// - Parameters:
    ///   - index: The name of one, such as `index(age)`; nil for all of the type.
    ///   - type: One of ``ReadContext/storedTypes()``.
    /// - Returns: The names of the tables.
    /// - Throws: ``StoreError/noSuchIndex(type:index:indexes:)``.
    public func markForRebuild(_ index: String? = nil, of type: StoredType) throws -> [String] {
        try write { context in
            try translatingErrors {
                guard var stored = try context.catalogStorage().type(type.keyPrefix) else { return [] }
                let wanted = stored.indexes.filter { index ?? $0.value.text == $0.value.text }
                guard index == nil || !wanted.isEmpty else {
                    throw StoreError.noSuchIndex(
                        type: type.name, index: index ?? "", indexes: type.indexes.map(\.name))
                }
                if wanted.isEmpty { return [] }
                for number in wanted.keys { try context.empty(number, of: &stored, type.keyPrefix) }
                try context.set(stored, type.keyPrefix)
                return wanted.sorted { $0.key < $1.key }.map(\.value.text)
            }
        }
    }
}
