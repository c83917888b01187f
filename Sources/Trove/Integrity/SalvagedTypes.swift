// The record types found by a salvage.

/// The record types of a damaged store, as the new store will have them.
struct SalvagedTypes {
    /// The types of the new store.
    var known: [UInt32: CatalogType] = [:]
    /// The migrations that continue in the new store.
    var migrations: [UInt32: CatalogMigration] = [:]
    /// The relations, by the prefix of their links.
    var relations: [UInt32: CatalogRelation] = [:]
    /// The losses, in words.
    var losses: [String] = []

    /// The features of the format that the indexes of the types use.
    var indexFeatures: Set<StoreFeature> { known.values.reduce(into: []) { $0.formUnion($1.indexes.features) } }

    /// Whether a type has links, even if the entry of its relation is lost.
    var haveLinks: Bool {
        !relations.isEmpty || known.values.contains { $0.indexes.values.contains { $0.kind == .list } }
    }
}
