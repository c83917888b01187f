// Indexes and unique constraints in the catalog, without the Swift types that declare them.

import LMDB
import TroveCoding

/// An index or a unique constraint in the catalog.
public struct StoredIndex: Sendable {
    /// The name, such as `index(age)`.
    public let name: String
    /// The types of the indexed properties, and the condition, if any.
    public let definition: String
    /// Whether the index has the entries of all records, so that queries use it.
    public var isReady: Bool { stored.isReady }
    /// The number of records indexed so far, if the index is not ready.
    public var done: Int { Int(stored.state.done) }
    /// The number of entries; of a full-text index, the number of records; of totals, the number of groups.
    public let count: Int
    /// Whether the entries are groups of records with their totals.
    public var hasGroups: Bool { stored.kind.hasGroups }
    /// The size of the index's pages in bytes.
    public let size: Int
    /// The words and the tables of a full-text index; nil for other kinds.
    public let fullText: StoredFullText?
    let stored: CatalogIndex
    let number: UInt32
    let database: Database
    let checksumSeed: CRC32C
    /// The tables of a full-text index; nil for other kinds.
    let text: OpenText?
    /// The tables of an index of totals; nil for other kinds.
    let totals: OpenTotals?
    /// The tables of a ranked index; nil for other kinds.
    let ranks: OpenRanks?
}

extension ReadContext {
    /// Returns the indexes of a type, in the order of their creation.
    func storedIndexes(of type: CatalogType, _ keyPrefix: UInt32) throws -> [StoredIndex] {
        let databases = catalogSnapshot.indexes(keyPrefix)
        return try type.indexes.sorted { $0.key < $1.key }.compactMap { number, stored in
            guard let database = databases[number] else { return nil }
            let name = TableName(keyPrefix: keyPrefix, table: TableNumber(rawValue: number))
            let tables = IndexTables(
                name: name, database: database, state: stored.state, type: type.qualifiedName,
                parts: catalogSnapshot.indexParts(keyPrefix), verifiesChecksums: false)
            let open = stored.kind.tables.open(stored, tables)
            let text = open?.text
            let fullText = try text.map { try StoredFullText(stored, $0.parts, keyspace) }
            let tree = try keyspace.statistics(of: text?.parts.documents.database ?? database)
            let counts = try open?.ranks.map { try keyspace.statistics(of: $0.counts.database).size }
            return StoredIndex(
                name: stored.text, definition: stored.definition, count: tree.entries,
                size: fullText?.tables.map(\.size).clampedSum() ?? [tree.size, counts ?? 0].clampedSum(),
                fullText: fullText, stored: stored,
                number: number, database: database, checksumSeed: name.checksumSeed, text: text,
                totals: open?.totals, ranks: open?.ranks)
        }
    }
}
