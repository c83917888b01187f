// The order of a query by relevance, in a transaction: scores, and the bytes that decide between equal scores.

import LMDB
import TroveCoding

/// The order of a query by relevance, in a transaction.
final class OpenRelevance<Record: IndexKeyRecord>: OpenKeySource {
    private let source: RelevanceSource<Record>
    let context: ReadContext
    private let table: RecordTable?
    /// The texts that add to scores; nil if all scores are 0.
    private let texts: OpenScoreTree?
    /// The single texts, which know the numbers of the records.
    private let allTexts: [OpenTextSource]
    private var lookups: PointLookup?
    /// The scores of records whose places are needed.
    private var prepared: [[UInt8]: Double] = [:]

    init(_ source: RelevanceSource<Record>, _ context: ReadContext) throws {
        self.source = source
        self.context = context
        table = try context.table(for: Record.schema)
        var texts = try source.texts.map { try OpenScoreTree($0, context, source.order) }
        // A scan numbers the records in its own way.
        if let tree = source.texts, let known = texts?.texts, Set(known.map(\.isScan)).count > 1 {
            texts = try OpenScoreTree(tree, context, source.order, scans: true)
        }
        self.texts = texts
        allTexts = texts?.texts ?? []
    }

    var description: String {
        guard let texts else { return source.order.text }
        return source.order.terms.isEmpty ? texts.description : "\(texts) by \(source.order.text)"
    }

    var ownerPlan: QueryPlan? { nil }
    var isSingle: Bool { false }
    var isInKeyOrder: Bool { false }
    var preparesPlaces: Bool { true }

    func contains(_ key: ByteView) throws -> Bool {
        try score(of: key.copy()) != nil
    }

    var isCounted: Bool { true }

    func entryCount(atMost limit: Int) throws -> Int { min(limit, try texts?.entryCount() ?? 0) }

    // MARK: Scores

    /// Returns a new scorer; nil if no record has a score.
    private func scorer() throws -> (any TextScorer)? {
        let scorer = try texts?.scorer()
        source.log?.clause = scorer?.clause
        return scorer
    }

    /// The score of records without a score; nil if these are no matches.
    private var leastScore: Double? { source.listsMatches ? nil : 0 }

    /// Returns the scores of records; nil for a record without a score.
    func scores(of keys: [[UInt8]]) throws -> [Double?] {
        var scores = [Double?](repeating: nil, count: keys.count)
        guard let scorer = try scorer() else { return scores }
        let ids = try keys.map { try number(of: $0) ?? 0 }
        for place in ids.indices.sorted(by: { ids[$0] < ids[$1] }) where ids[place] > 0 {
            guard try scorer.seek(ids[place]) == ids[place], try scorer.isMatch() else { continue }
            scores[place] = try scorer.score()
        }
        return scores
    }

    /// Returns the score of a record; nil if the source does not list the record.
    private func score(of key: [UInt8]) throws -> Double? {
        if let score = prepared[key] { return score }
        return try scores(of: [key])[0] ?? leastScore
    }

    // MARK: Places

    func prepare(_ keys: EntryBuffer) throws {
        let keys = (0..<keys.count).map { keys[$0].key.copy() }
        prepared.removeAll(keepingCapacity: true)
        for (key, score) in zip(keys, try scores(of: keys)) {
            if let score = score ?? leastScore { prepared[key] = score }
        }
        source.log?.replace(with: prepared)
    }

    func place(of key: ByteView) throws -> [UInt8]? {
        let key = key.copy()
        return try score(of: key).map { place($0, try tie(of: key)) }
    }

    private func place(_ score: Double, _ tie: [UInt8]) -> [UInt8] { KeyWriter.bytes(of: score.desc) + tie }

    func place(ofStart key: [UInt8], _ table: RecordTable) throws -> [UInt8] {
        guard let start = try start(key) else { throw table.noContinuation(after: key) }
        return place(start.score, start.tie ?? [])
    }

    /// Returns the bytes that decide between records with equal scores: the properties, then the key.
    fileprivate func tie(of key: [UInt8]) throws -> [UInt8] {
        guard !source.order.terms.isEmpty, let table, let record = try record(key, table) else { return key }
        return try withExtendedLifetime(record) { try MatchSorter.bytes(of: record, source.order.terms, table) }
    }

    /// Returns a record in the current layout; nil if it is not stored.
    private func record(_ key: [UInt8], _ table: RecordTable) throws -> CurrentRecord? {
        if lookups == nil { lookups = try context.keyspace.lookups(in: table.database) }
        return try ByteView.with(key) { key in
            guard let value = try lookups?.value(of: key) else { return nil }
            let record = CurrentRecord(copying: Entry(key, value))
            guard StoredValue.version(of: value) != table.fieldsVersion else { return record }
            return try withExtendedLifetime(record) { try CurrentRecord(record.decoded(table) as Record, table) }
        }
    }

    // MARK: Pages

    /// Returns the place after which a page begins; nil if the order has no such place.
    private func start(_ key: [UInt8]) throws -> TextMatch? {
        guard let table else { return nil }
        switch source.start {
        case .record(_, let fields, let hitScore)?:
            let record = CurrentRecord(key: key, fields: fields, table)
            let tie =
                source.order.terms.isEmpty ? key : try MatchSorter.bytes(of: record, source.order.terms, table)
            // A record in memory does not have its gathered text.
            let hasText = try !allTexts.contains(where: \.isGathered) && !isStored(record, key, table)
            let score = hasText ? try score(inMemory: record.decoded(table)) : try score(of: key)
            return (score ?? hitScore).map { TextMatch(score: $0, id: 0, tie: tie) }
        case .key?, nil:
            guard try context.hasRecord(Record.schema, key) else { return nil }
            return try score(of: key).map { TextMatch(score: $0, id: 0, tie: try tie(of: key)) }
        }
    }

    /// Returns whether a record is stored unchanged.
    private func isStored(_ record: CurrentRecord, _ key: [UInt8], _ table: RecordTable) throws -> Bool {
        guard let stored = try self.record(key, table) else { return false }
        return withExtendedLifetime((record, stored)) {
            record.entry.value.dropFirst(StoredValue.headerSize)
                .equals(stored.entry.value.dropFirst(StoredValue.headerSize))
        }
    }

    /// Returns the score that a record would have, made from its texts; nil if the source would not list it.
    private func score(inMemory record: Record) throws -> Double? {
        guard let scorer = try texts?.scorer(keepsUnknownWords: true) else { return leastScore }
        var parts: [ScorePart] = []
        return Record.score(of: record, scorer.clause, &parts) ?? leastScore
    }

    func walk(after key: [UInt8]?, isDescending: Bool) throws -> (any SourceKeyWalk)? {
        let wanted = try wanted()
        guard let key else { return RelevanceWalk(self, ranked(wanted, after: nil)) }
        return try start(key).map { RelevanceWalk(self, ranked(wanted, after: $0)) }
    }

    /// The number of matches that cost as much to sort as a second search for the best of them.
    private static var sortedCount: Int { 4_096 }

    /// Returns the number of best hits to find first; nil for all.
    private func wanted() throws -> Int? {
        // Other filters may leave out most hits.
        if source.hasOtherFilters, try entryCount(atMost: Self.sortedCount) < Self.sortedCount { return nil }
        return source.wanted
    }

    /// Returns the number of a record; nil if it has none.
    private func number(of key: [UInt8]) throws -> UInt64? {
        for text in allTexts {
            if let id = try text.number(of: key) { return id }
            // The records of a built index have numbers for all indexes.
            guard text.isScan else { break }
        }
        return nil
    }

    /// Returns the key of a record with a score.
    fileprivate func key(of id: UInt64) throws -> [UInt8] {
        for text in allTexts.dropLast() {
            if let key = try text.knownKey(of: id) { return key }
        }
        return try allTexts.last?.key(of: id) ?? []
    }

    /// Returns the hits in their order.
    ///
    /// - Parameter wanted: The number of hits to find first; nil for all.
    private func ranked(_ wanted: Int?, after start: TextMatch?) -> RankedHits {
        let order = TieOrder(tiesAreKeys ? allTexts.first?.recordNumbers : nil) { try self.tie(of: self.key(of: $0)) }
        return RankedHits(wanted, after: start, order) { try self.scorer() }
    }

    fileprivate func note(_ scores: [[UInt8]: Double]) { source.log?.replace(with: scores) }
    fileprivate var logsScores: Bool { source.log != nil }
    /// Whether the bytes that decide between equal scores are the bytes of the key.
    fileprivate var tiesAreKeys: Bool { source.order.terms.isEmpty }
}

/// A walk over hits.
private final class RelevanceWalk<Record: IndexKeyRecord>: SourceKeyWalk {
    private let source: OpenRelevance<Record>
    private let hits: RankedHits

    init(_ source: OpenRelevance<Record>, _ hits: RankedHits) {
        self.source = source
        self.hits = hits
    }

    func read(into keys: EntryBuffer, atMost limit: Int) throws -> Bool {
        var scores: [[UInt8]: Double] = [:]
        defer { source.note(scores) }
        for _ in 0..<limit {
            guard let hit = try hits.popFirst() else { return false }
            let tie = source.tiesAreKeys ? hit.tie : nil
            let key = try tie ?? source.key(of: hit.id)
            ByteView.with(key) { keys.append(key: $0) }
            if source.logsScores { scores[key] = hit.score }
        }
        return true
    }
}

// MARK: In a plan

extension OpenRelevance {
    var walkText: String {
        allTexts.isEmpty ? "walk \(description)" : allTexts.map(\.walkText).joined(separator: "\n")
    }

    var orderText: String { allTexts.isEmpty ? "order as \(description)" : walkText }
    var orderName: String? { source.order.text }
    func details() throws -> String? { try OpenTextSource.details(of: allTexts) }
}
