// The search of a stored type's texts, for code that reads the found records in place.

import LMDB
import TroveCoding
import TroveText

/// Typed text to search for.
package struct StoredTextMatch: Hashable, Sendable {
    /// Any text, as a user types it.
    package let typed: String
    /// The stored name of the only property in which the words are searched; nil for all.
    package let property: String?

    /// Creates the typed text of a search.
    package init(_ typed: String, in property: String?) {
        self.typed = typed
        self.property = property
    }
}

/// The records of a type whose texts match, in a transaction.
package final class StoredTextScan {
    private let tree: OpenScoreTree
    private let texts: [OpenTextSource]
    /// The search as a value; nil for a type without records.
    private lazy var clause = Result { try tree.scorer()?.clause }
    /// The hits in the order of their scores; nil for a scan without that order.
    private var hits: RankedHits?
    /// The scorer of a scan without the order of scores, and the number of its last record.
    private var scorer: (any TextScorer)?
    private var last: UInt64 = 0

    fileprivate init(_ tree: OpenScoreTree) {
        self.tree = tree
        texts = tree.texts
    }

    /// The number of matches that cost as much to sort as a second search for the best of them.
    private static let sortedCount = 4_096

    /// Begins a scan by relevance: the greatest scores first, and equal scores by key.
    ///
    /// - Parameters:
    ///   - wanted: The number of hits to find first; nil for all.
    ///   - leavesOut: Whether the caller may leave out hits, so that more of them are needed.
    package func beginRanked(_ wanted: Int?, leavesOut: Bool) throws {
        // Other conditions may leave out most hits.
        let isShort = leavesOut ? try tree.entryCount() < Self.sortedCount : false
        let order = TieOrder(texts.first?.recordNumbers, tie: key(of:))
        hits = RankedHits(isShort ? nil : wanted, order) { [tree] in try tree.scorer() }
    }

    /// Begins a scan in any order, without scores.
    package func beginUnranked() throws {
        hits = nil
        scorer = try tree.scorer()
        last = 0
    }

    /// Returns the key and the score of the next record; nil after the last. Without the order of scores, they are 0.
    package func next() throws -> (key: [UInt8], score: Double)? {
        if let hits { return try hits.popFirst().map { (try $0.tie ?? key(of: $0.id), $0.score) } }
        guard let scorer else { return nil }
        while last < endOfPostings {
            last = try scorer.seek(last + 1)
            if last == endOfPostings { return nil }
            if try scorer.isMatch() { return (try key(of: last), 0) }
        }
        return nil
    }

    /// Returns the score of a record; nil if its texts do not match.
    package func score(of key: [UInt8]) throws -> Double? {
        guard let id = try number(of: key), let scorer = try tree.scorer(), try scorer.seek(id) == id,
            try scorer.isMatch()
        else { return nil }
        return try scorer.score()
    }

    /// Returns the texts of a found record.
    package func texts(of record: StoredFields) throws -> FoundTexts {
        FoundTexts(try clause.get().map { StoredHighlights(record, $0, texts) })
    }

    private func number(of key: [UInt8]) throws -> UInt64? {
        for text in texts {
            if let id = try text.number(of: key) { return id }
            // The records of a built index have numbers for all indexes.
            guard text.isScan else { break }
        }
        return nil
    }

    private func key(of id: UInt64) throws -> [UInt8] {
        for text in texts.dropLast() {
            if let key = try text.knownKey(of: id) { return key }
        }
        return try texts.last?.key(of: id) ?? []
    }
}

extension ReadContext {
    /// Returns the scan of the records that match all of some texts; nil for a type without records.
    ///
    /// A declared type is searched as by a query of its own: with its analyzers and weights, and by a scan of the
    /// records until its index is built. Another type is searched with a built-in analyzer, or one of some analyzers.
    ///
    /// - Parameters:
    ///   - table: The table of the type.
    ///   - matches: The texts.
    ///   - analyzers: Analyzers beside the built-in ones, such as analyzers with stemmers.
    /// - Throws: ``StoreError/TextError/noFullTextIndex(type:properties:)`` and the other errors of text queries.
    package final func textScan(
        of table: StoredTable, matching matches: [StoredTextMatch], analyzers: [TextAnalyzer]
    ) throws -> StoredTextScan? {
        try translatingErrors {
            noteRead(of: table.keyPrefix)
            try flushParts()
            let schema = catalog.usedSchemas.first { $0.keyPrefix == table.keyPrefix }
            let typed = schema.map { schema in matches.compactMap { schema.typedText($0.typed, in: $0.property) } }
            if let typed {
                let order = RelevanceOrder()
                let tree = OpenScoreTree.joining(try typed.compactMap { try $0.opened(in: self, order) })
                guard Set(tree.texts.map(\.isScan)).count > 1 else { return StoredTextScan(tree) }
                // A scan numbers the records in its own way.
                let scans = try typed.compactMap { try $0.opened(in: self, order, scans: true) }
                return StoredTextScan(.joining(scans))
            }
            guard let type = try storedTypes([table.keyPrefix], named: nil).first else { return nil }
            return StoredTextScan(
                .joining(
                    try matches.map {
                        try textSource(of: type, $0.typed, in: $0.property, index: nil, analyzers).source
                    }))
        }
    }
}

extension OpenScoreTree {
    /// Returns the texts that a record must all match.
    fileprivate static func joining(_ texts: [OpenTextSource]) -> OpenScoreTree {
        guard let first = texts.first else { return .nothing }
        return texts.count == 1 ? .text(first) : .all(texts.map { .text($0) }, preferring: [])
    }
}
