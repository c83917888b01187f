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

    static func front(_ keys: [Int]) async throws -> [Int: String] {
        try await GatheredCalls.pass(keys)
        throw NoText(id: keys.count)
    }

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
    /// A record whose text cannot be gathered, first of all records, kept the texts of all of them from being gathered,
    /// and later those of its batch.
    @Test func failedRecord_doesNotKeepOthersWaiting() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<2_500).map { Still(id: $0, file: $0 == 0 ? "failing" : "fine") })
        let log = CallLog()
        await #expect(
            throws: StoreError.text(
                .gatheringFailed(type: "Still", index: "fullText(Signs)", reason: "\(NoText(id: 0))"))
        ) {
            try await GatheredCalls.$hook.withValue(GatheredCalls.Hook { log.add($0) }) {
                try await store.gatherTexts(of: Still.self)
            }
        }
        // Ten parts with the record, nine without, and two batches.
        #expect(log.calls.count == 21 && log.calls.first?.count == 1_000)
        #expect(log.calls.filter { $0.contains(0) }.map(\.count) == [1_000, 500, 250, 125, 62, 31, 15, 7, 3, 1])
        #expect(log.calls.filter { !$0.contains(0) }.joined().sorted() == Array(1..<2_500))
        #expect(try await store.waitingTexts(of: Still.self) == 1)
        #expect(try await Still.matching("fine").count(in: store) == 2_499)
        try await store.insert(Still(id: 0, file: "fine"), onConflict: .replace)
        #expect(try await store.gatherTexts(of: Still.self) == 1)
        #expect(try await store.check(gathering: true) == [])
    }

    @Test(arguments: [[0], [999], [500, 501], [0, 499, 500, 999], Array(stride(from: 3, to: 1_000, by: 50))])
    func failedRecords_waitAlone(_ failing: [Int]) async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(
            contentsOf: (0..<1_000).map { Still(id: $0, file: failing.contains($0) ? "failing" : "fine") })
        await #expect(throws: StoreError.self) { try await store.gatherTexts(of: Still.self) }
        #expect(try await store.waitingTexts(of: Still.self) == failing.count)
        let found = try await Still.matching("fine").keys(in: store)
        #expect(Set(found) == Set(0..<1_000).subtracting(failing))
        // A record that is saved later is not kept waiting by those that still fail.
        try await store.insert(Still(id: 1_000, file: "later"))
        await #expect(throws: StoreError.self) { try await store.gatherTexts(of: Still.self) }
        #expect(try await Still.matching("later").keys(in: store) == [1_000])
    }

    /// Without its network, a closure fails for all records: it must not be called for each of them.
    @Test func closureThatAlwaysFails_isCalledFewTimes() async throws {
        let store = try Store.quiet(Letterhead.self)
        try await store.insert(contentsOf: (0..<2_500).map { Letterhead(id: $0) })
        let log = CallLog()
        await #expect(
            throws: StoreError.text(
                .gatheringFailed(type: "Letterhead", index: "fullText(Front)", reason: "\(NoText(id: 1_000))"))
        ) {
            try await GatheredCalls.$hook.withValue(GatheredCalls.Hook { log.add($0) }) {
                try await store.gatherTexts(of: Letterhead.self)
            }
        }
        // The later batches are not divided.
        #expect(log.calls.count == GatheringParts.failureLimit + 2)
        #expect(log.calls.suffix(2).map(\.count) == [1_000, 500])
        #expect(try await store.waitingTexts(of: Letterhead.self) == 2_500)
        #expect(try await Letterhead.matching("back", index: "Back").count(in: store) == 2_500)
    }

    @Test func canceledCall_isNotRepeated() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<1_500).map { Still(id: $0, file: "fine") })
        let log = CallLog()
        await #expect(throws: CancellationError.self) {
            try await GatheredCalls.$hook.withValue(
                GatheredCalls.Hook { keys in
                    log.add(keys)
                    if keys.contains(0) { throw CancellationError() }
                }
            ) { try await store.gatherTexts(of: Still.self) }
        }
        #expect(log.calls.map(\.count) == [1_000, 500])
        #expect(try await store.waitingTexts(of: Still.self) == 1_000)
    }

    /// A commit that woke a task at its end was lost: the record waited for the next commit.
    @Test func commitAtTheEndOfATask_isNotLost() async throws {
        let pauses = Mutex(0)
        let store = try Store.quiet(Still.self)
        let gatherer = TextGatherer([Still.self]) { _ in
            let isFirst = pauses.withLock { count in
                count += 1
                return count == 1
            }
            guard isFirst else { return }
            try await store.insert(Still(id: 1, file: "fine"), onConflict: .replace)
            throw CancellationError()
        }
        try await store.insert(Still(id: 1, file: "failing"))
        gatherer.start(store)
        // The first task ends after the next has begun.
        await gatherer.end()
        await gatherer.end()
        #expect(try await store.waitingTexts(of: Still.self) == 0)
        gatherer.stop()
    }

    @Test func firstError_isThrown() async throws {
        let store = try Store.quiet(Still.self)
        try await store.insert(contentsOf: (0..<2_500).map { Still(id: $0, file: $0 < 2_000 ? "failing" : "fine") })
        await #expect(
            throws: StoreError.text(
                .gatheringFailed(type: "Still", index: "fullText(Signs)", reason: "\(NoText(id: 0))"))
        ) { try await store.gatherTexts(of: Still.self) }
        // The batch after those that fail is gathered.
        #expect(try await store.waitingTexts(of: Still.self) == 2_000)
    }

    @Test func failedIndex_doesNotKeepAnotherWaiting() async throws {
        let store = try Store.quiet(Letterhead.self)
        try await store.insert(contentsOf: (0..<3).map { Letterhead(id: $0) })
        await #expect(
            throws: StoreError.text(
                .gatheringFailed(type: "Letterhead", index: "fullText(Front)", reason: "\(NoText(id: 3))"))
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

    /// A nested transaction that was undone left its index to be gathered by the transaction around it.
    @Test func undoneNestedTransaction_leavesNothingToGather() throws {
        let store = try Store.temporary(records: [Chant.self, Singer.self])
        let log = CallLog()
        try GatheredCalls.$log.withValue(log) {
            try store.write { context in
                #expect(throws: CancellationError.self) {
                    try context.nested { nested in
                        try nested.insert(Chant(id: 1, title: "lost", singer: 1))
                        throw CancellationError()
                    }
                }
                #expect(context.texts.gathered.isEmpty)
                try context.insert(Singer(id: 1, name: "Enya"))
                try context.nested { try $0.insert(Chant(id: 2, title: "kept", singer: 1)) }
            }
        }
        #expect(log.calls == [[2]])
        #expect(try Chant.matching("Enya", index: "Index").keys(in: store) == [2] && store.check().isEmpty)
    }
}
