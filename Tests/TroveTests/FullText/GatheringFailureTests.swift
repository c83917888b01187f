// Closures that fail to gather texts: what they hold up, and what they do not.

import Synchronization
import Testing

@testable import Trove

/// A record with two indexes, of which the closure of the first fails.
@IndexKeyRecord("id")
private struct Letterhead {
    #FullTextIndex<Letterhead>("Front", gathering: { keys, store in try await Letterhead.front(keys) })
    #FullTextIndex<Letterhead>("Back", gathering: { keys, store in await Letterhead.back(keys) })

    let id: Int

    static func front(_ keys: [Int]) async throws -> [Int: String] { throw NoText(id: keys.count) }

    static func back(_ keys: [Int]) async -> [Int: String] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, "back") })
    }
}

/// A record whose closure does not fail.
@IndexKeyRecord("id")
private struct Steady {
    #FullTextIndex<Steady>("Texts", gathering: { keys, store in await Steady.texts(keys) })

    let id: Int

    static func texts(_ keys: [Int]) async -> [Int: String] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, "text") })
    }
}

struct GatheringFailureTests {
    /// A record whose text cannot be gathered, first of all records, kept the texts of all of them from being gathered.
    @Test func failedBatch_doesNotKeepLaterOnesWaiting() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<2_500).map { Still(id: $0, file: $0 == 0 ? "failing" : "fine") })
        let log = CallLog()
        await #expect(
            throws: StoreError.gatheringFailed(
                type: "Still", index: "fullText(Signs)", reason: "\(NoText(id: 0))")
        ) {
            try await GatheredCalls.$hook.withValue({ log.add($0) }) { try await store.gatherTexts(of: Still.self) }
        }
        #expect(log.calls.map(\.count) == [1_000, 1_000, 500])
        #expect(try await store.waitingTexts(of: Still.self) == 1_000)
        #expect(try await Still.matching("fine").count(in: store) == 1_500)
        try await store.insert(Still(id: 0, file: "fine"), onConflict: .replace)
        #expect(try await store.gatherTexts(of: Still.self) == 1_000)
    }

    @Test func firstError_isThrown() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<2_500).map { Still(id: $0, file: $0 < 2_000 ? "failing" : "fine") })
        await #expect(
            throws: StoreError.gatheringFailed(
                type: "Still", index: "fullText(Signs)", reason: "\(NoText(id: 0))")
        ) { try await store.gatherTexts(of: Still.self) }
        #expect(try await store.waitingTexts(of: Still.self) == 2_000)
    }

    @Test func failedIndex_doesNotKeepAnotherWaiting() async throws {
        let store = try Store.quiet(Letterhead.self)
        try await store.insert(contentsOf: (0..<3).map { Letterhead(id: $0) })
        await #expect(
            throws: StoreError.gatheringFailed(
                type: "Letterhead", index: "fullText(Front)", reason: "\(NoText(id: 3))")
        ) { try await store.gatherTexts(of: Letterhead.self) }
        #expect(try await Letterhead.matching("back", index: "Back").count(in: store) == 3)
        #expect(try await store.waitingTexts(of: Letterhead.self) == 3)
    }

    /// A type has pauses of its own: after the failures of one type, the texts of another are gathered at once.
    @Test func failedType_doesNotDelayAnother() async throws {
        let pauses = Mutex<[Int]>([])
        let store = try Store.quiet(Still.self, Steady.self)
        let gatherer = TextGatherer([Still.self, Steady.self]) { failures in pauses.withLock { $0.append(failures) } }
        try await store.insert(Still(id: 1, file: "failing"))
        try await store.insert(Steady(id: 1))
        gatherer.start(store)
        await gatherer.end()
        let expected = Array(1..<TypeTextGatherer.mostFailures)
        #expect(pauses.withLock { $0 } == expected)
        #expect(try await store.waitingTexts(of: Steady.self) == 0)
        for id in 2..<5 {
            try await store.insert(Steady(id: id))
            await gatherer.end()
            #expect(try await store.waitingTexts(of: Steady.self) == 0)
        }
        #expect(pauses.withLock { $0 } == expected)
        // The success of a type does not end the pauses of another.
        try await store.insert(Still(id: 2, file: "fine"))
        await gatherer.end()
        #expect(pauses.withLock { $0 }.dropFirst(expected.count).first == TypeTextGatherer.mostFailures)
        gatherer.stop()
    }
}
