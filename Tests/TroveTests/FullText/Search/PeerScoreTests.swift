// Relevance: scores are those of SQLite's FTS5 and of bm25s, over texts of WordNet.
//
// `scripts/update-relevance` writes the texts, the queries and their scores. TROVE_RELEVANCE is a directory of its
// files, with all texts of WordNet; otherwise the committed excerpt is used.

import Foundation
import Testing

@testable import Trove

@IndexKeyRecord("id")
private struct Synset {
    #FullTextIndex<Synset>(\.title, \.body)

    let id: Int
    var title: String
    var body: String
}

struct PeerScoreTests {
    /// The relative difference between equal scores: sums are rounded in another order.
    private static let tolerance = 1e-12

    private let store: Store

    init() throws {
        let synsets = try Self.lines(of: "texts").enumerated().map { index, columns in
            Synset(id: index + 1, title: columns[0], body: columns[1])
        }
        store = try Store.temporary(records: [Synset.self])
        try store.insert(contentsOf: synsets)
    }

    /// Returns the columns of each line of a file.
    private static func lines(of file: String) throws -> [[String]] {
        let samples = StoredSamples.folder.appending(path: "WordNet")
        let directory = ProcessInfo.processInfo.environment["TROVE_RELEVANCE"].map { URL(filePath: $0) } ?? samples
        return try String(contentsOf: directory.appending(path: file + ".tsv"), encoding: .utf8)
            .split(separator: "\n")
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }

    /// The hits of a query: their number, and the best.
    private struct Hits {
        var count: Int
        var best: [(id: Int, score: Double)]
    }

    /// Reads hits from the last two columns of a line.
    private func hits(in columns: [String]) throws -> Hits {
        let (count, best) = (columns[columns.count - 2], columns[columns.count - 1])
        return Hits(
            count: try #require(Int(count)),
            best: try best.split(separator: " ").map { hit in
                let parts = hit.split(separator: ":")
                return (try #require(Int(parts[0])), try #require(Double(parts[1])))
            })
    }

    /// Returns the hits of a query with other parameters than those of the index.
    private func hits(_ query: TextQuery<Synset>, _ parameters: BM25, atMost limit: Int) throws -> Hits {
        try store.read { context in
            let table = try #require(try context.table(for: Synset.schema))
            let text = try #require(table.indexes[0].text)
            let reader = TextReader(text.parts, context.keyspace)
            let numbers = RecordNumbers(text.numbers, context.keyspace)
            func scorer() throws -> (any TextScorer)? {
                var compiler = try TextCompiler(
                    .stored(reader), parameters, type: "Synset", index: "fullText(title,body)",
                    properties: ["title", "body"], spellings: SlowTextSearch.spellings)
                return try compiler.compiled(query.clause)?.scorer()
            }
            var count = 0
            try scorer().map(TextSearch.init)?.forEach(scores: false) { _ in
                count += 1
                return true
            }
            // The records have the numbers 1, 2 and so on, as their ids.
            let order = TieOrder(numbers) { try #require(try numbers.key(of: $0)).copy() }
            let best = try RankedHits(limit, order, scorer: scorer).popFirst(limit)
            return Hits(count: count, best: best.map { (Int($0.id), $0.score) })
        }
    }

    /// Expects the same hits in the same order, in which hits of equal scores may change places.
    private func expect(_ hits: Hits, toBe expected: Hits, factor: Double = 1, _ note: String) {
        #expect(hits.count == expected.count, "\(note)")
        #expect(hits.best.count == expected.best.count, "\(note)")
        func isEqual(_ score: Double, _ other: Double) -> Bool {
            abs(score - factor * other) <= Self.tolerance * abs(score)
        }
        for (hit, other) in zip(hits.best, expected.best) {
            #expect(isEqual(hit.score, other.score), "\(note): \(hit) instead of \(other)")
            guard hit.id != other.id else { continue }
            // A tie: with another of the best hits, or with one after them.
            let place = expected.best.first { $0.id == hit.id } ?? expected.best[expected.best.count - 1]
            #expect(isEqual(hit.score, place.score), "\(note): \(hit) instead of \(other)")
        }
    }

    @Test func scores_areThoseOfFTS5_withItsInverseFrequency() throws {
        let lines = try Self.lines(of: "fts5")
        #expect(lines.count == 500)
        for columns in lines {
            let expected = try hits(in: columns)
            var parameters = BM25(fields: 2)
            parameters.inverseFrequency = .fts5
            parameters.weights = columns[1].split(separator: " ").compactMap { Double($0) }
            let found = try hits(TextQuery(columns[0]), parameters, atMost: max(1, expected.best.count))
            expect(found, toBe: expected, "\(columns[0]), weights \(columns[1])")
        }
    }

    @Test func scores_areThoseOfBM25S_timesAConstant() throws {
        let lines = try Self.lines(of: "bm25s")
        #expect(lines.count == 500)
        for columns in lines {
            let expected = try hits(in: columns)
            let query = Synset.matching(TextQuery(columns[0], joining: .any))
            let best = try query.limit(expected.best.count).hits(in: store).map { ($0.record.id, $0.score) }
            let found = Hits(count: try query.count(in: store), best: best)
            // bm25s leaves out the factor k1 + 1, which is the same for all hits.
            expect(found, toBe: expected, factor: 2.2, columns[0])
        }
    }
}
