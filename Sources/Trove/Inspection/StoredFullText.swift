// The words and the tables of a stored full-text index.

/// The words and the tables of a full-text index in the catalog.
public struct StoredFullText: Hashable, Sendable, Encodable {
    /// A table of a full-text index.
    public struct Table: Hashable, Sendable, Encodable {
        /// The content: `tails`, `words`, `blocks`, `documents` or `lengths`.
        public let name: String
        /// The number of rows.
        public let rows: Int
        /// The size of the table's pages in bytes.
        public let size: Int
    }

    /// The name, the version and the changes of the analyzer, such as `standard/1+without-english`.
    public let analyzer: String
    /// Whether phrases can be searched.
    public let keepsOrder: Bool
    /// The number of different words.
    public let words: Int
    /// The tables, without those of the record numbers, which all full-text indexes of a type share.
    public let tables: [Table]
}

extension StoredFullText {
    /// Reads the sizes of an index.
    init(_ stored: CatalogIndex, _ parts: TextParts, _ keyspace: Keyspace) throws {
        let definition = IndexDefinition.Analyzer(in: stored.definition)
        analyzer = definition.map { String($0.rule) } ?? ""
        keepsOrder = parts.keepsOrder
        // Each word has a row. The statistics have the number too, but their row may be damaged.
        words = try keyspace.statistics(of: parts.words.database).entries
        tables = try TextParts.all.map { part in
            let tree = try keyspace.statistics(of: parts[part].database)
            return Table(name: "\(part)", rows: tree.entries, size: tree.size)
        }
    }
}
