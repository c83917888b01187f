// A text query in a transaction.

import LMDB
import TroveCoding
import TroveText

/// A text query in a transaction.
final class OpenTextSource: OpenKeySource {
    private let clause: TextClause
    private let reader: TextReader
    let numbers: RecordNumbers
    private let parameters: BM25
    private let rule: TextRule
    private let index: IndexDescriptor
    private let type: String
    /// The numbers of all matches, once a record is tested.
    private var matches: Set<UInt64>?

    init(
        _ clause: TextClause, _ reader: TextReader, _ numbers: RecordNumbers, _ parameters: BM25, _ rule: TextRule,
        _ index: IndexDescriptor, _ type: String
    ) {
        self.clause = clause
        self.reader = reader
        self.numbers = numbers
        self.parameters = parameters
        self.rule = rule
        self.index = index
        self.type = type
    }

    var description: String { "\(index.text): \(clause)" }
    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { false }
    var isInKeyOrder: Bool { false }

    /// The stored names of the index's properties.
    var properties: [String] { index.properties }

    /// Returns a new scorer of the query; nil if no record matches.
    ///
    /// - Parameter keepsUnknownWords: Whether words that no record has are kept: a text in memory may have them.
    func scorer(keepsUnknownWords: Bool = false) throws -> (any TextScorer)? {
        var compiler = try TextCompiler(
            reader, parameters, type: type, index: index.text, properties: index.properties,
            words: { [analyzer = rule.analyzer] text in Self.words(of: text, analyzer) })
        compiler.keepsUnknownWords = keepsUnknownWords
        return try compiler.scorer(of: clause)
    }

    private static func words(of text: String, _ analyzer: TextAnalyzer) -> [QueryWord] {
        var words: [QueryWord] = []
        ByteView.with(text) { text in
            text.withSpan { text in
                _ = analyzer.visitTokens(in: text) { term, place in
                    words.append(
                        QueryWord(bytes: copiedBytes(term), position: place.position, isLastSign: place.isLastSign))
                }
            }
        }
        return words
    }

    // MARK: Tests and counts

    func contains(_ key: ByteView) throws -> Bool {
        guard let id = try numbers.number(of: key.copy()) else { return false }
        return try allMatches().contains(id)
    }

    private func allMatches() throws -> Set<UInt64> {
        if let matches { return matches }
        var found: Set<UInt64> = []
        if let scorer = try scorer() {
            try TextSearch(scorer, tie: key(of:)).forEach(scores: false) { match in
                found.insert(match.id)
                return true
            }
        }
        matches = found
        return found
    }

    func entryCount(atMost limit: Int) throws -> Int { Int(min(UInt64(limit), try scorer()?.cost ?? 0)) }

    /// Returns the key of a record.
    func key(of id: UInt64) throws -> [UInt8] {
        guard let key = try numbers.key(of: id) else {
            throw StoreError.indexDamaged(type: type, index: index.text, key: StoredKey([], of: type))
        }
        return key.copy()
    }

    // MARK: Walking

    func place(of key: ByteView) throws -> [UInt8]? {
        guard try contains(key), let id = try numbers.number(of: key.copy()) else { return nil }
        var place: [UInt8] = []
        RowNumber.append(id, to: &place)
        return place
    }

    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? {
        guard let key else { return Walk(self, try scorer(), after: 0) }
        return try numbers.number(of: key).map { Walk(self, try scorer(), after: $0) }
    }

    /// A walk over the matches in the order of their numbers, in constant memory.
    private final class Walk: SourceKeyWalk {
        private let source: OpenTextSource
        private let scorer: (any TextScorer)?
        private var last: UInt64

        init(_ source: OpenTextSource, _ scorer: (any TextScorer)?, after last: UInt64) {
            (self.source, self.scorer, self.last) = (source, scorer, last)
        }

        func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool {
            guard let scorer, last < endOfPostings else { return false }
            var rest = limit
            while rest > 0 {
                last = try scorer.seek(last + 1)
                if last == endOfPostings { return false }
                guard try scorer.isMatch() else { continue }
                try ByteView.with(source.key(of: last)) { keys.append(key: $0) }
                rest -= 1
            }
            return true
        }
    }
}
