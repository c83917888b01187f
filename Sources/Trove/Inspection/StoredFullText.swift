// The words and the tables of a stored full-text index.

import LMDB
import TroveText

/// The words and the tables of a full-text index in the catalog.
public struct StoredFullText: Hashable, Sendable, Encodable {
    /// A table of a full-text index.
    public struct Table: Hashable, Sendable, Encodable {
        /// The content: `tails`, `words`, `blocks`, `documents` or `lengths`;
        /// for gathered text also `waiting`, the records whose text is to be gathered.
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
    /// The tables, without ``StoredType/recordNumbers``, which all full-text indexes of a type share.
    public let tables: [Table]
}

extension StoredIndex {
    /// Returns the analyzer of a full-text index: one of some analyzers, or a built-in one.
    ///
    /// Returns nil for other kinds, and for an index whose analyzer is not among them.
    package func analyzer(among analyzers: [TextAnalyzer]) -> TextAnalyzer? {
        IndexDefinition.Analyzer(in: definition).flatMap { TextAnalyzer(definition: $0.text, among: analyzers) }
    }
}

extension CatalogIndex {
    /// Returns whether the index has a table of a part.
    func hasPart(_ part: UInt32) -> Bool {
        part == 0 || kind.tables.parts(of: self, TableName(keyPrefix: 0)).contains { $0.part == part }
    }

    /// Returns the name of a table of a full-text index; nil for other kinds, which have one table.
    func partName(_ part: UInt32) -> String? {
        kind == .fullText ? TextPart(rawValue: part).map { "\($0)" } : nil
    }
}

extension StoredFullText.Table {
    /// Reads the sizes of the record numbers of a type; nil if the type has none.
    init?(recordNumbersOf keyPrefix: UInt32, in tables: [TableName: Database], _ keyspace: Keyspace) throws {
        let trees = try RecordNumberParts.names(keyPrefix).compactMap { name in
            try tables[name].map { try keyspace.statistics(of: $0) }
        }
        guard let first = trees.first else { return nil }
        (name, rows, size) = ("record numbers", first.entries, trees.map(\.size).clampedSum())
    }
}

extension StoredFullText {
    /// Reads the sizes of an index.
    init(_ stored: CatalogIndex, _ parts: TextParts, _ keyspace: Keyspace) throws {
        let definition = IndexDefinition.Analyzer(in: stored.definition)
        analyzer = definition.map { String($0.rule) } ?? ""
        keepsOrder = parts.keepsOrder
        // Each word has a row. The statistics have the number too, but their row may be damaged.
        words = try keyspace.statistics(of: parts.words.database).entries
        tables = try parts.tables.map { part, table in
            let tree = try keyspace.statistics(of: table.database)
            return Table(name: "\(part)", rows: tree.entries, size: tree.size)
        }
    }
}
