// A catalog assembled from possibly damaged entries. An entry is used only if its checksum is correct.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The intact part of a catalog.
struct PartialCatalog {
    /// The origin of an entry.
    enum Origin { case lastCommit, commitBefore, stray }

    /// The format, if it is later than the supported formats.
    private var laterFormat: UInt32?
    private(set) var storeEntry: StoreEntry?
    private(set) var commitSequence: UInt64?
    private(set) var schemaEpoch: UInt64?
    /// The types, without their layouts.
    private(set) var types: [UInt32: CatalogType] = [:]
    private var layouts: [UInt32: [UInt32: CatalogLayout]] = [:]
    /// The indexes of the last commit. An older entry may belong to a dropped index.
    private(set) var indexes: [UInt32: [UInt32: CatalogIndex]] = [:]
    /// The types whose entries belong to the last commit.
    private(set) var currentTypes: Set<UInt32> = []
    /// The migrations under way in the last commit. An older entry does not have their current position.
    private(set) var migrations: [UInt32: CatalogMigration] = [:]
    /// The relations, by the prefix of their links.
    private(set) var relations: [UInt32: CatalogRelation] = [:]
    /// The keys and origins of the intact entries.
    private(set) var origins: [[UInt8]: Origin] = [:]

    /// A limit for the size of an entry in bytes, far above the size of any real entry.
    private static let largestEntry = 1 << 24

    /// Adds an entry. Among stray entries with the same key, the latest is kept.
    ///
    /// - Returns: Nil, or a description of the problem. Then the entry was not added.
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

    /// Decodes an entry. The numbers in a catalog only grow, so the greatest number is the latest.
    private mutating func decode(
        _ key: inout KeyReader, _ value: inout ValueReader, from origin: Origin
    ) throws(CodingError) {
        switch CatalogEntryKind(rawValue: try key.readByte()) {
        case .store:
            try decodeStoreEntry(&value)
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
            let index = try CatalogIndex(decoding: &value)
            if origin == .lastCommit { indexes[prefix, default: [:]][number] = index }
        case .migration:
            let prefix: UInt32 = try key.readInteger()
            let migration = try CatalogMigration(decoding: &value)
            if origin == .lastCommit { migrations[prefix] = migration }
        case .relation:
            let prefix: UInt32 = try key.readInteger()
            let relation = try CatalogRelation(decoding: &value)
            if origin == .lastCommit || relations[prefix] == nil { relations[prefix] = relation }
        case .recentChanges:
            // The entry is a hint about commits of this file: a salvaged store begins without it.
            _ = try RecentChanges(decoding: &value)
        case .history:
            // Tokens name a commit of this file: a salvaged store begins a history of its own.
            _ = try CatalogHistory(decoding: &value)
        case nil:
            // A feature that may be ignored may have entries of its own.
            guard lacksFeatures else { throw CodingError(.malformed(expected: "a kind of catalog entry")) }
            try key.skip(key.remaining)
            try value.skip(value.remaining)
        }
    }

    /// Decodes the store's own entry. Features are only added to a store, so an earlier entry has no others.
    private mutating func decodeStoreEntry(_ value: inout ValueReader) throws(CodingError) {
        let format = try UInt32(decoding: &value)
        guard format <= FormatVersion.newest else {
            laterFormat = format
            return try value.skip(value.remaining)
        }
        var entry = try StoreEntry(ofFormat: format, decoding: &value)
        entry.features.formUnion(storeEntry?.features ?? [])
        storeEntry = entry
    }

    /// Whether the store's own entry is of the last commit, or lost. An earlier entry may lack features.
    var hasLastFeatures: Bool {
        guard let origin = origins[[CatalogEntryKind.store.rawValue]] else { return true }
        return origin == .lastCommit
    }

    /// Whether the store uses features that this version of Trove lacks.
    var lacksFeatures: Bool {
        storeEntry.map { !$0.features.isSubset(of: StoreFeature.supported) } ?? false
    }

    /// Returns the error for a store in a later format, or with features in a group that this version of Trove lacks.
    func error(lacking group: StoreFeature.Group, path: String) -> StoreError? {
        if let laterFormat {
            return .file(.formatTooNew(path: path, format: Int(laterFormat), supported: Int(FormatVersion.newest)))
        }
        return storeEntry?.error(lacking: group, in: StoreFeature.supported, path: path)
    }

    /// The types with their layouts and indexes. Layouts whose type is lost are left out.
    var completeTypes: [UInt32: CatalogType] {
        types.reduce(into: types) { types, entry in
            types[entry.key]?.layouts = layouts[entry.key] ?? [:]
            types[entry.key]?.indexes = indexes[entry.key] ?? [:]
        }
    }

    /// Whether a record table is a spare table of a known type: a migration is filling it, or has emptied it.
    func isSpare(_ name: TableName) -> Bool {
        guard name.table == .records, let type = types[name.keyPrefix] else { return false }
        return type.generation == name.other.generation || name == .newKeys(name.keyPrefix)
    }

    /// Whether a table is a list that a rewrite of links is filling.
    func isUnfinishedList(_ name: TableName) -> Bool {
        name.table != .records && name.generation == 0 && relations[name.keyPrefix] != nil
            && migrations[name.keyPrefix] != nil
    }

    /// Returns the index with a table name; nil if the catalog does not have it.
    func storedIndex(_ name: TableName) -> CatalogIndex? {
        name.generation == 0 ? indexes[name.keyPrefix]?[name.table.rawValue] : nil
    }

    /// The table names of all indexes.
    var indexTableNames: [TableName] {
        indexes.flatMap { prefix, indexes in
            indexes.keys.map { TableName(keyPrefix: prefix, table: TableNumber(rawValue: $0)) }
                + indexes.parts(prefix)
        }
    }

    /// The names of the types' record tables.
    var tableNames: [UInt32: TableName] {
        types.reduce(into: [:]) { names, entry in
            names[entry.key] = TableName(keyPrefix: entry.key, generation: entry.value.generation)
        }
    }

    /// The layouts that do not follow the grammar, in words.
    var malformedLayouts: [String] {
        var malformed: [String] = []
        for (_, type) in completeTypes.sorted(by: { $0.key < $1.key }) {
            let texts = type.versions.map { ("version \($0)", type.layouts[$0]?.text ?? "") }
            for (noun, text) in [("the key", type.keyLayout + "{}")] + texts {
                do throws(CodingError) {
                    _ = try RecordLayout(text)
                } catch {
                    malformed.append("the layout of \(noun) of \(type.qualifiedName) is malformed: “\(text)”: \(error)")
                }
            }
        }
        return malformed
    }

    /// The missing entries, in words.
    var missing: [String] {
        var missing: [String] = []
        if storeEntry == nil { missing.append("the store's own entry") }
        if commitSequence == nil { missing.append("the count of commits") }
        if schemaEpoch == nil { missing.append("the count of changes of types") }
        let prefixes =
            types.keys.filter { layouts[$0] == nil } + layouts.keys.filter { types[$0] == nil }
        for prefix in prefixes.sorted() {
            let name = types[prefix]?.qualifiedName
            missing.append(name.map { "each layout of \($0)" } ?? "the type of the layout with prefix \(prefix)")
        }
        for (prefix, _) in relations.sorted(by: { $0.key < $1.key }) where types[prefix] == nil {
            missing.append("the type of the links of \(links(prefix)?.description ?? "")")
        }
        for (prefix, type) in completeTypes.sorted(by: { $0.key < $1.key }) {
            for list in type.missingLists(of: relations[prefix], prefix) {
                missing.append("\(list.text) of the links \(type.qualifiedName)")
            }
        }
        for (prefix, type) in types.sorted(by: { $0.key < $1.key }) where relations[prefix] == nil {
            if indexes[prefix]?.values.contains(where: { $0.kind == .list }) == true {
                missing.append("the relation with the links \(type.qualifiedName)")
            }
        }
        return missing
    }

    /// Returns the relation whose links have a prefix; nil for the prefix of another type.
    func links(_ keyPrefix: UInt32) -> StoredLinks? {
        relations[keyPrefix].map { StoredLinks($0) { types[$0]?.qualifiedName } }
    }
}
