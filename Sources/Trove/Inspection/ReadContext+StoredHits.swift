// Searches the words of stored records, without the Swift types: the definition of a full-text index names its
// analyzer.

import LMDB
import TroveCoding
import TroveText

extension ReadContext {
    /// Returns the stored records of a type whose texts match typed text, by relevance; among equal scores, by key.
    ///
    /// The text is read like a ``TextQuery``: any text is a query. The weights of properties are not stored, so a word
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
    ///   - snippetWords: The number of words of a snippet, at least 1; nil for hits without snippets.
    ///   - analyzers: Analyzers of indexes beside the built-in ones, such as analyzers with stemmers. An index is
    ///     searched with the analyzer of its definition.
    /// - Throws: ``StoreError/TextError/noFullTextIndex(type:properties:)`` and
    ///   ``StoreError/SchemaError/noSuchIndex(type:index:indexes:)``;
    ///   ``StoreError/TextError/textNotReady(type:index:done:total:)``;
    ///   ``StoreError/TextError/unknownAnalyzer(type:index:analyzer:)`` for an index whose analyzer is not among them;
    ///   ``StoreError/RecordError/indexDamaged(type:index:key:)``,
    ///   ``StoreError/RecordError/checksumMismatch(type:key:)`` and
    ///   ``StoreError/RecordError/corrupted(type:key:reason:)`` for a damaged row or record.
    public final func storedHits(
        of type: StoredType, matching typed: String, index: String? = nil, limit: Int, snippetWords: Int? = nil,
        analyzers: [TextAnalyzer] = []
    ) throws -> [StoredHit] {
        try translatingErrors {
            try flushParts()
            let (index, source) = try textSource(of: type, typed, index: index, analyzers)
            guard limit > 0, let scorer = try source.scorer() else { return [] }
            var reader = StoredRecordReader(type)
            let hits = RankedHits(limit, TieOrder(source.recordNumbers, tie: source.key(of:))) { try source.scorer() }
            return try hits.popFirst(limit).map { match in
                let key = try source.key(of: match.id)
                guard let record = try reader.record(key, in: keyspace) else {
                    throw StoreError.record(.indexDamaged(type: type.name, index: index.name, key: type.storedKey(key)))
                }
                let words = snippetWords.map { ($0, StoredHighlights(record.fields, scorer.clause, [source])) }
                return StoredHit(
                    record: record, key: type.storedKey(key), score: match.score,
                    snippets: words.map { $1.snippets(words: $0) } ?? [], parts: words?.1.scoreParts ?? [])
            }
        }
    }

    /// Returns corrections of a typed text that find stored records of a type, the best first.
    ///
    /// See ``suggestions(for:of:index:limit:)``.
    ///
    /// - Parameters:
    ///   - typed: Any text, as a user types it.
    ///   - type: An element of ``storedTypes()``.
    ///   - index: The name of a full-text index; nil for the first with the properties that the text names.
    ///   - limit: The maximum number of suggestions, up to 20.
    ///   - analyzers: Analyzers of indexes beside the built-in ones.
    /// - Throws: The errors of ``storedHits(of:matching:index:limit:snippetWords:analyzers:)``.
    public final func storedSuggestions(
        for typed: String, of type: StoredType, index: String? = nil, limit: Int = 3, analyzers: [TextAnalyzer] = []
    ) throws -> [TextSuggestion] {
        try translatingErrors {
            try flushParts()
            let source = try textSource(of: type, typed, index: index, analyzers).source
            let corrections = try TextCorrections(
                typed, source.analyzer, names: Set(source.properties), source.vocabulary)
            return try corrections.best(limit) { text in
                try textSource(of: type, text, index: index, analyzers).source.matchCount(atMost: .max) ?? 0
            }
        }
    }

    /// Opens a typed query in an index of a stored type.
    ///
    /// - Parameter property: The only property in which the words are searched; nil for all.
    final func textSource(
        of type: StoredType, _ typed: String, in property: String? = nil, index: String?, _ analyzers: [TextAnalyzer]
    ) throws -> (index: StoredIndex, source: OpenTextSource) {
        let indexes = type.fullTextIndexes(named: index, try type.layout(of: type.versions.last))
        let clause =
            property.map { .within([$0], TypedQuery(typed).clause) }
            ?? TypedQuery(typed, forOneOf: indexes.map { Set($0.stored.properties) }).clause
        let index = try type.fullTextIndex(named: index, for: clause, among: indexes)
        return (index, try OpenTextSource(clause, of: index, type, analyzers, in: self))
    }
}

extension StoredType {
    /// Returns the full-text indexes, first the indexes with the words of all records.
    ///
    /// - Parameter name: The name of an index; nil for all indexes.
    fileprivate func fullTextIndexes(named name: String?, _ layout: RecordLayout) -> [StoredIndex] {
        let texts = indexes.filter { index in
            index.stored.kind == .fullText && (name == nil || index.name == name || index.stored.name == name)
        }
        let areWhole = texts.map { index in
            guard let definition = IndexDefinition(parsing: index.definition, in: layout) else { return false }
            let analyzer = definition.analyzer.flatMap { TextAnalyzer(definition: $0.text) }
            return definition.condition == nil && !index.stored.isGathered && analyzer?.makesWords != false
        }
        let places = texts.indices
        return (places.filter { areWhole[$0] } + places.filter { !areWhole[$0] }).map { texts[$0] }
    }

    /// Returns the first of some full-text indexes that has the properties of a clause.
    ///
    /// - Parameter name: The name of the wanted index; nil for any.
    fileprivate func fullTextIndex(
        named name: String?, for clause: TextClause, among texts: [StoredIndex]
    ) throws -> StoredIndex {
        let properties = clause.properties
        if let index = texts.first(where: { properties.isSubset(of: $0.stored.properties) }) { return index }
        let all = indexes.filter { $0.stored.kind == .fullText }.map(\.name)
        if let name, !all.isEmpty { throw StoreError.schema(.noSuchIndex(type: self.name, index: name, indexes: all)) }
        throw StoreError.text(.noFullTextIndex(type: self.name, properties: properties))
    }
}

extension OpenTextSource {
    /// Opens a query in a stored index with a built-in analyzer, or one of some analyzers. The rows that it reads are
    /// verified.
    fileprivate convenience init(
        _ clause: TextClause, of index: StoredIndex, _ type: StoredType, _ analyzers: [TextAnalyzer],
        in context: ReadContext
    ) throws {
        guard index.isReady else {
            throw StoreError.text(
                .textNotReady(type: type.name, index: index.name, done: index.done, total: type.count))
        }
        guard let stored = IndexDefinition.Analyzer(in: index.definition),
            let analyzer = index.analyzer(among: analyzers)
        else {
            let analyzer = IndexDefinition.Analyzer(in: index.definition).map { String($0.rule) }
            throw StoreError.text(
                .unknownAnalyzer(type: type.name, index: index.name, analyzer: analyzer ?? index.definition))
        }
        let name = TableName(keyPrefix: type.keyPrefix, table: TableNumber(rawValue: index.number))
        let tables = context.catalogSnapshot.indexParts(type.keyPrefix)
        guard let text = OpenText(name, index.stored, type: type.name, tables, verifiesChecksums: true) else {
            throw StoreError.record(
                .indexDamaged(type: type.name, index: index.name, key: StoredKey([], of: type.name)))
        }
        let properties = index.stored.properties
        let fields = properties.count
        let rule = TextRule(analyzer, keepsOrder: stored.keepsOrder, weights: [], fields: fields)
        self.init(
            clause,
            contents: .index(TextReader(text.parts, context.keyspace), RecordNumbers(text.numbers, context.keyspace)),
            parameters: BM25(fields: fields), rule: rule, index: index.name, properties: properties, type: type.name,
            texts: index.stored.isGathered ? nil : Self.texts(of: properties, type, context))
    }

    /// Returns the function that reads the texts of a record's properties.
    private static func texts(
        of properties: [String], _ type: StoredType, _ context: ReadContext
    ) -> RecordTexts.Reader {
        { key, body in
            var reader = StoredRecordReader(type)
            guard let record = try reader.record(key, in: context.keyspace) else { return }
            let columns = KeyWriter.bytes { writer in
                for property in properties {
                    TextColumn.encode(record[property]?.texts ?? [], into: &writer)
                }
            }
            try ByteView.with(columns, body)
        }
    }
}
