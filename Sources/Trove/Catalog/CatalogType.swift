// A record type in the catalog: its layouts in order, and the state of its migration.

import TroveCoding

/// A record type in the catalog.
struct CatalogType: Hashable {
    var qualifiedName: String
    /// The current generation of the type's record table.
    var generation: UInt32
    /// The layout of the keys in the record table of that generation.
    var keyLayout: String
    /// The least possible ordinal of a record's layout. If it is the ordinal of the newest layout, no record has an
    /// older layout.
    var oldestOrdinal: UInt32
    /// Every layout ever stored, by version.
    var layouts: [UInt32: CatalogLayout] = [:]
    /// The indexes, by number.
    var indexes: [UInt32: CatalogIndex] = [:]
}

extension CatalogType {
    /// Creates a type without records.
    init(_ schema: RecordSchema) {
        self.init(qualifiedName: schema.qualifiedName, generation: 0, keyLayout: schema.keyLayout, oldestOrdinal: 0)
        adopt(schema)
        oldestOrdinal = newestOrdinal
    }

    /// The version of new records.
    var newestVersion: UInt32? { versions.last }

    var newestOrdinal: UInt32 { layouts.values.map(\.ordinal).max() ?? 0 }

    /// The versions, the newest last.
    var versions: [UInt32] {
        layouts.sorted { ($0.value.ordinal, $0.key) < ($1.value.ordinal, $1.key) }.map(\.key)
    }

    /// The possible versions of records, the newest last.
    var possibleVersions: [UInt32] { versions.filter { layouts[$0]?.ordinal ?? 0 >= oldestOrdinal } }

    /// Returns whether two catalogs have the same layouts in the same order, except for a version.
    func hasSameLayouts(as other: CatalogType, excluding version: UInt32) -> Bool {
        layouts.filter { $0.key != version } == other.layouts.filter { $0.key != version }
    }

    /// Whether every record has the newest layout.
    var isMigrated: Bool { oldestOrdinal >= newestOrdinal }

    /// Returns whether a schema's layout was once the newest layout and no longer is.
    func hasNewerLayout(than schema: RecordSchema) -> Bool {
        layouts[schema.fieldsVersion] != nil && newestVersion != schema.fieldsVersion
    }

    /// Returns whether the catalog has a newer layout than a schema, or an index missing in the schema.
    func isNewer(than schema: RecordSchema) -> Bool {
        hasNewerLayout(than: schema) || !undeclaredIndexes(by: schema).isEmpty
    }

    /// Returns whether records can be written with a schema. Its name, layout and indexes must be current, without
    /// further indexes, and every index whose rule allows duplicates must be marked as possibly holding some.
    func isUpToDate(with schema: RecordSchema) -> Bool {
        hasLayout(of: schema) && currentIndexNumbers(of: schema) != nil && undeclaredIndexes(by: schema).isEmpty
            && recordsDuplicates(of: schema)
    }

    /// Returns whether a schema's name and layout are current.
    func hasLayout(of schema: RecordSchema) -> Bool {
        qualifiedName == schema.qualifiedName && newestVersion == schema.fieldsVersion
            && layouts[schema.fieldsVersion]?.text == schema.layout
    }

    /// Makes a schema's name and layout current. The key layout is replaced only if nothing but names changed;
    /// otherwise it changes with the generation.
    mutating func adopt(_ schema: RecordSchema) {
        qualifiedName = schema.qualifiedName
        if schema.hasKey(of: keyLayout) { keyLayout = schema.keyLayout }
        guard newestVersion != schema.fieldsVersion else { return }
        // Greater than `oldestOrdinal` too, in case layouts have been lost.
        let ordinal = max(newestOrdinal, oldestOrdinal) + 1
        layouts[schema.fieldsVersion] = CatalogLayout(ordinal: ordinal, text: schema.layout)
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

    /// Reads an ordinal. A value too large for a next ordinal is malformed.
    static func ordinal(decoding reader: inout ValueReader) throws(CodingError) -> UInt32 {
        let ordinal = try UInt32(decoding: &reader)
        guard ordinal < 1 << 30 else { throw CodingError(.malformed(expected: "an ordinal of a layout")) }
        return ordinal
    }
}
