// The state of a migration in the catalog.

import TroveCoding

/// The state of a migration of a type's records to a new layout.
struct CatalogMigration: Hashable {
    /// The version of the new layout.
    var version: UInt32
    /// The generation of the new table. It differs from the type's generation if keys change.
    var generation: UInt32
    /// The number of records migrated, and the total.
    var done: UInt64
    var total: UInt64
    /// The last migrated key.
    var position: [UInt8]
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
