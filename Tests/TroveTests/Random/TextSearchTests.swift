// Searches: what an index finds is what a look through all texts finds.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

struct TextSearchTests {
    /// Texts of few words, some in most of them, so that clauses have matches and words have several blocks.
    private func texts(
        _ count: Int, fields: Int, _ random: inout SeededGenerator
    ) -> [String: ModelText] {
        var texts: [String: ModelText] = [:]
        for number in 0..<count {
            let text: ModelText = (0..<fields).map { _ in
                let length = Int.random(in: 0...(Int.random(in: 0..<10, using: &random) == 0 ? 60 : 8), using: &random)
                var position = 0
                return (0..<length).map { _ in
                    let skewed = Double.random(in: 0..<1, using: &random)
                    let word = "w\(Int(40 * skewed * skewed * skewed))"
                    defer { position += Int.random(in: 0..<12, using: &random) == 0 ? 2 : 1 }
                    return ModelWord(text: word, position: position)
                }
            }
            texts["k\(number)"] = text
        }
        return texts
    }

    private func word(_ random: inout SeededGenerator) -> String { "w\(Int.random(in: 0...41, using: &random))" }

    private func clause(_ depth: Int, _ fields: Int, _ random: inout SeededGenerator) -> TextClause {
        func text(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in word(&random) }.joined(separator: " ")
        }
        func clauses() -> [TextClause] {
            (0..<Int.random(in: 1...4, using: &random)).map { _ in clause(depth - 1, fields, &random) }
        }
        switch Int.random(in: 0..<(depth == 0 ? 11 : 18), using: &random) {
        case 0...3: return .phrase(word(&random))
        case 4: return .phrase(text(1...3), slop: Int.random(in: 0...3, using: &random))
        case 5: return .phrase(text(1...2), atStart: true)
        case 6: return .near(text(1...3), within: Int.random(in: 0...4, using: &random))
        case 7: return .prefix("w\(Int.random(in: 0...4, using: &random))")
        case 8: return .prefix("\(word(&random)) w\(Int.random(in: 0...4, using: &random))")
        case 9: return .fuzzy(word(&random), edits: [nil, 1, 2].randomElement(using: &random)!)
        case 10: return .fuzzy(text(1...3), edits: 1, anyFirstLetter: Bool.random(using: &random))
        case 11, 12: return .all(clauses())
        case 13, 14: return .any(clauses())
        case 15:
            return .excluding(
                Bool.random(using: &random) ? clause(depth - 1, fields, &random) : .everything,
                clause(depth - 1, fields, &random))
        case 16: return .preferring(clause(depth - 1, fields, &random), clause(depth - 1, fields, &random))
        default:
            let names = (0..<fields).filter { _ in Bool.random(using: &random) }.map { "f\($0)" }
            return .boosted(
                .within(names, clause(depth - 1, fields, &random)), Double(Int.random(in: 0...3, using: &random)))
        }
    }

    private func parameters(_ fields: Int, _ random: inout SeededGenerator) -> BM25 {
        var parameters = BM25(fields: fields)
        parameters.weights = (0..<fields).map { _ in
            Bool.random(using: &random)
                ? Double(Int.random(in: 0...3, using: &random)) : Double.random(in: 0...1_000, using: &random)
        }
        parameters.k1 = [0, 0.3, BM25.usualK1, 7.7, 1_000].randomElement(using: &random)!
        parameters.b = [0, 0.3, BM25.usualB, 1].randomElement(using: &random)!
        return parameters
    }

    @Test(arguments: [(1, 900), (3, 400)])
    func anySearch_findsWhatALookThroughAllTextsFinds(fields: Int, count: Int) throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let fixture = try TextFixture(fields: fields)
        let texts = texts(count, fields: fields, &random)
        try fixture.write { session in
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) { try session.save(key, text) }
        }
        var slow = SlowTextSearch(texts, fields: fields)
        try fixture.read { reader, parts in
            let numbers = RecordNumbers(parts, reader.keyspace)
            func key(_ id: UInt64) throws -> [UInt8] { try #require(try numbers.key(of: id)).copy() }
            for round in 0..<150 {
                let clause = clause(3, fields, &random)
                slow.parameters = parameters(fields, &random)
                func compiled() throws -> (compiler: TextCompiler, text: CompiledText?) {
                    var compiler = try TextCompiler(
                        .stored(reader), slow.parameters, type: "Poem", index: "fullText",
                        properties: (0..<fields).map { "f\($0)" },
                        spellings: SlowTextSearch.spellings)
                    let text = try compiler.compiled(clause)
                    return (compiler, text)
                }
                // Of more beginnings than that, some are left out.
                guard try compiled().compiler.mayAddSums else { continue }
                func scorer() throws -> (any TextScorer)? { try compiled().text?.scorer() }
                let note = "round \(round) of seed \(seed): \(clause)"
                let expected = slow.matches(clause)
                var found: [String: Double] = [:]
                var all: [TextMatch] = []
                if let scorer = try scorer() {
                    try TextSearch(scorer).forEach(scores: true) { match in
                        all.append(TextMatch(score: match.score, id: match.id, tie: try key(match.id)))
                        found[String(decoding: try key(match.id), as: UTF8.self)] = match.score
                        return true
                    }
                }
                #expect(Set(found.keys) == Set(expected.keys), "\(note)")
                for (key, score) in found {
                    let other = expected[key] ?? .infinity
                    #expect(abs(score - other) <= 1e-12 * max(1, abs(other)), "\(note): \(key)")
                }
                all.sort { $0.score == $1.score ? $0.tie!.lexicographicallyPrecedes($1.tie!) : $0.score > $1.score }
                for limit in [1, 3, 20] {
                    func best(after last: TextMatch? = nil) throws -> [TextMatch] {
                        var order = TieOrder(Bool.random(using: &random) ? numbers : nil, tie: key)
                        order.sortedLimit = Int.random(in: 0...4, using: &random)
                        return try RankedHits(limit, after: last, order, scorer: scorer).popFirst(limit)
                    }
                    let top = try best()
                    #expect(top.map(\.id) == all.prefix(limit).map(\.id), "\(note): best \(limit)")
                    #expect(top.map(\.score) == all.prefix(limit).map(\.score), "\(note): best \(limit)")
                    guard !top.isEmpty else { continue }
                    let next = try best(after: all[top.count - 1])
                    #expect(next.map(\.id) == all.dropFirst(limit).prefix(limit).map(\.id), "\(note): after \(limit)")
                }
            }
        }
    }

    @Test func near_visitsItsPlacesInOrder() {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        for round in 0..<50 {
            let matcher = PhraseMatcher([.word(1), .word(2), .word(1)], offsets: [0, 1, 2], .near(3), atStart: false)
            var places = PhrasePlaces(of: matcher)
            for position in 0..<200 {
                let word = Int.random(in: 0..<6, using: &random)
                places.begin(at: position)
                if word < 2 { places.add(word) }
            }
            var starts: [Int] = []
            matcher.forEachOccurrence(in: places) { occurrence in
                starts.append(occurrence.map { places.positions[$0.word][$0.places.lowerBound] }.min() ?? -1)
            }
            let expected = (0..<200).filter { first in
                func count(_ word: Int) -> Int { places.positions[word].count { first..<first + 6 ~= $0 } }
                return places.positions.joined().contains(first) && count(0) >= 2 && count(1) >= 1
            }
            #expect(starts == expected, "round \(round) of seed \(seed)")
        }
    }
}
