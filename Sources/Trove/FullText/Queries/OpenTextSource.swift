// A text query in a transaction.

import LMDB
import TroveCoding
import TroveText

/// Where a text query finds the words of the records.
enum TextContents {
    case index(TextReader, RecordNumbers)
    /// A scan of all records, until the index is built. It runs when a word is asked for.
    case scan(recordCount: Int, run: (WantedWords) throws -> ScannedText)
}

/// A text query in a transaction. It is compiled once, when it is needed.
final class OpenTextSource: OpenKeySource {
    private let clause: TextClause
    private let contents: TextContents
    private let parameters: BM25
    private let rule: TextRule
    private let index: IndexDescriptor
    private let type: String
    private lazy var query = Result { try compile() }
    /// The number of records tested by seeks, and the numbers of all matches once there were many tests.
    private var testCount: UInt64 = 0
    private var matches: RecordNumberSet?
    /// The scores of records whose places are asked for; nil for a record that does not match.
    private var prepared: [[UInt8]: Double?] = [:]

    init(
        _ clause: TextClause, _ contents: TextContents, _ parameters: BM25, _ rule: TextRule, _ index: IndexDescriptor,
        _ type: String
    ) {
        self.clause = clause
        self.contents = contents
        self.parameters = parameters
        self.rule = rule
        self.index = index
        self.type = type
    }

    var description: String { "\(index.text): \(clause)" }
    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { false }
    var isInKeyOrder: Bool { false }

    // MARK: Compiling

    /// The compiled query.
    private struct Query {
        /// Nil if no record matches.
        var part: CompiledText?
        var words: [CountedWord]
        var numbers: any RecordNumbering
    }

    private func compile() throws -> Query {
        let (text, numbers): (SearchedText, any RecordNumbering)
        let split = { [analyzer = rule.analyzer] text in Self.words(of: text, analyzer) }
        switch contents {
        case .index(let reader, let records): (text, numbers) = (.stored(reader), records)
        case .scan(_, let run):
            let scanned = try run(WantedWords(clause, split))
            (text, numbers) = (.scanned(scanned), scanned)
        }
        var compiler = try TextCompiler(text, parameters, type: type, properties: index.properties, words: split)
        let part = try compiler.compiled(clause)
        return Query(part: part, words: compiler.countedWords, numbers: numbers)
    }

    /// Returns a new scorer of the query; nil if no record matches.
    private func scorer() throws -> (any TextScorer)? { try query.get().part?.scorer() }

    private var numbers: any RecordNumbering { get throws { try query.get().numbers } }

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
        return try matches(among: [id]).isEmpty == false
    }

    func bits(_ run: borrowing RecordRun, among candidates: UInt64) throws -> UInt64 {
        var places: [UInt64: Int] = [:]
        for index in 0..<run.count where candidates & 1 &<< UInt64(index) != 0 {
            if let id = try numbers.number(of: run.key(at: index).copy()) { places[id] = index }
        }
        return try matches(among: places.keys.sorted()).reduce(0) { bits, id in
            bits | (places[id].map { 1 &<< UInt64($0) } ?? 0)
        }
    }

    /// The number of matches that cost as much to collect as a record costs to test by seeks.
    private static let seekCost: UInt64 = 64

    /// Returns the matches among some records.
    ///
    /// Few records are looked for one by one. Once the tests have cost as much as finding all matches, these are
    /// collected: in a bit or two bytes each.
    ///
    /// - Parameter ids: The numbers of the records, ascending.
    private func matches(among ids: [UInt64]) throws -> [UInt64] {
        guard let part = try query.get().part else { return [] }
        if matches == nil {
            testCount += UInt64(ids.count)
            if testCount * Self.seekCost > part.cost { matches = try allMatches(part) }
        }
        if let matches { return ids.filter(matches.contains) }
        let scorer = try part.scorer()
        return try ids.filter { try scorer.seek($0) == $0 && scorer.isMatch() }
    }

    private func allMatches(_ part: CompiledText) throws -> RecordNumberSet {
        var found = RecordNumberSet()
        try TextSearch(part.scorer(), key: key).forEach(scores: false) { match in
            found.append(match.id)
            return true
        }
        return found
    }

    var isCounted: Bool { true }

    func entryCount(atMost limit: Int) throws -> Int {
        if case .scan(let count, _) = contents { return min(count, limit) }
        return Int(min(UInt64(limit), try query.get().part?.cost ?? 0))
    }

    func matchCount(atMost limit: Int) throws -> Int? {
        guard limit > 0, let part = try query.get().part else { return 0 }
        if part.isExact { return Int(min(UInt64(limit), part.cost)) }
        var count = 0
        try TextSearch(part.scorer(), key: key).forEach(scores: false) { _ in
            count += 1
            return count < limit
        }
        return count
    }

    private func key(_ id: UInt64) throws -> [UInt8] {
        guard let key = try numbers.recordKey(of: id) else {
            throw StoreError.indexDamaged(type: type, index: index.text, key: StoredKey([], of: type))
        }
        return key
    }

    // MARK: In any order

    func walkInAnyOrder() throws -> any SourceKeyWalk { NumberWalk(self, try scorer()) }

    /// A walk over the matches in the order of their numbers.
    private final class NumberWalk: SourceKeyWalk {
        private let source: OpenTextSource
        /// Nil at the end.
        private var scorer: (any TextScorer)?

        init(_ source: OpenTextSource, _ scorer: (any TextScorer)?) {
            self.source = source
            self.scorer = scorer
        }

        func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool {
            guard let scorer else { return false }
            var rest = limit
            while rest > 0 {
                let id = try scorer.seek(scorer.id + 1)
                if id == endOfPostings {
                    self.scorer = nil
                    return false
                }
                guard try scorer.isMatch() else { continue }
                ByteView.with(try source.key(id)) { keys.append(key: $0) }
                rest -= 1
            }
            return true
        }
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
        let bytes = key.copy()
        guard let score = try prepared[bytes] ?? match(bytes)?.score else { return nil }
        return KeyWriter.bytes { writer in
            score.desc.encodeKey(into: &writer)
            key.withSpan { writer.writeBytes($0) }
        }
    }

    var preparesPlaces: Bool { true }

    func prepare(_ keys: EntryBuffer) throws {
        let keys = (0..<keys.count).map { keys[$0].key.copy() }
        prepared = Dictionary(zip(keys, try scores(of: keys))) { first, _ in first }
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

// MARK: In a plan

extension OpenTextSource {
    /// The number of words to name in a plan.
    private static let namedWordLimit = 20

    var walkText: String {
        let text = "search \(index.text) of \(type): \(clause.plan)"
        guard case .scan = contents else { return text }
        return text + "\nscan of all records: the index is not built yet"
    }

    var orderText: String { walkText }
    var orderName: String? { "relevance" }

    /// The words and the numbers of their records; nil if that takes a scan.
    func details() throws -> String? {
        guard case .index = contents else { return nil }
        var known: Set<CountedWord> = []
        let words = try query.get().words.filter { known.insert($0).inserted }
        var texts = words.prefix(Self.namedWordLimit).enumerated().map { place, word in
            let unit = place > 0 ? "" : word.count == 1 ? " record" : " records"
            return "\(String(decoding: word.bytes, as: UTF8.self))\(word.isPrefix ? "*" : "") \(word.count)\(unit)"
        }
        if words.count > texts.count { texts.append("and \(words.count - texts.count) more") }
        return "words: " + (texts.isEmpty ? "none" : texts.joined(separator: ", "))
    }
}
