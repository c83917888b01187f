// A text query as a source of a query's records, in the order of their numbers. RelevanceSource.swift has the order of
// relevance.

import LMDB
import TroveCoding
import TroveText

/// A text query of a type.
final class TextSource: KeySource {
    private let schema: RecordSchema
    private let clause: TextClause
    /// The name of the index to use; nil for the first that has the query's properties.
    private let index: String?
    /// The filter in a plan, and as Swift; nil to use the query's own.
    private let text: (plan: String, swift: String)?
    /// Returns the query in the typed language.
    private let describe: @Sendable () -> String
    private let failure: StoreError?
    /// Calls a closure with the texts of each record for the index at a position.
    private let forEachText: @Sendable (_ place: Int, RecordTable, ReadContext, TextVisitor) throws -> Void
    /// Calls a closure with the texts of the record with a key for the index at a position.
    private let withTexts:
        @Sendable (_ place: Int, _ key: ByteView, RecordTable, ReadContext, (ByteView) throws -> Void) throws -> Void
    /// The query in the contexts of a single run, once for each weighting; nil for a query that is not planned. A
    /// statement plans in the context of its transaction, and runs in the context of a nested transaction.
    private let run: Monitor<[(context: ReadContext, source: OpenTextSource)]>?

    /// Receives the number of a record in the order of the keys, its key and its texts.
    private typealias TextVisitor = (_ number: UInt64, _ key: ByteView, _ columns: ByteView) throws -> Void

    /// - Parameters:
    ///   - index: The name of the index to use; nil for the first that has the query's properties.
    ///   - text: The filter in a plan, and as Swift; nil to use the query's own.
    init<Record>(_ query: TextQuery<Record>, index: String?, text: (plan: String, swift: String)? = nil) {
        schema = Record.schema
        clause = query.clause(forIndex: index)
        failure = query.failure
        self.text = text
        describe = { query.description }
        self.index = index
        run = nil
        forEachText = { place, table, context, body in
            try Record.forEachText(ofIndex: place, table, context, body)
        }
        withTexts = { place, key, table, context, body in
            try Record.withTexts(ofIndex: place, key: key, table: table, in: context, body)
        }
    }

    /// Creates the source for a single run of a query.
    private init(planned source: TextSource) {
        schema = source.schema
        clause = source.clause
        failure = source.failure
        (text, describe) = (source.text, source.describe)
        index = source.index
        forEachText = source.forEachText
        withTexts = source.withTexts
        run = Monitor([])
    }

    var plan: String { text?.plan ?? "words match \(describe())" }
    var swift: String { text?.swift ?? ".matches(\"\(describe().replacing("\"", with: "\\\""))\")" }

    /// The share of records that a text query finds is unknown before its words are counted.
    var scoreOrder: (any ScoreOrder)? { RelevanceOrder() }
    var share: Double { 0.1 }

    /// Throws the error of the query, also for an index that the type does not declare.
    func check() throws(StoreError) {
        if let failure { throw failure }
        _ = try place()
    }

    /// Returns the index that is searched, as the type declares it.
    func declaredIndex() throws(StoreError) -> IndexDescriptor { schema.indexes[try place()] }

    func planned(in context: ReadContext) -> any KeySource { TextSource(planned: self) }

    func open(in context: ReadContext) throws -> any OpenKeySource {
        try opened(in: context, RelevanceOrder()) ?? NoTexts()
    }

    /// Returns the source in a transaction, with the weights of an order; nil if the store has no table for the type.
    ///
    /// - Parameter scans: Whether the records are scanned although the index is built.
    func opened(in context: ReadContext, _ order: RelevanceOrder, scans: Bool = false) throws -> OpenTextSource? {
        try check()
        try context.flushParts()
        guard let table = try context.table(for: schema) else { return nil }
        let place = try self.place()
        let declared = schema.indexes[place]
        guard let rule = declared.rule else {
            throw StoreError.text(.noFullTextIndex(type: schema.name, properties: clause.properties))
        }
        let parameters = order.parameters(declared)
        let known = run?.withLock { opened in
            opened.first {
                $0.context === context && $0.source.parameters == parameters && (!scans || $0.source.isScan)
            }
        }
        if let known { return known.source }
        let contents = try contents(at: place, rule: rule, scans: scans, table: table, in: context)
        let open = OpenTextSource(
            clause, contents: contents, parameters: parameters, rule: rule, index: declared.text,
            properties: declared.properties, type: schema.name,
            texts: rule.gathering == nil
                ? { [withTexts] key, body in
                    try ByteView.with(key) { try withTexts(place, $0, table, context, body) }
                } : nil)
        run?.withLock { $0.append((context, open)) }
        return open
    }

    /// Returns the index at a position; until it is built, a scan of the records.
    private func contents(
        at place: Int, rule: TextRule, scans: Bool, table: RecordTable, in context: ReadContext
    ) throws -> TextContents {
        // Without all of the declared indexes, the table knows none of them.
        if !scans, table.indexes.indices.contains(place), table.indexes[place].isReady,
            let text = table.indexes[place].text
        {
            return .index(TextReader(text.parts, context.keyspace), RecordNumbers(text.numbers, context.keyspace))
        }
        // The records do not have the text.
        if rule.gathering != nil { throw notReady(table, place, try context.keyspace.count(table.database)) }
        let fields = schema.indexes[place].properties.count
        return .scan(recordCount: try context.keyspace.count(table.database)) { [forEachText] wanted in
            var scan = TextScan(wanted, rule, fields: fields)
            try forEachText(place, table, context) { try scan.add($0, $1, $2) }
            return scan.text
        }
    }

    /// Returns the error for gathered text: of its own index, or of another index of the query, which is not built yet.
    private func notReady(_ table: RecordTable, _ place: Int, _ total: Int) -> StoreError {
        let places = [place] + schema.indexes.indices.filter { schema.indexes[$0].kind == .fullText }
        let unready = places.first { !(table.indexes.indices.contains($0) && table.indexes[$0].isReady) } ?? place
        let done = table.indexes.indices.contains(unready) ? table.indexes[unready].state.done : 0
        return .text(
            .textNotReady(
                type: schema.name, index: schema.indexes[unready].text, done: Int(clamping: done), total: total))
    }

    /// Returns the position of the index among the indexes of the type.
    private func place() throws(StoreError) -> Int {
        let properties = clause.properties
        let texts = schema.indexes.indices.filter { schema.indexes[$0].kind == .fullText }
        let places = texts.filter { place in
            let declared = schema.indexes[place]
            if let index { return declared.name == index || declared.text == index }
            return properties.isSubset(of: declared.properties)
        }
        // A partial index lacks records, and trigrams are not words: both are searched only if there is nothing else.
        guard let place = places.first(where: { schema.indexes[$0].hasAllWords }) ?? places.first else {
            guard let index, !texts.isEmpty else {
                throw .text(.noFullTextIndex(type: schema.name, properties: properties))
            }
            throw .schema(.noSuchIndex(type: schema.name, index: index, indexes: texts.map { schema.indexes[$0].text }))
        }
        try schema.checkTexts(properties, in: [schema.indexes[place]])
        return place
    }
}

extension RecordSchema {
    /// Returns a typed query of the records' texts; nil for links, which have no texts.
    ///
    /// - Parameter property: The only property in which the words are searched; nil for all.
    func typedText(_ typed: String, in property: String?) -> TextSource? {
        func source<Record: IndexKeyRecord>(_ type: Record.Type) -> TextSource {
            guard let property else { return TextSource(TextQuery<Record>(typed), index: nil) }
            return TextSource(TextQuery<Record>(.within([property], TypedQuery(typed).clause)), index: nil)
        }
        return type.map { source($0) }
    }

    /// Throws an error for properties that none of the searched full-text indexes has.
    func checkTexts(_ properties: some Sequence<String>, in searched: [IndexDescriptor]) throws(StoreError) {
        let missing = Set(properties).subtracting(searched.flatMap(\.properties))
        if missing.isEmpty { return }
        let known = indexes.filter { $0.kind == .fullText }.flatMap(\.properties)
        guard missing.isSubset(of: known) else {
            throw .text(.noFullTextIndex(type: name, properties: missing.subtracting(known)))
        }
        throw .text(.notInTextIndex(type: name, properties: missing, searched: searched.map(\.text)))
    }
}

extension TextClause {
    /// The names of all properties in the clause.
    var properties: Set<String> {
        switch self {
        case .nothing, .everything, .phrase, .near, .prefix, .fuzzy: []
        case .all(let clauses), .any(let clauses): clauses.reduce(into: []) { $0.formUnion($1.properties) }
        case .excluding(let clause, let other), .preferring(let clause, let other):
            clause.properties.union(other.properties)
        case .within(let names, let clause): clause.properties.union(names)
        case .boosted(let clause, _): clause.properties
        }
    }
}

/// The texts of a type without records.
private final class NoTexts: OpenKeySource {
    var description: String { "search" }
    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { false }
    var isInKeyOrder: Bool { false }

    func contains(_ key: ByteView) throws -> Bool { false }
    func entryCount(atMost limit: Int) throws -> Int { 0 }
    func place(of key: ByteView) throws -> [UInt8]? { nil }
    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? { nil }
}
