// A text query in a transaction.

import LMDB
import TroveCoding
import TroveText

/// Where a text query finds the words of the records.
enum TextContents {
    case index(TextReader, RecordNumbers)
    /// A scan of all records, until the index is built. It runs when a word is needed.
    case scan(recordCount: Int, run: (WantedWords) throws -> ScannedText)
}

/// A text query in a transaction. It is compiled once, when it is needed.
final class OpenTextSource: OpenKeySource {
    private let clause: TextClause
    private let contents: TextContents
    let parameters: BM25
    private let rule: TextRule
    /// The index as messages name it.
    let index: String
    /// The stored names of the index's properties.
    let properties: [String]
    private let type: String
    /// Calls a closure with the texts of a record; nil if the texts are not stored in the records.
    private let texts: RecordTexts.Reader?
    private lazy var query = Result { try compile() }
    /// The number of records tested by seeks, and the numbers of all matches once there were many tests.
    private var testCount: UInt64 = 0
    private var matches: RecordNumberSet?

    init(
        _ clause: TextClause, contents: TextContents, parameters: BM25, rule: TextRule, index: String,
        properties: [String], type: String, texts: RecordTexts.Reader? = nil
    ) {
        self.texts = texts
        self.clause = clause
        self.contents = contents
        self.parameters = parameters
        self.rule = rule
        self.index = index
        self.properties = properties
        self.type = type
    }

    var isGathered: Bool { rule.gathering != nil }

    var description: String { "\(index): \(clause)" }
    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { false }
    var isInKeyOrder: Bool { false }

    // MARK: Compiling

    /// The compiled query.
    private struct Query {
        var text: SearchedText
        /// Nil if no record matches.
        var part: CompiledText?
        var words: [CountedWord]
        var numbers: any RecordNumbering
    }

    private func compile() throws -> Query {
        let (text, numbers): (SearchedText, any RecordNumbering)
        switch contents {
        case .index(let reader, let records): (text, numbers) = (.stored(reader), records)
        case .scan(_, let run):
            let scanned = try run(WantedWords(clause, spellings))
            (text, numbers) = (.scanned(scanned), scanned)
        }
        var compiler = try compiler(of: text, numbers)
        let part = try compiler.compiled(clause)
        return Query(text: text, part: part, words: compiler.countedWords, numbers: numbers)
    }

    private func compiler(of text: SearchedText, _ numbers: any RecordNumbering) throws -> TextCompiler {
        let texts = rule.searchesTexts ? recordTexts(among: numbers) : nil
        var compiler = try TextCompiler(
            text, parameters, type: type, index: index, properties: properties, texts: texts,
            spellings: spellings)
        compiler.sharesPositions = rule.analyzer.sharesPositions
        return compiler
    }

    /// Returns the texts of the records with some numbers; nil for gathered text. They may outlive this source.
    private func recordTexts(among numbers: any RecordNumbering) -> RecordTexts? {
        texts.map { withTexts in
            RecordTexts(analyzer: rule.analyzer) { [type, index] id, body in
                try withTexts(OpenTextSource.key(of: id, among: numbers, type, index), body)
            }
        }
    }

    var analyzer: TextAnalyzer { rule.analyzer }

    /// Returns the words of a text, as for the texts of the index.
    private func spellings(_ text: String, endsWithPrefix: Bool) -> [QuerySpelling] {
        QuerySpelling.spellings(of: text, endsWithPrefix: endsWithPrefix, rule.analyzer)
    }

    /// Returns a new scorer of the query; nil if no record matches.
    ///
    /// - Parameter keepsUnknownWords: Whether words that no record has are kept: a text in memory may have them.
    func scorer(keepsUnknownWords: Bool = false) throws -> (any TextScorer)? {
        let query = try query.get()
        guard keepsUnknownWords else { return try query.part?.scorer() }
        var compiler = try compiler(of: query.text, query.numbers)
        compiler.keepsUnknownWords = true
        return try compiler.compiled(clause)?.scorer()
    }

    /// The number of records that wait for their text; 0 for the records' own text.
    private var waitingCount: Int {
        get throws {
            guard case .index(let reader, _) = contents, let waiting = reader.parts.waiting else { return 0 }
            return try WaitingRecords(waiting, reader.keyspace).count()
        }
    }

    /// Whether the records are scanned.
    var isScan: Bool { if case .scan = contents { true } else { false } }

    /// The stored numbers of the records; nil if the records are scanned.
    var recordNumbers: RecordNumbers? { if case .index(_, let numbers) = contents { numbers } else { nil } }

    private var numbers: any RecordNumbering { get throws { try query.get().numbers } }

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
        try TextSearch(part.scorer()).forEach(scores: false) { match in
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
        try TextSearch(part.scorer()).forEach(scores: false) { _ in
            count += 1
            return count < limit
        }
        return count
    }

    /// Returns the number of a record; nil if it has none.
    func number(of key: [UInt8]) throws -> UInt64? { try numbers.number(of: key) }

    /// Returns the key of a record.
    func key(of id: UInt64) throws -> [UInt8] { try Self.key(of: id, among: numbers, type, index) }

    private static func key(
        of id: UInt64, among numbers: any RecordNumbering, _ type: String, _ index: String
    ) throws -> [UInt8] {
        guard let key = try numbers.recordKey(of: id) else {
            throw StoreError.record(.indexDamaged(type: type, index: index, key: StoredKey([], of: type)))
        }
        return key
    }

    /// Returns the key of a record; nil if the scan of the records has not kept it.
    func knownKey(of id: UInt64) throws -> [UInt8]? { try numbers.recordKey(of: id) }

    // MARK: Walking

    func place(of key: ByteView) throws -> [UInt8]? {
        guard try contains(key), let id = try number(of: key.copy()) else { return nil }
        var place: [UInt8] = []
        RowNumber.append(id, to: &place)
        return place
    }

    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? {
        guard let key else { return Walk(self, try scorer(), after: 0) }
        return try number(of: key).map { Walk(self, try scorer(), after: $0) }
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

// MARK: Words

extension OpenTextSource {
    /// Returns the words of the index; of a scan, the wanted words.
    func vocabulary(_ wanted: WantedWords) throws -> Vocabulary {
        switch contents {
        case .index(let reader, let numbers):
            return Vocabulary(text: .stored(reader), texts: recordTexts(among: numbers))
        case .scan(_, let run):
            let scanned = try run(wanted)
            return Vocabulary(text: .scanned(scanned), texts: recordTexts(among: scanned))
        }
    }

    /// Returns the last word of a text, which may go on: empty for an empty text, and nil for a text without words.
    /// Only the end of a long text is read.
    ///
    /// - Returns: The folded word, and the term that the index has for it; nil if it has none or several.
    func lastWord(of text: String) -> (folded: [UInt8], term: [UInt8]?)? {
        if text.isEmpty { return ([], nil) }
        let words = analyzer.queryWords(of: String(text.unicodeScalars.suffix(TypedText.signLimit)))
        let wanted = QueryWord.withoutPairedSigns(
            words.map { QueryWord(bytes: $0.folded, position: $0.position, isLastSign: $0.isLastSign) }
        ).last
        guard let wanted else { return nil }
        let word = words.last { $0.position == wanted.position && $0.folded == wanted.bytes }
        return (wanted.bytes, word?.term)
    }
}

// MARK: In a plan

extension OpenTextSource {
    /// The number of words to name in a plan.
    private static let namedWordLimit = 20

    var walkText: String {
        let text = "search \(index) of \(type): \(clause.plan)"
        return isScan ? text + "\nscan of all records: the index is not built yet" : text
    }

    var orderText: String { walkText }

    func details() throws -> String? { try Self.details(of: [self]) }

    /// Returns the words of texts, with the numbers of their records; nil if that takes a scan.
    static func details(of texts: [OpenTextSource]) throws -> String? {
        guard !texts.isEmpty, !texts.contains(where: \.isScan) else { return nil }
        var known: Set<CountedWord> = []
        let words = try texts.flatMap { try $0.query.get().words }.filter { known.insert($0).inserted }
        var names = words.prefix(namedWordLimit).enumerated().map { place, word in
            word.text(unit: place > 0 ? "" : word.word.count == 1 ? " record" : " records")
        }
        if words.count > names.count { names.append("and \(words.count - names.count) more") }
        let waiting = try texts.reduce(0) { try $0 + $1.waitingCount }
        return "words: " + (names.isEmpty ? "none" : names.joined(separator: ", "))
            + (waiting > 0 ? "\nwaiting for their text: \(waiting) record\(waiting == 1 ? "" : "s")" : "")
    }
}
