// A record type of a store, without its Swift type.

import LMDB
import TroveCoding

/// A record type in the catalog.
public struct StoredType: Sendable {
    /// The type's name with its module, as of the last write.
    public internal(set) var name: String
    /// The identity of the type in this store.
    public let keyPrefix: UInt32
    /// The names and types of the key components.
    public let keyLayout: String
    /// Every layout of the type's records so far, by version.
    public let layouts: [UInt32: String]
    /// The versions in the order of their introduction. The last version is current.
    public let versions: [UInt32]
    /// The possible versions of records, in the same order. Versions whose records have all been migrated are left out.
    public let possibleVersions: [UInt32]
    /// The current migration; nil if there is none.
    public let migration: StoredMigration?
    /// The number of records.
    public let count: Int
    /// The size of the record table's pages in bytes.
    public let size: Int
    /// The indexes and unique constraints, in the order of their creation.
    public let indexes: [StoredIndex]
    /// The numbers of the records, which all full-text indexes of the type share; nil if it has no such index.
    public let recordNumbers: StoredFullText.Table?
    /// The relation whose links are the records of the type; nil for a type with records of its own.
    public let links: StoredLinks?
    let records: Database
    package let checksumSeed: CRC32C
}

extension StoredType {
    /// Returns the layout of a version; for nil, the layout of the key alone.
    package func layout(of version: UInt32?) throws -> RecordLayout {
        guard let text = version.map({ layouts[$0] }) ?? keyLayout + "{}" else {
            throw StoreError.schema(.unsupportedMigration(type: name, version: version ?? 0))
        }
        do {
            return try RecordLayout(text)
        } catch {
            throw StoreError.schema(.layoutDamaged(type: name, layout: text, reason: error))
        }
    }

    /// Returns the layout of new records; nil if a part of it is described by a name alone.
    func newestLayout() throws -> RecordLayout? {
        guard let version = versions.last else { return nil }
        let layout = try layout(of: version)
        return layout.unknownPart == nil ? layout : nil
    }
}

extension StoredType {
    /// Returns the key of a record.
    package func storedKey(_ bytes: [UInt8]) -> StoredKey { StoredKey(bytes, of: name, layout: keyLayout) }
}
