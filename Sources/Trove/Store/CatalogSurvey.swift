// The catalog as it is put together from entries that may be damaged, each believed only with its right checksum.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is left of a catalog.
struct CatalogSurvey {
    private(set) var format: UInt32?
    private(set) var identifier: UUID?
    private(set) var commitSequence: UInt64?
    private(set) var schemaEpoch: UInt64?
    private(set) var types: [UInt32: CatalogType] = [:]
    /// The types of which there is a layout.
    private(set) var prefixesOfLayouts: Set<UInt32> = []
    /// The entries that are intact, as they are stored.
    private(set) var entries: [[UInt8]: [UInt8]] = [:]

    /// No entry of a catalog comes near this size, in bytes.
    private static let largestEntry = 1 << 24

    /// Takes up an entry.
    ///
    /// - Returns: Nil, or what is wrong with it: then it was not taken up.
    mutating func add(_ key: [UInt8], _ value: FileValue) -> String? {
        guard value.size <= Self.largestEntry else { return "the catalog's entry has \(value.size) bytes" }
        var bytes: [UInt8] = []
        guard value.forEachPiece({ bytes += copiedBytes($0) }) else { return "the catalog's entry could not be read" }
        guard entries[key] == nil else { return "the catalog has the entry twice" }
        do {
            try CatalogTable.read(key, unsafe bytes.span.bytes) { (value) throws(CodingError) in
                try unsafe KeyReader.read(key.span.bytes) { (key) throws(CodingError) in
                    try decode(&key, &value)
                }
            }
        } catch {
            return "\(error)"
        }
        entries[key] = bytes
        return nil
    }

    private mutating func decode(_ key: inout KeyReader, _ value: inout ValueReader) throws(CodingError) {
        switch CatalogEntryKind(rawValue: try key.readByte()) {
        case .store:
            format = try UInt32(decoding: &value)
            identifier = try UUID(decoding: &value)
        case .commitSequence:
            commitSequence = try CatalogTable.count(decoding: &value)
        case .schemaEpoch:
            schemaEpoch = try CatalogTable.count(decoding: &value)
        case .type:
            let prefix: UInt32 = try key.readInteger()
            types[prefix] = CatalogType(
                qualifiedName: try String(decoding: &value), generation: try UInt32(decoding: &value),
                keyLayout: try String(decoding: &value))
        case .layout:
            let prefix: UInt32 = try key.readInteger()
            _ = try key.readInteger() as UInt32
            _ = try String(decoding: &value)
            prefixesOfLayouts.insert(prefix)
        case nil:
            throw CodingError(.malformed(expected: "a kind of catalog entry"))
        }
    }

    /// The entries of which a catalog can be made: a layout without its type could not be read.
    var usefulEntries: [[UInt8]: [UInt8]] {
        entries.filter { key, _ in
            guard key.first == CatalogEntryKind.layout.rawValue, key.count >= 5 else { return true }
            return types[key[1..<5].reduce(0) { $0 << 8 | UInt32($1) }] != nil
        }
    }

    /// The names of the tables that the types have.
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
            types.keys.filter { !prefixesOfLayouts.contains($0) } + prefixesOfLayouts.filter { types[$0] == nil }
        for prefix in prefixes.sorted() {
            let name = types[prefix]?.qualifiedName
            missing.append(name.map { "each layout of \($0)" } ?? "the type of the layout with prefix \(prefix)")
        }
        return missing
    }
}
