// A text query in a transaction.

import LMDB
import TroveCoding
import TroveText

/// A text query in a transaction.
final class OpenTextSource: OpenKeySource {
    private let clause: TextClause
    private let reader: TextReader
    private let numbers: RecordNumbers
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

    /// Returns a new scorer of the query; nil if no record matches.
    private func scorer() throws -> (any TextScorer)? {
        var compiler = try TextCompiler(
            reader, parameters, type: type, properties: index.properties,
            words: { [analyzer = rule.analyzer] text in Self.words(of: text, analyzer) })
        return try compiler.scorer(of: clause)
    }

    /// The maximum number of words to make of a text, of which ``TextCompiler/wordLimit`` count: signs alone are left
    /// out later.
    private static let wordLimit = 8 * TextCompiler.wordLimit

    private static func words(of text: String, _ analyzer: TextAnalyzer) -> [QueryWord] {
        struct Enough: Error {}
        var words: [QueryWord] = []
        ByteView.with(text) { text in
            text.withSpan { text in
                do {
                    try analyzer.visitTokens(in: text) { term, place in
                        guard words.count < wordLimit else { throw Enough() }
                        words.append(
                            QueryWord(
                                bytes: copiedBytes(term), position: place.position, isLastSign: place.isLastSign))
                    }
                } catch {
                    // A text of millions of words is searched by its beginning.
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
            try TextSearch(scorer, key: key).forEach(scores: false) { match in
                found.insert(match.id)
                return true
            }
        }
        matches = found
        return found
    }

    func entryCount(atMost limit: Int) throws -> Int { Int(min(UInt64(limit), try scorer()?.cost ?? 0)) }

    private func key(_ id: UInt64) throws -> [UInt8] {
        guard let key = try numbers.key(of: id) else {
            throw StoreError.indexDamaged(type: type, index: index.text, key: StoredKey([], of: type))
        }
        return key.copy()
    }

    // MARK: By relevance

    /// Returns the match of a record; nil if it does not match.
    private func match(_ key: [UInt8]) throws -> TextMatch? {
        guard let id = try numbers.number(of: key), let scorer = try scorer(), try scorer.seek(id) == id,
            try scorer.isMatch()
        else { return nil }
        return TextMatch(score: try scorer.score(), id: id, key: key)
    }

    /// Returns the scores of records; nil for a record that does not match.
    func scores(of keys: [[UInt8]]) throws -> [Double?] {
        var scores = [Double?](repeating: nil, count: keys.count)
        guard let scorer = try scorer() else { return scores }
        let ids = try keys.map { try numbers.number(of: $0) ?? 0 }
        for place in ids.indices.sorted(by: { ids[$0] < ids[$1] }) where ids[place] > 0 {
            guard try scorer.seek(ids[place]) == ids[place], try scorer.isMatch() else { continue }
            scores[place] = try scorer.score()
        }
        return scores
    }

    func place(of key: ByteView) throws -> [UInt8]? {
        guard let match = try match(key.copy()) else { return nil }
        return KeyWriter.bytes { writer in
            match.score.desc.encodeKey(into: &writer)
            key.withSpan { writer.writeBytes($0) }
        }
    }

    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? {
        guard let key else { return Walk(self, after: nil) }
        return try match(key).map { Walk(self, after: $0) }
    }

    /// A walk over the hits. It finds the best hits first, then twice as many, and so on: most queries need few.
    private final class Walk: SourceKeyWalk {
        private static let greatestPage = 16_384

        private let source: OpenTextSource
        private var last: TextMatch?
        private var hits: ArraySlice<TextMatch> = []
        private var page = 16
        private var hasEnded = false

        init(_ source: OpenTextSource, after last: TextMatch?) {
            self.source = source
            self.last = last
        }

        func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool {
            var rest = limit
            while rest > 0 {
                if hits.isEmpty, !hasEnded { try readPage(atLeast: rest) }
                guard var match = hits.popFirst() else { return false }
                let key = try match.key ?? source.key(match.id)
                match.key = key
                last = match
                ByteView.with(key) { keys.append(key: $0) }
                rest -= 1
            }
            return true
        }

        private func readPage(atLeast count: Int) throws {
            guard let scorer = try source.scorer() else {
                hasEnded = true
                return
            }
            page = max(page, count)
            // The last page has all hits that are left.
            let limit = page > Self.greatestPage ? Int.max : page
            hits = try TextSearch(scorer, key: source.key).best(limit, after: last) { _ in true }[...]
            hasEnded = hits.count < limit
            page = page > Self.greatestPage ? page : 4 * page
        }
    }
}
