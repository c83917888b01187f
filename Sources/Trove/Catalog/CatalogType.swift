// A record type in the catalog: its layouts in their order, and how far its records have come.

import TroveCoding

/// A record type as the catalog knows it.
struct CatalogType: Hashable {
    var qualifiedName: String
    /// Which making of its tables is the present one.
    var generation: UInt32
    /// The layout of the keys in the tables of that generation.
    var keyLayout: String
    /// The least ordinal that a record's layout may have: when it is the newest one's, no record is of an older layout.
    var oldestOrdinal: UInt32
    /// Every layout ever stored, by version.
    var layouts: [UInt32: CatalogLayout] = [:]
    /// Its indexes, by number.
    var indexes: [UInt32: CatalogIndex] = [:]
}

/// A layout of a record type.
struct CatalogLayout: Hashable {
    /// The greater, the newer.
    var ordinal: UInt32
    var text: String
}

/// How far the rewriting of a type's records in a new layout is.
struct CatalogMigration: Hashable {
    /// The version of that layout.
    var version: UInt32
    /// The generation of the table that receives the records: another one than the type's when keys change.
    var generation: UInt32
    /// How many records were rewritten, of how many.
    var done: UInt64
    var total: UInt64
    /// The last key that was rewritten.
    var position: [UInt8]
}

extension CatalogType {
    /// A type of which nothing is stored yet.
    init(_ schema: RecordSchema) {
        self.init(qualifiedName: schema.qualifiedName, generation: 0, keyLayout: schema.keyLayout, oldestOrdinal: 0)
        adopt(schema)
        oldestOrdinal = newestOrdinal
    }

    /// The version that records have when they are written.
    var newestVersion: UInt32? { versions.last }

    var newestOrdinal: UInt32 { layouts.values.map(\.ordinal).max() ?? 0 }

    /// The versions, the newest last.
    var versions: [UInt32] {
        layouts.sorted { ($0.value.ordinal, $0.key) < ($1.value.ordinal, $1.key) }.map(\.key)
    }

    /// The versions that records may have, the newest last.
    var possibleVersions: [UInt32] { versions.filter { layouts[$0]?.ordinal ?? 0 >= oldestOrdinal } }

    /// Whether two catalogs know the same layouts in the same order, one of them left out.
    func hasSameLayouts(as other: CatalogType, excluding version: UInt32) -> Bool {
        layouts.filter { $0.key != version } == other.layouts.filter { $0.key != version }
    }

    /// Whether every record has the newest layout.
    var isMigrated: Bool { oldestOrdinal >= newestOrdinal }

    /// Whether a schema's layout was the newest once, and another one is now.
    func hasNewerLayout(than schema: RecordSchema) -> Bool {
        layouts[schema.fieldsVersion] != nil && newestVersion != schema.fieldsVersion
    }

    /// Whether there is a newer layout than a schema's, or an index that it does not have.
    func isNewer(than schema: RecordSchema) -> Bool {
        hasNewerLayout(than: schema) || !undeclaredIndexes(by: schema).isEmpty
    }

    /// Whether a schema's name, layout and indexes are the present ones, there are no others, and nobody takes
    /// values to be unique that a rule of the schema lets stand twice: records can be written.
    func isUpToDate(with schema: RecordSchema) -> Bool {
        qualifiedName == schema.qualifiedName && newestVersion == schema.fieldsVersion
            && layouts[schema.fieldsVersion]?.text == schema.layout && currentIndexNumbers(of: schema) != nil
            && undeclaredIndexes(by: schema).isEmpty && recordsDuplicates(of: schema)
    }

    /// Makes a schema's name and layout the present ones. The layout of keys follows where only names changed; else it
    /// changes with the generation.
    mutating func adopt(_ schema: RecordSchema) {
        qualifiedName = schema.qualifiedName
        if schema.hasKey(of: keyLayout) { keyLayout = schema.keyLayout }
        guard newestVersion != schema.fieldsVersion else { return }
        // Not less than what is settled, should layouts have been lost.
        let ordinal = max(newestOrdinal, oldestOrdinal) + 1
        layouts[schema.fieldsVersion] = CatalogLayout(ordinal: ordinal, text: schema.layout)
    }
}

extension RecordSchema {
    /// Whether keys of a stored layout are the type's own, but perhaps for old names of their components.
    func hasKey(of stored: String) -> Bool {
        if stored == keyLayout { return true }
        do throws(CodingError) {
            let old = try RecordLayout(stored + "{}").key
            let new = try RecordLayout(keyLayout + "{}").key
            return old.map(\.type) == new.map(\.type)
                && zip(old, key).allSatisfy { $0.name == $1.name || $0.name == $1.rule.oldName }
        } catch {
            return false
        }
    }
}

// MARK: Bytes

extension CatalogType {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        qualifiedName = try String(decoding: &reader)
        generation = try UInt32(decoding: &reader)
        keyLayout = try String(decoding: &reader)
        oldestOrdinal = try Self.ordinal(decoding: &reader)
    }

    /// Reads an ordinal. One that leaves no room for the next was never reached by counting.
    static func ordinal(decoding reader: inout ValueReader) throws(CodingError) -> UInt32 {
        let ordinal = try UInt32(decoding: &reader)
        guard ordinal < 1 << 30 else { throw CodingError(.malformed(expected: "an ordinal of a layout")) }
        return ordinal
    }
}

extension CatalogLayout {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        ordinal = try CatalogType.ordinal(decoding: &reader)
        text = try String(decoding: &reader)
    }
}

extension CatalogMigration {
    init(decoding reader: inout ValueReader) throws(CodingError) {
        version = try UInt32(decoding: &reader)
        generation = try UInt32(decoding: &reader)
        done = try CatalogStorage.count(decoding: &reader)
        total = try CatalogStorage.count(decoding: &reader)
        position = try [UInt8](decoding: &reader)
    }
}
