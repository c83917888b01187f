// Searches the words of stored records, without the Swift types: the definition of a full-text index names its
// analyzer.

import LMDB
import TroveCoding
import TroveText

extension ReadContext {
    /// Returns the stored records of a type whose texts match typed text, by relevance; among equal scores, by key.
    ///
    /// The text is that of ``TextQuery``: any text is a query. The weights of properties are not stored, so a word
    /// counts the same in each property. The checksums of the index's rows and of the records are verified.
    ///
    /// ```swift
    /// let article = try context.storedTypes().first { $0.name == "Library.Article" }!
    /// for hit in try context.storedHits(of: article, matching: "ordered store", limit: 10) {
    ///     print(hit.score, hit.key, hit.record["title"]!)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: An element of ``storedTypes()``.
    ///   - typed: Any text, as a user types it.
    ///   - index: The name of a full-text index, such as `fullText(title,body)`; nil for the first with the properties
    ///     that the text names, preferably with the words of all records.
    ///   - limit: The maximum number of hits; at least 0.
    /// - Throws: ``StoreError/noFullTextIndex(type:properties:)`` and ``StoreError/noSuchIndex(type:index:indexes:)``;
    ///   ``StoreError/textNotReady(type:index:done:total:)``; ``StoreError/unknownAnalyzer(type:index:analyzer:)`` for
    ///   an index whose analyzer only its program has; ``StoreError/indexDamaged(type:index:key:)``,
    ///   ``StoreError/checksumMismatch(type:key:)`` and ``StoreError/corrupted(type:key:reason:)`` for a damaged row or
    ///   record.
    public final func storedHits(
        of type: StoredType, matching typed: String, index: String? = nil, limit: Int
    ) throws -> [StoredHit] {
        try translatingErrors {
            try flushTexts()
            let layout = try type.layout(of: type.versions.last)
            let query = TypedQuery(typed, fields: Set((layout.key + layout.fields).map(\.name)))
            let index = try type.fullTextIndex(named: index, for: query.clause, layout)
            let source = try OpenTextSource(query.clause, of: index, type, in: self)
            guard limit > 0, let scorer = try source.scorer() else { return [] }
            var reader = StoredRecordReader(type)
            return try TextSearch(scorer, tie: source.key(of:)).best(limit, where: { _ in true }).map { match in
                let key = try source.key(of: match.id)
                guard let record = try reader.record(key, in: keyspace) else {
                    throw StoreError.indexDamaged(type: type.name, index: index.name, key: type.storedKey(key))
                }
                return StoredHit(record: record, key: type.storedKey(key), score: match.score)
            }
        }
    }
}

extension StoredType {
    /// Returns a full-text index.
    ///
    /// - Parameter name: The name of the index; nil for the first that has the properties of a clause.
    fileprivate func fullTextIndex(
        named name: String?, for clause: TextClause, _ layout: RecordLayout
    ) throws -> StoredIndex {
        let texts = indexes.filter { $0.stored.kind.isText }
        let properties = clause.properties
        let fitting = texts.filter { index in
            name.map { index.name == $0 || index.stored.name == $0 } ?? properties.isSubset(of: index.stored.properties)
        }
        let whole = fitting.first { index in
            guard let definition = IndexDefinition(parsing: index.definition, in: layout) else { return false }
            let analyzer = definition.analyzer.flatMap { TextAnalyzer(definition: $0.text) }
            return definition.condition == nil && analyzer?.makesWords != false
        }
        if let index = whole ?? fitting.first { return index }
        if let name, !texts.isEmpty {
            throw StoreError.noSuchIndex(type: self.name, index: name, indexes: texts.map(\.name))
        }
        throw StoreError.noFullTextIndex(type: self.name, properties: properties)
    }
}

extension OpenTextSource {
    /// Opens a query in a stored index with a built-in analyzer. The rows that it reads are verified.
    fileprivate convenience init(
        _ clause: TextClause, of index: StoredIndex, _ type: StoredType, in context: ReadContext
    ) throws {
        guard index.isReady else {
            throw StoreError.textNotReady(type: type.name, index: index.name, done: index.done, total: type.count)
        }
        guard let stored = IndexDefinition.Analyzer(in: index.definition),
            let analyzer = TextAnalyzer(definition: stored.text)
        else {
            let analyzer = IndexDefinition.Analyzer(in: index.definition).map { String($0.rule) }
            throw StoreError.unknownAnalyzer(type: type.name, index: index.name, analyzer: analyzer ?? index.definition)
        }
        let name = TableName(keyPrefix: type.keyPrefix, table: TableNumber(rawValue: index.number))
        let tables = context.catalogSnapshot.texts(type.keyPrefix)
        guard let text = OpenText(name, index.stored, type: type.name, tables, verifiesChecksums: true) else {
            throw StoreError.indexDamaged(type: type.name, index: index.name, key: StoredKey([], of: type.name))
        }
        let fields = index.stored.properties.count
        let rule = TextRule(analyzer, keepsOrder: stored.keepsOrder, weights: [], fields: fields)
        self.init(
            clause,
            .index(TextReader(text.parts, context.keyspace), RecordNumbers(text.numbers, context.keyspace)),
            BM25(fields: fields), rule, index.name, index.stored.properties, type.name,
            texts: analyzer.makesWords ? nil : Self.texts(of: index.stored.properties, type, context))
    }

    /// Returns the function that reads the texts of a record's properties.
    private static func texts(
        of properties: [String], _ type: StoredType, _ context: ReadContext
    ) -> (_ key: [UInt8], _ body: (ByteView) throws -> Void) throws -> Void {
        { key, body in
            var reader = StoredRecordReader(type)
            guard let record = try reader.record(key, in: context.keyspace) else { return }
            let columns = KeyWriter.bytes { writer in
                for property in properties {
                    TextColumn.encode((record[property]?.texts ?? []).map { Array($0.utf8) }, into: &writer)
                }
            }
            try ByteView.with(columns, body)
        }
    }
}

extension FieldValue {
    /// The texts of a property of a full-text index.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .some(let value): value.texts
        default: []
        }
    }
}
