// The single lookup of a text query's words in a run, whatever the number of pages and tests.

import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

/// The number of analyzed texts that begin with a mark.
private let markedTexts = Atomic<Int>(0)

private let markedWords = TextAnalyzer("marked", version: 1) { text, tokens in
    if text.hasPrefix("§") { markedTexts.add(1, ordering: .relaxed) }
    for word in text.split(whereSeparator: { $0 == " " || $0 == "§" }) {
        tokens.append(String(word), at: word.startIndex..<word.endIndex)
    }
}

@IndexKeyRecord("id")
private struct Ledger: Hashable {
    #FullTextIndex<Ledger>(\.text, analyzer: markedWords)
    #Index<Ledger>(\.day)

    let id: Int
    var text: String
    var day: Int
}

@Suite("The runs of text queries") struct TextCompileTests {
    @Test func aRun_compilesItsQueryOnce() throws {
        let store = try Store.temporary(records: [Ledger.self])
        try store.insert(
            contentsOf: (0..<2_000).map { Ledger(id: $0, text: $0 % 2 == 0 ? "even debt" : "odd debt", day: $0 / 8) })
        let word = TextQuery<Ledger>.word("§even")
        let queries: [(Query<Ledger>, Int)] = [
            (Ledger.matching(word), 1_000), (Ledger.matching(word).limit(3), 3),
            (Ledger.matching(word).filter(\.day < 200), 800), (Ledger.matching(word).filter(\.day == 3), 4),
            (Ledger.filter(.matches(word)).sorted(by: \.day.desc).limit(30), 30),
            (Ledger.filter(.matches(word)).sorted(by: \.day).limit(300), 300),
            (Ledger.filter(.matches(word) || \.day == 3), 1_004), (Ledger.filter(!.matches(word)), 1_000),
        ]
        let type = try #require(try store.read { try $0.storedTypes() }.first)
        for isReady in [true, false] {
            if !isReady { #expect(try !store.markForRebuild(of: type).isEmpty) }
            for (query, count) in queries {
                markedTexts.store(0, ordering: .relaxed)
                #expect(try query.resolve(in: store).count == count, "\(query)")
                // A scan asks for the words before it begins.
                #expect(markedTexts.load(ordering: .relaxed) <= (isReady ? 1 : 2), "\(query)")
                markedTexts.store(0, ordering: .relaxed)
                #expect(try query.count(in: store) == count, "\(query)")
                #expect(markedTexts.load(ordering: .relaxed) <= (isReady ? 1 : 2), "\(query)")
            }
        }
    }

    @Test func aCancelledTask_endsItsRead() async throws {
        let store = try await Store.temporary(records: [Ledger.self])
        try await store.insert(contentsOf: (0..<500).map { Ledger(id: $0, text: "word \($0)", day: $0) })
        let (stream, begun) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await store.read { context in
                var count = 0
                // Far more than a test waits for.
                for round in 0..<100_000_000 {
                    count += try Ledger.matching("word \(round % 500)").count(in: context)
                    if round == 2 { begun.yield() }
                }
                return count
            }
        }
        for await _ in stream { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // The reader is used again.
        #expect(try await store.read { try Ledger.matching("word").count(in: $0) } == 500)
    }

    @Test func aCancelledRead_returnsWhatItHas() async throws {
        let store = try await Store.temporary(records: [Ledger.self])
        try await store.insert(Ledger(id: 1, text: "word", day: 1))
        let (stream, begun) = AsyncStream<Void>.makeStream()
        let flag = CancellationFlag()
        let task = Task {
            try await store.read { context in
                let count = try Ledger.matching("word").count(in: context)
                begun.yield()
                // Waits for the cancellation without the context.
                while !flag.isRaised {}
                return count
            }
        }
        for await _ in stream { break }
        task.cancel()
        flag.raise()
        #expect(try await task.value == 1)
    }
}
