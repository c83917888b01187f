// The catalog as it is put together from entries that may be damaged, each believed only with its right checksum.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is left of a catalog.
struct PartialCatalog {
    /// Where an entry was found.
    enum Origin { case lastCommit, commitBefore, stray }

    private(set) var format: UInt32?
    private(set) var identifier: UUID?
    private(set) var commitSequence: UInt64?
    private(set) var schemaEpoch: UInt64?
    /// The types, without their layouts.
    private(set) var types: [UInt32: CatalogType] = [:]
    private var layouts: [UInt32: [UInt32: CatalogLayout]] = [:]
    /// The indexes of the last commit. An older entry may be of one that was given up.
    private var indexes: [UInt32: [UInt32: CatalogIndex]] = [:]
    /// The types whose entries are the last commit's.
    private(set) var currentTypes: Set<UInt32> = []
    /// The migrations that the last commit has under way. An older entry says nothing of where they are.
    private(set) var migrations: [UInt32: CatalogMigration] = [:]
    /// The keys of the entries that are intact.
    private(set) var origins: [[UInt8]: Origin] = [:]

    /// No entry of a catalog comes near this size, in bytes.
    private static let largestEntry = 1 << 24

    /// Takes up an entry. Of the stray entries of one key, the latest counts.
    ///
    /// - Returns: Nil, or what is wrong with it: then it was not taken up.
    mutating func add(_ key: [UInt8], _ value: FileValue, from origin: Origin = .lastCommit) -> String? {
        if let known = origins[key], known != .stray || origin != .stray { return "the catalog has the entry twice" }
        guard value.size <= Self.largestEntry else { return "the catalog's entry has \(value.size) bytes" }
        var bytes: [UInt8] = []
        guard value.forEachPiece({ bytes += copiedBytes($0) }) else { return "the catalog's entry could not be read" }
        do {
            try bytes.withRawSpan { bytes in
                try CatalogStorage.read(key, bytes) { (value) throws(CodingError) in
                    try KeyReader.read(key) { (key) throws(CodingError) in try decode(&key, &value, from: origin) }
                }
            }
        } catch {
            return "\(error)"
        }
        origins[key] = origin
        return nil
    }

    /// Decodes an entry. All numbers of a catalog only grow: the greatest are the latest.
    private mutating func decode(
        _ key: inout KeyReader, _ value: inout ValueReader, from origin: Origin
    ) throws(CodingError) {
        switch CatalogEntryKind(rawValue: try key.readByte()) {
        case .store:
            format = try UInt32(decoding: &value)
            identifier = try UUID(decoding: &value)
        case .commitSequence:
            commitSequence = max(try CatalogStorage.count(decoding: &value), commitSequence ?? 0)
        case .schemaEpoch:
            schemaEpoch = max(try CatalogStorage.count(decoding: &value), schemaEpoch ?? 0)
        case .type:
            let prefix: UInt32 = try key.readInteger()
            let type = try CatalogType(decoding: &value)
            if let known = types[prefix], known.oldestOrdinal > type.oldestOrdinal { return }
            types[prefix] = type
            if origin == .lastCommit { currentTypes.insert(prefix) }
        case .layout:
            let prefix: UInt32 = try key.readInteger()
            let version: UInt32 = try key.readInteger()
            let layout = try CatalogLayout(decoding: &value)
            if let known = layouts[prefix]?[version], known.ordinal > layout.ordinal { return }
            layouts[prefix, default: [:]][version] = layout
        case .index:
            let prefix: UInt32 = try key.readInteger()
            let number: UInt32 = try key.readInteger()
            let table = try CatalogIndex(decoding: &value)
            if origin == .lastCommit { indexes[prefix, default: [:]][number] = table }
        case .migration:
            let prefix: UInt32 = try key.readInteger()
            let migration = try CatalogMigration(decoding: &value)
            if origin == .lastCommit { migrations[prefix] = migration }
        case nil:
            throw CodingError(.malformed(expected: "a kind of catalog entry"))
        }
    }

    /// The types with their layouts and indexes. A layout without its type could not be read.
    var completeTypes: [UInt32: CatalogType] {
        types.reduce(into: types) { types, entry in
            types[entry.key]?.layouts = layouts[entry.key] ?? [:]
            types[entry.key]?.indexes = indexes[entry.key] ?? [:]
        }
    }

    /// Whether a table of records is one of a known type that is not in use: a migration fills it, or has emptied it.
    func isSpare(_ name: TableName) -> Bool {
        name.table == .records && types[name.keyPrefix].map { $0.generation == name.other.generation } ?? false
    }

    /// The index of a name; nil where the catalog does not know it.
    func storedIndex(_ name: TableName) -> CatalogIndex? {
        name.generation == 0 ? indexes[name.keyPrefix]?[name.table.rawValue] : nil
    }

    /// The names of the indexes that the types have.
    var indexTableNames: [TableName] {
        indexes.flatMap { prefix, tables in
            tables.keys.map { TableName(keyPrefix: prefix, table: TableNumber(rawValue: $0)) }
        }
    }

    /// The names of the tables of records that the types have.
    var tableNames: [UInt32: TableName] {
        types.reduce(into: [:]) { names, entry in
            names[entry.key] = TableName(keyPrefix: entry.key, generation: entry.value.generation)
        }
    }

    /// What every catalog has, and this one has not.
    var missing: [String] {
        var missing: [String] = []
        if identifier == nil { missing.append("the store's own entry") }
        if commitSequence == nil { missing.append("the count of commits") }
        if schemaEpoch == nil { missing.append("the count of changes of types") }
        let prefixes =
            types.keys.filter { layouts[$0] == nil } + layouts.keys.filter { types[$0] == nil }
        for prefix in prefixes.sorted() {
            let name = types[prefix]?.qualifiedName
            missing.append(name.map { "each layout of \($0)" } ?? "the type of the layout with prefix \(prefix)")
        }
        return missing
    }
}
