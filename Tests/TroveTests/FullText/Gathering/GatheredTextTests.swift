// Text that is gathered in the transaction of a save.

import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

struct GatheredTextTests {
    private struct Undone: Error {}

    private func makeStore() throws -> Store {
        let store = try Store.temporary(records: [Singer.self, Chant.self])
        try store.insert(contentsOf: [Singer(id: 1, name: "Ada"), Singer(id: 2, name: "Bo")])
        return store
    }

    private func found(_ text: String, _ source: some RecordReadable) throws -> [Int] {
        try Chant.matching(text, index: "Index").keys(in: source).sorted()
    }

    // MARK: In a transaction

    @Test func textOfAnotherRecord_isFoundWithTheSave() throws {
        let store = try makeStore()
        try store.insert(Chant(id: 1, title: "I love My boat", singer: 1))
        #expect(try found("I love My", store) == [1])
        #expect(try found("ada", store) == [1])
        #expect(try Chant.matching("ada").keys(in: store) == [], "the index of its own text comes first")
        #expect(try store.waitingTexts(of: Chant.self) == 0)
        #expect(try store.check() == [])
    }

    @Test func search_readsTheTransactionsOwnState() throws {
        let store = try makeStore()
        try store.write { context in
            try context.insert(Singer(id: 3, name: "Cy"))
            try context.insert(Chant(id: 1, title: "one", singer: 3))
            #expect(try found("cy", context) == [1])
            try context.insert(Chant(id: 1, title: "two", singer: 2))
            #expect(try found("cy OR one", context) == [])
            #expect(try found("bo", context) == [1])
            try context.delete(Chant.self, key: 1)
            #expect(try found("bo", context) == [])
        }
        #expect(try store.check() == [])
    }

    @Test func closure_isCalledForEachSavedKeyOnce_andForAThousandAtMost() throws {
        let store = try makeStore()
        let log = CallLog()
        try GatheredCalls.$log.withValue(log) {
            try store.write { context in
                for _ in 0..<3 {
                    try context.insert(contentsOf: (0..<2_500).map { Chant(id: $0, title: "t", singer: 1) })
                }
                try context.delete(Chant.self, key: 7)
            }
            #expect(log.calls.map(\.count) == [1_000, 1_000, 499])
            try store.read { _ = try found("t", $0) }
            #expect(log.calls.count == 3)
        }
        #expect(try Chant.matching("ada", index: "Index").count(in: store) == 2_499)
    }

    @Test func recordWithoutText_isNotInTheIndex() throws {
        let store = try makeStore()
        try store.insert(Chant(id: 1, title: "loud", singer: 1))
        try store.insert(Chant(id: 1, title: "silent", singer: 1))
        try store.insert(Chant(id: 2, title: "silent", singer: 1))
        #expect(try found("ada", store) == [])
        #expect(try Chant.filter(.matches("-nothing", index: "Index")).count(in: store) == 0)
        #expect(try store.check(gathering: true) == [])
    }

    @Test func textsOfOtherKeys_areIgnored() throws {
        let store = try Store.temporary(records: [Generous.self])
        try store.insert(contentsOf: [Generous(id: 1), Generous(id: 2)])
        try store.write { try $0.insert(Generous(id: 1)) }
        #expect(try Generous.matching("all").keys(in: store).sorted() == [1, 2])
        #expect(try store.check(gathering: true) == [])
    }

    // MARK: Errors

    @Test func errorOfTheClosure_failsTheCommit() throws {
        let store = try makeStore()
        let error = storeError { try store.insert(Chant(id: 9, title: "failing", singer: 1)) }
        #expect(
            error
                == .text(.gatheringFailed(type: "Chant", index: "fullText(Index)", reason: "\(NoText(id: 9))")))
        #expect(try store.get(Chant.self, key: 9) == nil)
        try store.insert(Chant(id: 9, title: "fine", singer: 1))
        #expect(try found("fine", store) == [9])
    }

    @Test func errorOfTheClosure_failsTheSearch_andTheTransactionStaysUsable() throws {
        let store = try makeStore()
        try store.write { context in
            try context.insert(Chant(id: 9, title: "failing", singer: 1))
            guard case .text(.gatheringFailed)? = storeError({ try found("ada", context) }) else {
                Issue.record("the search ignores the error")
                return
            }
            try context.insert(Chant(id: 9, title: "mended", singer: 1))
            #expect(try found("mended", context) == [9])
        }
        #expect(try store.check() == [])
    }

    @Test func groupedWrite_thatFailsToGather_isUndoneAlone() async throws {
        let store = try makeStore()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for id in 0..<40 {
                group.addTask {
                    do {
                        try await store.write { context in
                            try context.insert(Chant(id: id, title: id % 4 == 0 ? "failing" : "fine", singer: 1))
                        }
                        return true
                    } catch StoreError.text(.gatheringFailed) {
                        return false
                    }
                }
            }
            var count = 0
            for try await isSaved in group where isSaved { count += 1 }
            #expect(count == 30)
        }
        #expect(try await Chant.matching("fine", index: "Index").count(in: store) == 30)
        #expect(try await store.check() == [])
    }

    @Test func closure_cannotWrite_norUseItsContextLater() throws {
        let store = try Store.temporary(records: [Nosy.self])
        try store.write { context in
            Nosy.outer.withLock { $0 = UncheckedContext(context) }
            try context.insert(Nosy(id: 1))
            _ = try Nosy.matching("text").keys(in: context)
        }
        #expect(Nosy.errors.withLock { $0 }.count == 2)
        let leaked = try #require(Nosy.leaked.withLock { $0 })
        #expect(storeError { try leaked.context.get(Nosy.self, key: 1) } != nil)
        #expect(try Nosy.query().count(in: store) == 1)
    }

    // MARK: Nested transactions

    @Test func nestedTransaction_thatIsUndone_takesItsTextsAlong() throws {
        let store = try makeStore()
        try store.write { context in
            try context.insert(Chant(id: 1, title: "kept", singer: 1))
            for searches in [false, true] {
                #expect(throws: Undone.self) {
                    try context.nested { nested in
                        try nested.insert(Chant(id: 1, title: "undone", singer: 2))
                        try nested.insert(Chant(id: 2, title: "undone", singer: 2))
                        if searches { #expect(try found("undone", nested) == [1, 2]) }
                        throw Undone()
                    }
                }
                #expect(try found("undone OR bo", context) == [])
                #expect(try found("kept", context) == [1])
            }
        }
        #expect(try found("kept", store) == [1])
        #expect(try store.check(gathering: true) == [])
    }

    @Test func writeThatIsUndone_leavesNothing() throws {
        let store = try makeStore()
        #expect(throws: Undone.self) {
            try store.write { context in
                try context.insert(Chant(id: 1, title: "undone", singer: 2))
                #expect(try found("undone", context) == [1])
                throw Undone()
            }
        }
        #expect(try found("undone", store) == [])
        #expect(try store.waitingTexts(of: Chant.self) == 0)
    }

    // MARK: Staleness

    @Test func textStays_untilItIsGatheredAgain() throws {
        let store = try makeStore()
        try store.insert(contentsOf: (0..<10).map { Chant(id: $0, title: "t\($0)", singer: 1 + $0 % 2) })
        try store.insert(Singer(id: 1, name: "Eve"))
        #expect(try found("eve", store) == [])
        #expect(try found("ada", store) == [0, 2, 4, 6, 8])
        #expect(try store.check() == [])
        let stale = try store.check(gathering: true)
        #expect(stale.map(\.kind) == Array(repeating: .stale, count: 5))
        #expect(stale.compactMap { $0.key.value(as: Chant.self) } == [0, 2, 4, 6, 8])
        #expect(stale.first?.index == "fullText(Index)")
        // A save, a search by a filter, and a rebuild.
        try store.insert(Chant(id: 0, title: "t0", singer: 1))
        #expect(try found("eve", store) == [0])
        try store.write { context in
            let filter: Filter<Chant> = \.id < 5 && \.singer == 1
            let count = try Chant.filter(filter).regather(in: context)
            #expect(count == 3)
            #expect(try found("eve", context) == [0, 2, 4])
        }
        #expect(try store.check(Chant.self, gathering: true).count == 2)
        try store.rebuild(Chant.self, index: "fullText(Index)")
        #expect(try found("eve", store) == [0, 2, 4, 6, 8])
        #expect(try store.check(gathering: true) == [])
    }

    @Test func regather_ofATypeWithoutGatheredText_throws() throws {
        let store = try makeStore()
        #expect(storeError { try Singer.query().regather(in: store) } == .text(.noGatheredText(type: "Singer")))
        #expect(storeError { try store.waitingTexts(of: Singer.self) } == .text(.noGatheredText(type: "Singer")))
    }

    @Test func regather_thatIsUndone_changesNothing() throws {
        let store = try makeStore()
        try store.insert(Chant(id: 1, title: "t", singer: 1))
        try store.insert(Singer(id: 1, name: "Eve"))
        try store.write { context in
            #expect(throws: Undone.self) {
                try context.nested { nested in
                    try Chant.query().regather(in: nested)
                    #expect(try found("eve", nested) == [1])
                    throw Undone()
                }
            }
            let keys = try found("ada", context)
            #expect(keys == [1])
        }
        #expect(try found("ada", store) == [1])
    }

    // MARK: Queries

    @Test func gatheredIndex_hasAFieldOfItsName() throws {
        let store = try makeStore()
        try store.insert(contentsOf: [Chant(id: 1, title: "b b ada", singer: 1), Chant(id: 2, title: "b", singer: 1)])
        #expect(try found("\"b b\" Index:ada", store) == [1])
        let hits = try Chant.matching("ada", index: "Index").hits(in: store)
        #expect(hits.map(\.record.id) == [1, 2] && hits.allSatisfy { $0.score > 0 })
        let first = try Chant.matching("ada b", index: "Index").limit(1).hits(in: store)
        let second = try Chant.matching("ada b", index: "Index").after(first.last).limit(1).hits(in: store)
        #expect((first + second).map(\.record.id) == (try Chant.matching("ada b", index: "Index").keys(in: store)))
        let both: Filter<Chant> = .matches("ada", index: "Index") && .matches("ada")
        #expect(try Chant.filter(both).keys(in: store) == [1])
        #expect(
            try Chant.matching("ada", index: "Index").explain(in: store).contains("search fullText(Index) of Chant"))
        #expect(
            storeError { try Chant.matching(.word("ada").within(\.title), index: "Nothing").keys(in: store) } != nil)
    }

    /// A record does not have its gathered text: the parts of a query are matched against the given text.
    @Test func givenText_isMarkedWhereItMatches() throws {
        let store = try makeStore()
        try store.insert(contentsOf: [
            Chant(id: 1, title: "red sail of a boat", singer: 1), Chant(id: 2, title: "red ship, anchor", singer: 2),
        ])
        let texts = [1: "red sail of a boat Ada", 2: "red ship, anchor Bo"]
        func marked(_ query: TextQuery<Chant>) throws -> [String] {
            let hits = try Chant.matching(query, index: "Index").hits(in: store)
            return try hits.sorted { $0.record.id < $1.record.id }.map { hit in
                let text = try #require(texts[hit.record.id])
                let snippet = hit.snippet(ofText: text)
                #expect(hit.ranges(inText: text).map { text[$0] } == snippet.ranges.map { snippet.text[$0] })
                return snippet.marked("[", "]")
            }
        }
        #expect(try marked("baot~") == ["red sail of a [boat] Ada"])
        #expect(try marked("\"red sail\" OR anchor~") == ["[red sail] of a boat Ada", "red ship, [anchor] Bo"])
        // The group counts in the first text alone.
        #expect(try marked("(red sail) OR anchor") == ["[red] [sail] of a boat Ada", "red ship, [anchor] Bo"])
        #expect(
            try marked(.word("red").preferring("sail boat")) == [
                "[red] [sail] of a [boat] Ada", "[red] ship, anchor Bo",
            ])
        #expect(try marked("red -(ship anchor)") == ["[red] sail of a boat Ada"])
    }

    @Test func typeWithGatheredTextAlone_isSearchedByIt() throws {
        let store = try Store.temporary(records: [Generous.self])
        try store.insert(Generous(id: 1))
        #expect(try Generous.matching("all of").keys(in: store) == [1])
        let scored = try Generous.matching("all").sorted(by: .relevance).hits(in: store)
        #expect(scored.count == 1)
    }

    @Test func closureThatSearchesItsOwnIndex_seesWhatIsGatheredSoFar() throws {
        let store = try Store.temporary(records: [Counting.self])
        for id in 0..<4 { try store.insert(Counting(id: id)) }
        #expect(try Counting.matching("n3").keys(in: store) == [3])
        #expect(try Counting.matching("n0").keys(in: store) == [0])
    }
}

/// A record whose closure returns the texts of all records.
@IndexKeyRecord("id")
private struct Generous {
    #FullTextIndex<Generous>(
        "All",
        gathering: { _, context in
            var texts: [Int: String] = [:]
            for id in 0..<5 { texts[id] = "all of them" }
            return texts
        })

    let id: Int
}

/// A record whose closure searches its own index.
@IndexKeyRecord("id")
private struct Counting {
    #FullTextIndex<Counting>("Numbers") { keys, context in
        let count = try Counting.matching("number", index: "Numbers").count(in: context)
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, "number n\(count)") })
    }

    let id: Int
}

private final class UncheckedContext<Context: ReadContext>: @unchecked Sendable {
    let context: Context
    init(_ context: Context) { self.context = context }
}

/// A record whose closure tries to write, and hands its context out.
@IndexKeyRecord("id")
private struct Nosy {
    #FullTextIndex<Nosy>("Texts", gathering: { keys, context in try Nosy.text(of: keys, context) })

    let id: Int

    static let outer = Mutex<UncheckedContext<TransactionContext>?>(nil)
    static let leaked = Mutex<UncheckedContext<ReadContext>?>(nil)
    static let errors = Mutex<[any Error]>([])

    static func text(of keys: [Int], _ context: ReadContext) throws -> [Int: String] {
        leaked.withLock { $0 = UncheckedContext(context) }
        let isWriter = context is TransactionContext
        #expect(!isWriter)
        do {
            try outer.withLock { $0 }?.context.insert(Nosy(id: 2))
        } catch {
            errors.withLock { $0.append(error) }
        }
        do {
            _ = try outer.withLock { $0 }?.context.get(Nosy.self, key: 1)
        } catch {
            errors.withLock { $0.append(error) }
        }
        #expect(try context.get(Nosy.self, key: 1) != nil)
        return [1: "text"]
    }
}
