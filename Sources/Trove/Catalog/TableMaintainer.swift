// The tables of indexes, as the kinds of indexes name and open them.

/// The maintenance of the tables of indexes. The defaults are those of a single table of entries.
protocol TableMaintainer: IndexMaintenance {
    /// The feature of the format that a store with such an index uses; nil for none.
    var feature: StoreFeature? { get }

    /// Returns the names of the tables of an index; empty if its first table is its only one.
    ///
    /// - Parameter name: The name of the first table.
    func parts(of index: CatalogIndex, _ name: TableName) -> [TableName]

    /// Returns the names of the tables that the indexes of a type share.
    func sharedParts(_ keyPrefix: UInt32) -> [TableName]

    /// Opens an index; returns nil if it lacks tables.
    func open(_ index: CatalogIndex, _ tables: IndexTables) -> OpenIndex?

    /// Writes the rows of an index without records into its empty tables, before a build.
    ///
    /// - Parameter name: The name of the first table.
    func prepare(_ index: CatalogIndex, _ name: TableName, _ keyspace: Keyspace) throws

    /// Whether the index follows each save and each removal of a record, after all entries are written.
    var followsRecords: Bool { get }
}

extension TableMaintainer {
    var feature: StoreFeature? { nil }
    func parts(of index: CatalogIndex, _ name: TableName) -> [TableName] { [] }
    func sharedParts(_ keyPrefix: UInt32) -> [TableName] { [] }
    func open(_ index: CatalogIndex, _ tables: IndexTables) -> OpenIndex? { OpenIndex(index.kind, tables) }
    func prepare(_ index: CatalogIndex, _ name: TableName, _ keyspace: Keyspace) throws {}
    var followsRecords: Bool { false }
}

extension EntryMaintainer: TableMaintainer {}

extension IndexKind {
    private static let tableMaintainers = MaintainersByKind<any TableMaintainer> {
        $0 as? any TableMaintainer ?? EntryMaintainer()
    }

    /// The maintenance of the tables of indexes.
    var tables: any TableMaintainer { Self.tableMaintainers[self] }
}
