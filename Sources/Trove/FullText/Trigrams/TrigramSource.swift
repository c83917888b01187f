// The candidates of a filter by the trigrams of an index, as a source of keys. The filter is tested on each of them.

import LMDB
import TroveCoding
import TroveText

/// The records with the trigrams that the matches of a filter have in an index.
final class TrigramSource: KeySource {
    private let schema: RecordSchema
    private let path: TrigramPath
    private let filter: TrigramFilter
    /// The source in the contexts of a run. A statement plans in the context of its transaction, and runs in the
    /// context of a nested transaction.
    private let opened = Monitor<[(context: ReadContext, source: OpenTrigrams)]>([])

    init(_ schema: RecordSchema, _ path: TrigramPath, _ filter: TrigramFilter) {
        self.schema = schema
        self.path = path
        self.filter = filter
    }

    /// The rule for the query: trigrams are already folded.
    private static let rule = TextRule(.trigrams.keepingCase(), keepsOrder: false, weights: [], fields: 0)

    private var index: IndexDescriptor { schema.indexes[path.place] }

    var plan: String { "a part by \(index.text)" }
    var swift: String { "/* \(plan) */" }
    var share: Double { 0.1 }

    func check() throws {}

    func open(in context: ReadContext) throws -> any OpenKeySource {
        if let known = opened.withLock({ $0.first { $0.context === context } }) { return known.source }
        try context.flushParts()
        guard let table = try context.table(for: schema), table.indexes.indices.contains(path.place),
            let text = table.indexes[path.place].text
        else {
            throw StoreError.text(.noFullTextIndex(type: schema.name, properties: Set(path.properties)))
        }
        let reader = TextReader(text.parts, context.keyspace)
        let clause = try filter.clause(in: reader, path.properties)
        let numbers = RecordNumbers(text.numbers, context.keyspace)
        let source = OpenTrigrams(
            OpenTextSource(
                clause, contents: .index(reader, numbers), parameters: BM25(fields: path.properties.count),
                rule: Self.rule, index: index.text, properties: path.properties, type: schema.name),
            numbers, "candidates by \(index.text) of \(schema.name): \(clause.plan)")
        opened.withLock { $0.append((context, source)) }
        return source
    }
}

/// The candidates of a filter in a transaction. Their numbers are found once.
final class OpenTrigrams: OpenCandidates {
    private let text: OpenTextSource
    private let numbers: RecordNumbers
    let description: String
    /// The numbers of the candidates found so far, ascending.
    private var ids: [UInt64] = []
    /// The scorer that finds the next candidates; nil at the end.
    private var scorer: (any TextScorer)?
    private var hasBegun = false

    init(_ text: OpenTextSource, _ numbers: RecordNumbers, _ description: String) {
        self.text = text
        self.numbers = numbers
        self.description = description
    }

    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { false }
    var isInKeyOrder: Bool { false }
    var isCounted: Bool { true }
    var walkText: String { description }
    var orderText: String { description }

    func contains(_ key: ByteView) throws -> Bool { try text.contains(key) }
    func place(of key: ByteView) throws -> [UInt8]? { try text.place(of: key) }

    /// Returns a bound of the number of candidates, without finding them.
    func countBound() throws -> Int { try text.entryCount(atMost: .max) }

    func entryCount(atMost limit: Int) throws -> Int {
        try find(atMost: limit)
        return min(limit, ids.count)
    }

    /// Returns the number of candidates, guessed from the candidates found so far.
    func guessedCount(among recordCount: Double) -> Double {
        Double(ids.count) * max(1, recordCount / Double(ids.last ?? 1))
    }

    /// Finds the candidates, up to a limit.
    private func find(atMost limit: Int) throws {
        if !hasBegun { scorer = try text.scorer() }
        hasBegun = true
        while let scorer, ids.count < limit {
            let id = try scorer.seek((ids.last ?? 0) + 1)
            guard id != endOfPostings else { return self.scorer = nil }
            ids.append(id)
        }
    }

    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? {
        try find(atMost: .max)
        guard let key else { return Walk(numbers, ids[...]) }
        return try numbers.number(of: key).map { start in Walk(numbers, ids.drop { $0 <= start }) }
    }

    private final class Walk: SourceKeyWalk {
        private let numbers: RecordNumbers
        private var ids: ArraySlice<UInt64>

        init(_ numbers: RecordNumbers, _ ids: ArraySlice<UInt64>) {
            self.numbers = numbers
            self.ids = ids
        }

        func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool {
            try numbers.appendKeys(of: ids.prefix(limit), to: keys)
            ids = ids.dropFirst(limit)
            return !ids.isEmpty
        }
    }

    func details() throws -> String? {
        try OpenTextSource.details(of: [text]).map { "trigrams\($0.dropFirst("words".count))" }
    }
}
