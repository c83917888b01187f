// Hits of equal scores: a limited search gives the beginning of the whole list, and does not read the key of each tie.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct TaggedLine: Hashable {
    #FullTextIndex<TaggedLine>(\.text)

    let id: Int
    var text: String
    var shelf: Int
    var year: Int
}

@Suite("Hits of equal scores") struct EqualScoreTests {
    // MARK: Searches

    /// Texts of which most have one of a few lengths and numbers of words.
    private func texts(_ count: Int, _ random: inout SeededGenerator) -> [String: ModelText] {
        var texts: [String: ModelText] = [:]
        for number in 0..<count {
            var words = ["same"]
            if Int.random(in: 0..<4, using: &random) == 0 { words.append("same") }
            if Int.random(in: 0..<3, using: &random) == 0 { words.append("tag") }
            words.append("word\(Int.random(in: 0..<40, using: &random))")
            if Int.random(in: 0..<50, using: &random) == 0 { words += (0..<30).map { "long\($0)" } }
            texts["k\(number)"] = modelText(words.shuffled(using: &random).joined(separator: " "))
        }
        return texts
    }

    private func clause(_ random: inout SeededGenerator) -> TextClause {
        let word = TextClause.phrase("word\(Int.random(in: 0..<41, using: &random))")
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: return .phrase("same")
        case 2: return .all([.phrase("same"), .phrase("tag")])
        case 3: return .any([.phrase("tag"), word])
        case 4: return .prefix("word")
        case 5: return .excluding(.everything, word)
        case 6: return .excluding(.phrase("same"), word)
        case 7: return .preferring(.phrase("same"), word)
        case 8: return .fuzzy("sane", edits: 1)
        default: return .phrase("same tag")
        }
    }

    @Test func anyPage_isThatOfTheWholeList() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let fixture = try TextFixture()
        let texts = texts(1_800, &random)
        try fixture.write { session in
            // Numbers are given in another order than that of the keys.
            for key in texts.keys.sorted().shuffled(using: &random) { try session.save(key, texts[key]!) }
        }
        try fixture.read { reader, parts in
            let numbers = RecordNumbers(parts, reader.keyspace)
            func key(_ id: UInt64) throws -> [UInt8] { try #require(try numbers.key(of: id)).copy() }
            for round in 0..<20 {
                let clause = clause(&random)
                func scorer() throws -> (any TextScorer)? {
                    var compiler = try TextCompiler(
                        .stored(reader), BM25(fields: 1), type: "Poem", index: "fullText", properties: ["f0"],
                        spellings: SlowTextSearch.spellings)
                    return try compiler.compiled(clause)?.scorer()
                }
                var all: [(id: UInt64, score: Double, key: [UInt8])] = []
                try scorer().map(TextSearch.init)?.forEach(scores: true) { match in
                    all.append((match.id, match.score, try key(match.id)))
                    return true
                }
                all.sort { $0.score == $1.score ? $0.key.lexicographicallyPrecedes($1.key) : $0.score > $1.score }
                for _ in 0..<4 {
                    let walks = Bool.random(using: &random)
                    var order = TieOrder(walks ? numbers : nil, tie: key)
                    order.sortedLimit = [0, 3, 100, 1_024].randomElement(using: &random)!
                    let wanted = [1, 7, 40, 900, nil].randomElement(using: &random)!
                    let after = Bool.random(using: &random) ? all.indices.randomElement(using: &random) : nil
                    let start = after.map { TextMatch(score: all[$0].score, id: all[$0].id, tie: all[$0].key) }
                    let hits = try RankedHits(wanted, after: start, order, scorer: scorer).popFirst(.max)
                    let expected = all.dropFirst(after.map { $0 + 1 } ?? 0)
                    let note = "round \(round) of seed \(seed): \(clause), \(order.sortedLimit), \(wanted ?? -1)"
                    #expect(hits.map(\.id) == expected.map { $0.id }, "\(note)")
                    #expect(hits.map(\.score) == expected.map { $0.score }, "\(note)")
                    for (hit, known) in zip(hits, expected) where hit.tie != nil { #expect(hit.tie == known.key) }
                }
            }
        }
    }

    /// The number of keys read for ties, of scorers made, and of moves of cursors.
    private struct Work {
        var ties = 0
        var scorers = 0
        var moves = 0
    }

    /// Returns the work of a search until a number of hits.
    private func work(
        of clause: TextClause, _ count: Int, wanted: Int, in fixture: TextFixture
    ) throws -> Work {
        try fixture.read { reader, parts in
            let numbers = RecordNumbers(parts, reader.keyspace)
            var compiler = try TextCompiler(
                .stored(reader), BM25(fields: 1), type: "Poem", index: "fullText", properties: ["f0"],
                spellings: SlowTextSearch.spellings)
            let compiled = try #require(try compiler.compiled(clause))
            var work = Work()
            let order = TieOrder(numbers) { id in
                work.ties += 1
                return try #require(try numbers.key(of: id)).copy()
            }
            #if DEBUG
            reader.keyspace.core.cursorMoves = CursorMoves()
            #endif
            let hits = RankedHits(wanted, order) {
                work.scorers += 1
                return try compiled.scorer()
            }
            #expect(try hits.popFirst(count).count == count)
            #if DEBUG
            work.moves = reader.keyspace.core.cursorMoves.seeks + reader.keyspace.core.cursorMoves.steps
            #endif
            return work
        }
    }

    @Test(arguments: [
        TextClause.phrase("same"), .all([.phrase("same"), .phrase("tag")]), .any([.phrase("same"), .phrase("tag")]),
        .prefix("s"), .excluding(.everything, .phrase("word7")), .fuzzy("sane", edits: 1),
    ])
    func equalTexts_areNotLookedUpOneByOne(_ clause: TextClause) throws {
        let fixture = try TextFixture()
        try fixture.write { session in
            for number in 0..<20_000 { try session.save("k\(number)", modelText("same word\(number % 50) tag")) }
        }
        let found = try work(of: clause, 10, wanted: 10, in: fixture)
        #expect(found.ties == 0)
        // Not a block of each 128 records is unpacked, and no record is visited after the first thousand.
        #expect(found.moves < 3_000, "\(found)")
        let page = try work(of: clause, 2_000, wanted: 20, in: fixture)
        #expect(page.ties == 0 && page.scorers < 20, "\(page)")
    }

    /// A filter that leaves out most hits makes the query read on.
    @Test func furtherHits_areNotSearchedForAgainAndAgain() throws {
        let fixture = try TextFixture()
        try fixture.write { session in
            for number in 0..<6_000 {
                let others = (0..<(number * 7) % 40).map { "o\($0)" }.joined(separator: " ")
                try session.save("k\(number)", modelText("same " + others))
            }
        }
        let all = try work(of: .phrase("same"), 5_000, wanted: 20, in: fixture)
        #expect(all.scorers <= 3, "\(all)")
    }

    // MARK: Queries

    private func labels(_ count: Int, _ random: inout SeededGenerator) -> [TaggedLine] {
        (0..<count).map { id in
            let words = ["note"] + (Int.random(in: 0..<5, using: &random) == 0 ? ["red"] : []) + ["n\(id % 30)"]
            return TaggedLine(
                id: id * 7_919 % 10_007, text: words.joined(separator: " "),
                shelf: Int.random(in: 0..<20, using: &random),
                year: Int.random(in: 0..<3, using: &random))
        }
    }

    @Test func limitedQueries_areTheBeginningOfTheWhole() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.temporary(records: [TaggedLine.self])
        try store.insert(contentsOf: labels(5_000, &random))
        let typed = ["note", "red OR n3", "-n7", "n*", "note red", "note^0"]
        for typed in typed {
            let shelf = Int.random(in: 0..<20, using: &random)
            for (isFiltered, tied) in [(false, false), (true, false), (true, true)] {
                var query = TaggedLine.matching(typed)
                if isFiltered { query = query.filter(\.shelf == shelf) }
                if tied { query = query.sorted(by: .relevance, \.year.desc) }
                let note = "seed \(seed): \(query)"
                let all = try query.hits(in: store)
                let sorted = all.sorted { left, right in
                    if left.score != right.score { return left.score > right.score }
                    let (first, second) = (left.record, right.record)
                    return tied && first.year != second.year ? first.year > second.year : first.id < second.id
                }
                #expect(all.map(\.record.id) == sorted.map(\.record.id), "\(note)")
                let expected = all.map(\.record.id)
                for (limit, offset) in [(1, 0), (20, 0), (20, 15), (300, 0), (1, 1_200)] {
                    let page = try query.limit(limit).offset(offset).keys(in: store)
                    #expect(page == Array(expected.dropFirst(offset).prefix(limit)), "\(note): \(limit)")
                }
                for _ in 0..<3 {
                    guard let place = all.indices.randomElement(using: &random) else { continue }
                    let page = try query.after(all[place]).limit(25).keys(in: store)
                    #expect(page == Array(expected.dropFirst(place + 1).prefix(25)), "\(note): after \(place)")
                }
            }
        }
    }

    /// Pages through all hits of one score, while a transaction changes other records.
    @Test func pages_inAWriteTransaction_goThroughAllTies() throws {
        var random = SeededGenerator.fromEnvironment().0
        let store = try Store.temporary(records: [TaggedLine.self])
        let labels = labels(2_500, &random)
        try store.insert(contentsOf: labels)
        try store.write { context in
            var seen: [Int] = []
            var last: TextHit<TaggedLine>?
            while true {
                let page = try TaggedLine.matching("note").after(last).limit(400).hits(in: context)
                if page.isEmpty { break }
                seen += page.map(\.record.id)
                last = page.last
                try context.insert(TaggedLine(id: 20_000 + seen.count, text: "other", shelf: 0, year: 0))
            }
            #expect(Set(seen) == Set(labels.map(\.id)) && seen.count == labels.count)
        }
    }
}
