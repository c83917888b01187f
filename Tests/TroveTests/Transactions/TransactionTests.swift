// Commit and rollback of transactions, and the valid use of their contexts.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

private struct Deliberate: Error {}

@Suite("Transactions") struct TransactionTests {
    let store: Store

    init() throws { store = try Store.temporary() }

    private func ticks() throws -> [Int] { try Tick.query().keys(in: store) }

    private func insert(_ numbers: Int..., in context: TransactionContext) throws {
        for number in numbers { try context.insert(Tick(number: number, note: "")) }
    }

    // MARK: Rolling back

    @Test func anError_rollsBack() throws {
        #expect(throws: Deliberate.self) {
            try store.write { context in
                try insert(1, in: context)
                throw Deliberate()
            }
        }
        #expect(try ticks().isEmpty)
    }

    @Test func aSwallowedError_ofAnInsert_leavesTheTransactionUsable() throws {
        try store.write { context in
            try insert(1, in: context)
            let long = String(repeating: "a", count: 600)
            #expect(
                storeError { try context.insert(Entry(group: 1, word: long, text: "", counts: [])) }
                    == .record(.keyTooLarge(type: "Entry", size: 602, limit: 511)))
            #expect(
                storeError { try context.insert(Tick(number: 1, note: "again"), onConflict: .throw) }
                    == .record(.keyExists(type: "Tick", key: StoredKey([0x80, 0, 0, 0, 0, 0, 0, 1], of: "Tick"))))
            let refused = storeError {
                try context.insert(Awkward(name: "a", content: Refusing(refuses: true)))
            }
            guard case .record(.unencodable(type: "Awkward", reason: _)) = refused else {
                Issue.record("\(String(describing: refused))")
                return
            }
            try insert(2, in: context)
        }
        #expect(try ticks() == [1, 2])
        #expect(try Awkward.query().count(in: store) == 0)
    }

    /// The story: two NaNs are two elements to Swift, but a single element to a store. The duplicate was found only
    /// after the space for the record was reserved, and the error of a single record prevented the commit of the whole
    /// transaction.
    @Test func elementsOfEqualBytes_areRefused_beforeAnythingIsWritten() throws {
        let twins: [Measured] = [
            Measured(id: 1, numbers: [.nan, -.nan, .nan]),
            Measured(id: 1, lists: [[.nan], [.nan]]),
            Measured(id: 1, names: Dictionary(dictionaryLiteral: (.nan, "a"), (.nan, "a"))),
        ]
        let good = Measured(id: 2, numbers: [1, .nan], lists: [[.nan], [1]], names: [.nan: "a", 1: "b"])
        try store.write { context in
            try context.insert(good)
            for twin in twins {
                guard case .record(.unencodable("Measured", let reason)) = storeError({ try context.insert(twin) })
                else {
                    Issue.record("\(twin)")
                    continue
                }
                #expect(reason.reason == .unencodable("two elements of a collection have the same bytes"))
            }
            try insert(3, in: context)
        }
        #expect(try ticks() == [3])
        #expect(try Measured.query().keys(in: store) == [2])
        let stored = try #require(try store.get(Measured.self, key: 2))
        #expect(stored.numbers.count == 2 && stored.lists.count == 2 && stored.names[1] == "b")
    }

    @Test func aRecordThatWritesAnotherSizeThanItPromised_canNeverBeCommitted() throws {
        for promised in [-20, 0, 7, 9] {
            var poisoned: StoreError?
            let error = storeError {
                try store.write { context in
                    try insert(promised, in: context)
                    let size = max(0, promised)
                    #expect(
                        storeError { try context.insert(Liar(number: 1, promised: promised)) }
                            == .record(
                                .unencodable(
                                    type: "Liar",
                                    reason: CodingError(.sizeMismatch(expected: size, written: 8), at: min(size, 8)))))
                    // Every later use throws as well.
                    poisoned = storeError { try insert(2, in: context) }
                }
            }
            guard case .file(.storage(let failure)) = poisoned else {
                Issue.record("\(String(describing: poisoned))")
                continue
            }
            #expect(failure.code == .badTransaction)
            #expect(error == poisoned)
        }
        #expect(try ticks().isEmpty)
        try store.write { try $0.insert(Liar(number: 1, promised: 8)) }
        #expect(try Liar.query().count(in: store) == 1)
    }

    @Test func aPoisonedNestedTransaction_isUndoneAlone() throws {
        try store.write { context in
            try insert(1, in: context)
            #expect(storeError { try context.nested { try $0.insert(Liar(number: 1, promised: 3)) } } != nil)
            try insert(2, in: context)
        }
        #expect(try ticks() == [1, 2])
    }

    @Test func aNestedTransaction_isUndoneAlone() throws {
        try store.write { context in
            try insert(1, in: context)
            #expect(throws: Deliberate.self) {
                try context.nested { nested in
                    try insert(2, in: nested)
                    try nested.nested { try insert(3, in: $0) }
                    #expect(try Tick.query().keys(in: nested) == [1, 2, 3])
                    throw Deliberate()
                }
            }
            #expect(try Tick.query().keys(in: context) == [1])
            try context.nested { nested in
                try insert(4, in: nested)
                #expect(throws: Deliberate.self) {
                    try nested.nested { inner in
                        try insert(5, in: inner)
                        throw Deliberate()
                    }
                }
            }
        }
        #expect(try ticks() == [1, 4])
    }

    @Test func insertContentsOf_isAllOrNothing() throws {
        try store.insert(Tick(number: 3, note: "old"))
        try store.write { context in
            let error = storeError {
                try context.insert(contentsOf: (1...5).map { Tick(number: $0, note: "new") }, onConflict: .throw)
            }
            #expect(error == .record(.keyExists(type: "Tick", key: StoredKey(3, of: Tick.self))))
            #expect(try Tick.query().keys(in: context) == [3])
            try context.insert(contentsOf: (1...5).map { Tick(number: $0, note: "new") }, onConflict: .ignore)
        }
        #expect(try Tick.query().select(\.note).resolve(in: store) == ["new", "new", "old", "new", "new"])
    }

    @Test func theClosuresOwnError_comesBackUnchanged() throws {
        let directory = try TemporaryDirectory()
        func failure() -> any Error {
            do {
                _ = try Environment(path: directory.path("no/such"))
                return Deliberate()
            } catch {
                return error
            }
        }
        try store.insert(Tick(number: 1, note: ""))
        #expect(throws: LMDBError.self) { try store.write { _ in throw failure() } }
        #expect(throws: LMDBError.self) { try store.read { _ in throw failure() } }
        #expect(throws: LMDBError.self) { try store.write { try $0.nested { _ in throw failure() } } }
        #expect(throws: LMDBError.self) { try Tick.query().forEach(in: store) { (_: Tick) -> Void in throw failure() } }
    }

    // MARK: The valid use of a context

    @Test func aContext_isOfNoUse_afterItsClosure() throws {
        var read: ReadContext?
        var written: TransactionContext?
        try store.write { context in
            try insert(1, in: context)
            written = context
        }
        try store.read { read = $0 }
        let (reader, writer) = (try #require(read), try #require(written))
        let ended = StoreError.transaction(.transactionEnded(path: store.path))
        #expect(throws: ended) { try reader.get(Tick.self, key: 1) }
        #expect(throws: ended) { try Tick.query().resolve(in: reader) }
        #expect(throws: ended) { try Tick.query().limit(0).resolve(in: reader) }
        #expect(throws: ended) { try Entry.query().count(in: reader) }
        #expect(throws: ended) { try reader.contains(Entry.self, key: Tuple(1, "a")) }
        #expect(throws: ended) { try Tick.query().resolve(in: writer) }
        #expect(throws: ended) { try insert(2, in: writer) }
        #expect(throws: ended) { try writer.delete(Tick.self, key: 1) }
        #expect(throws: ended) { try Entry.query().delete(in: writer) }
        #expect(throws: ended) { try writer.nested { _ in } }
        // Also when another transaction runs in the same memory.
        try store.read { _ in
            _ = #expect(throws: ended) { try reader.get(Tick.self, key: 1) }
        }
        #expect(try ticks() == [1])
    }

    @Test func aContext_isOfNoUse_onAnotherThread() throws {
        try store.insert(Tick(number: 1, note: ""))
        try store.read { context in
            let borrowed = Smuggled(context)
            let errors = try onAnotherThread {
                [
                    storeError { try borrowed.value.get(Tick.self, key: 1) },
                    storeError { try Tick.query().resolve(in: borrowed.value) },
                    storeError { try Entry.query().count(in: borrowed.value) },
                ]
            }
            #expect(errors == [StoreError?](repeating: .transaction(.wrongThread(path: store.path)), count: 3))
        }
        try store.write { context in
            let borrowed = Smuggled(context)
            let errors = try onAnotherThread {
                [
                    storeError { try borrowed.value.insert(Tick(number: 2, note: "")) },
                    storeError { try borrowed.value.delete(Tick.self, key: 1) },
                    storeError { try borrowed.value.nested { _ in } },
                ]
            }
            #expect(errors == [StoreError?](repeating: .transaction(.wrongThread(path: store.path)), count: 3))
        }
        #expect(try ticks() == [1])
    }

    @Test func aContext_isOfNoUse_whileANestedOneIsOpen() throws {
        try store.write { context in
            try insert(1, in: context)
            var kept: TransactionContext?
            let open = StoreError.transaction(.nestedTransactionOpen(path: store.path))
            try context.nested { nested in
                kept = nested
                #expect(throws: open) { try insert(2, in: context) }
                #expect(throws: open) { try context.get(Tick.self, key: 1) }
                #expect(throws: open) { try context.nested { _ in } }
                try insert(3, in: nested)
            }
            let nested = try #require(kept)
            #expect(throws: StoreError.transaction(.transactionEnded(path: store.path))) { try insert(4, in: nested) }
        }
        #expect(try ticks() == [1, 3])
    }

    @Test func theOuterContext_isOfNoUse_insideAStatement() throws {
        try store.write { context in
            let open = StoreError.transaction(.nestedTransactionOpen(path: store.path))
            let reading = AnySequence { () -> AnyIterator<Tick> in
                #expect(throws: open) { try context.get(Tick.self, key: 1) }
                return AnyIterator { nil }
            }
            try context.insert(contentsOf: reading)
            try insert(1, in: context)
            #expect(throws: open) {
                try Tick.filter(.everything).update(in: context) { _ in _ = try context.get(Tick.self, key: 1) }
            }
            // What the closure needs is read before.
            let known = try #require(try context.get(Tick.self, key: 1))
            try Tick.filter(.everything).update(in: context) { $0.note = known.note + "!" }
        }
    }

    @Test func aWriteInsideAWrite_isRefused() throws {
        try store.write { context in
            try insert(1, in: context)
            #expect(throws: StoreError.transaction(.nestedWrite(path: store.path))) {
                try store.insert(Tick(number: 2, note: ""))
            }
            #expect(throws: StoreError.transaction(.nestedWrite(path: store.path))) { try store.write { _ in } }
        }
        #expect(try ticks() == [1])
    }

    @Test func aWriteInsideAnAsyncWrite_isRefused() async throws {
        let store = store
        try await store.write { _ in
            #expect(
                storeError { try store.insert(Tick(number: 2, note: "")) }
                    == .transaction(.nestedWrite(path: store.path)))
        }
        #expect(try await store.read { try Tick.query().count(in: $0) } == 0)
    }

    @Test func aReadInsideAWrite_seesTheLastCommit() throws {
        try store.insert(Tick(number: 1, note: ""))
        try store.write { context in
            try insert(2, in: context)
            try context.insert(Entry(group: 1, word: "new type", text: "", counts: []))
            #expect(try ticks() == [1])
            #expect(try Entry.query().count(in: store) == 0)
            #expect(try Tick.query().keys(in: context) == [1, 2])
            #expect(try Entry.query().count(in: context) == 1)
        }
        #expect(try ticks() == [1, 2])
        #expect(try Entry.query().count(in: store) == 1)
    }

    @Test func aReadersSnapshot_doesNotChange() throws {
        try store.insert(Tick(number: 1, note: ""))
        try store.read { context in
            try store.insert(Tick(number: 2, note: ""))
            try store.insert(Entry(group: 1, word: "new type", text: "", counts: []))
            #expect(try Tick.query().keys(in: context) == [1])
            #expect(try Entry.query().count(in: context) == 0)
            #expect(try context.get(Entry.self, key: Tuple(1, "new type")) == nil)
            #expect(try store.read { try Entry.query().count(in: $0) } == 1)
            #expect(try Entry.query().count(in: context) == 0)
        }
        #expect(try Entry.query().count(in: store) == 1)
    }

    // MARK: Scans that write

    @Test func aScan_mayChangeTheRecordsThatItScans() throws {
        try store.insert(contentsOf: (0..<500).map { Tick(number: $0, note: "") })
        try store.write { context in
            var seen: [Int] = []
            try Tick.query().forEach(in: context) { tick in
                seen.append(tick.number)
                try context.delete(tick)
                if tick.number % 2 == 0 { try context.insert(Tick(number: -1 - tick.number, note: "behind")) }
                if tick.number == 100 { try context.delete(Tick.self, key: 101) }
                if tick.number == 200 { try context.insert(Tick(number: 1000, note: "ahead")) }
                if tick.number == 300 {
                    try context.nested { try $0.insert(contentsOf: [Tick(number: 2000, note: "nested")]) }
                }
            }
            #expect(seen == Array(0..<500).filter { $0 != 101 } + [1000, 2000])
            #expect(try Tick.query().count(in: context) == 252)
        }
        try store.write { context in
            var seen: [Int] = []
            try Tick.query().order(.descending).forEach(in: context) { tick in
                seen.append(tick.number)
                try context.insert(Tick(number: tick.number, note: String(repeating: "y", count: 3000)))
            }
            #expect(seen == (0..<250).map { -1 - 2 * $0 } + [-1001, -2001])
        }
    }

    @Test func aScanInARead_mayWriteToTheStore() throws {
        try store.insert(contentsOf: (0..<50).map { Tick(number: $0, note: "") })
        try Tick.query().forEach(in: store) { tick in
            try store.insert(Tick(number: tick.number + 1000, note: "copy"))
        }
        #expect(try Tick.query().count(in: store) == 100)
    }
}

/// A box that carries a value to another thread although the value is not sendable, to test its refusal there.
private struct Smuggled<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
