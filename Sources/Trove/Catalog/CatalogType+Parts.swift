// The tables of a type's indexes, as their kinds name them.

extension [UInt32: CatalogIndex] {
    /// Returns the names of the tables of a type's indexes with several tables, and of the tables that they share.
    func parts(_ keyPrefix: UInt32) -> [TableName] {
        var parts: [TableName] = []
        var shared: [TableName] = []
        for (number, index) in sorted(by: { $0.key < $1.key }) {
            let name = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
            parts += index.kind.tables.parts(of: index, name)
            for name in index.kind.tables.sharedParts(keyPrefix) where !shared.contains(name) {
                shared.append(name)
            }
        }
        return parts + shared
    }

    /// The features of the format that a store with the indexes uses.
    var features: Set<StoreFeature> { Set(values.compactMap(\.kind.tables.feature)) }
}
