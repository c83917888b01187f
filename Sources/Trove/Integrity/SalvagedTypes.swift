// The record types found by a salvage.

/// The record types of a damaged store, as the new store will have them.
struct SalvagedTypes {
    /// The types of the new store.
    var known: [UInt32: CatalogType] = [:]
    /// The migrations that continue in the new store.
    var migrations: [UInt32: CatalogMigration] = [:]
    /// The losses, in words.
    var losses: [String] = []
}
