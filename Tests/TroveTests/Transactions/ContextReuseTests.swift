// The reuse of a read's context by the next read of the thread, which must not be visible.

import Foundation
import LMDB
import Testing
import Trove
import TroveStoreWorker
import TroveTestSupport

/// A type whose stored layout another process has changed without a new version: `NewMark`.
@IndexKeyRecord(keyPrefix: 4_000_003, fieldsVersion: 1, "number")
private struct OldMark {
    let number: Int
    var value: Int
}

@Suite("Reused contexts") struct ContextReuseTests {
    let directory: TemporaryDirectory
    let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(path: directory.path("store.trove"), options: StoreOptions(durability: .noSync))
        try store.insert(Tick(number: 1, note: "first"))
    }

    private var ended: StoreError { .transaction(.transactionEnded(path: store.path)) }

    /// Returns the errors of every kind of use.
    private static func errors(_ context: ReadContext) -> Set<StoreError?> {
        [
            storeError { try context.get(Tick.self, key: 1) },
            storeError { try context.contains(Entry.self, key: Tuple(1, "a")) },
            storeError { try Tick.query().resolve(in: context) },
            storeError { try Tick.query().count(in: context) },
            storeError { try Entry.query().exists(in: context) },
        ]
    }

    @Test func keptContexts_stayOfNoUse_forEver() throws {
        var kept: [ReadContext] = []
        for round in 0..<200 {
            try store.read { context in
                let tick = try context.get(Tick.self, key: 1)
                #expect(tick?.note == "first")
                if round.isMultiple(of: 20) {
                    kept.append(context)
                } else {
                    for old in kept { #expect(Self.errors(old) == [ended]) }
                }
            }
            for old in kept { #expect(Self.errors(old) == [ended]) }
        }
        #expect(Set(kept.map { ObjectIdentifier($0) }).count == 10)

        // Also on another thread, during its own reads.
        let (store, borrowed) = (store, Borrowed(kept))
        try onAnotherThread {
            for _ in 0..<20 {
                try store.read { _ in
                    for old in borrowed.value {
                        #expect(Self.errors(old) == [.transaction(.transactionEnded(path: store.path))])
                    }
                }
            }
        }
    }

    @Test func aContextKeptByAnotherThread_staysOfNoUse() throws {
        let store = store
        let (isOpen, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let shown = Box<ReadContext?>(nil)
        let owner = RunningThread {
            try store.read { context in
                shown.value = context
                isOpen.signal()
                mayEnd.wait()
                let tick = try context.get(Tick.self, key: 1)
                #expect(tick != nil)
            }
            // These reads use the same reader again.
            for _ in 0..<50 { _ = try store.get(Tick.self, key: 1) }
            try store.read { _ in
                isOpen.signal()
                mayEnd.wait()
            }
        }
        isOpen.wait()
        let borrowed = try #require(shown.value)
        #expect(Self.errors(borrowed) == [.transaction(.wrongThread(path: store.path))])
        mayEnd.signal()
        isOpen.wait()
        #expect(Self.errors(borrowed) == [ended])
        mayEnd.signal()
        try owner.value()
        for _ in 0..<50 { try store.read { _ in #expect(Self.errors(borrowed) == [ended]) } }
    }

    @Test func aThrowingRead_leavesTheNextOneAsGood() throws {
        struct Deliberate: Error {}
        for number in 2..<50 {
            #expect(throws: Deliberate.self) {
                try store.read { context in
                    _ = try context.get(Tick.self, key: 1)
                    throw Deliberate()
                }
            }
            try store.insert(Tick(number: number, note: ""))
            #expect(try Tick.query().count(in: store) == number)
        }
    }

    @Test func readsInReads_seeTheirOwnSnapshots() throws {
        func count() throws -> Int { try store.read { try Tick.query().count(in: $0) } }
        for round in 1..<50 {
            try store.read { outer in
                #expect(try Tick.query().count(in: outer) == 3 * round - 2)
                try store.insert(Tick(number: 10 * round, note: ""))
                try store.read { middle in
                    #expect(try Tick.query().count(in: middle) == 3 * round - 1)
                    try store.write { context in
                        try context.insert(Tick(number: 10 * round + 1, note: ""))
                        #expect(try count() == 3 * round - 1)
                        try context.insert(Tick(number: 10 * round + 2, note: ""))
                    }
                    #expect(try count() == 3 * round + 1)
                    #expect(try Tick.query().count(in: middle) == 3 * round - 1)
                }
                #expect(try Tick.query().count(in: outer) == 3 * round - 2)
            }
        }
    }

    @Test func aReadInAScan_doesNotDisturbIt() throws {
        try store.insert(contentsOf: (2...300).map { Tick(number: $0, note: "") })
        var seen: [Int] = []
        try Tick.query().forEach(in: store) { tick in
            seen.append(tick.number)
            #expect(try store.get(Tick.self, key: tick.number) == (tick.number <= 150 ? tick : nil))
            #expect(try Tick.query().first(in: store)?.number == 1)
            if tick.number < 300 { try store.delete(Tick.self, key: 301 - tick.number) }
        }
        #expect(seen == Array(1...300))
    }

    // MARK: The catalog of a context

    @Test func typesThatAnotherStoreObjectAdds_areSeenByTheNextRead() throws {
        let other = try Store(path: store.path, options: StoreOptions(durability: .noSync))
        func entries() throws -> Int { try store.read { try Entry.query().count(in: $0) } }
        func planes() throws -> Int { try store.read { try Plane1.query().count(in: $0) } }
        try store.read { outer in
            #expect(try entries() == 0)
            try other.insert(Entry(group: 1, word: "a", text: "", counts: []))
            #expect(try entries() == 1)
            try other.write { context in
                try context.insert(Plane1(code: "A", seats: 1, year: 2))
                #expect(try planes() == 0)
                #expect(try entries() == 1)
            }
            #expect(try planes() == 1)
            #expect(try Entry.query().count(in: outer) == 0)
            #expect(try Plane1.query().count(in: outer) == 0)
        }
        #expect(try planes() == 1)
        // After a rollback, the types of the undone transaction must not be found.
        #expect(throws: CancellationError.self) {
            try other.write { context in
                try context.insert(Fejar(id: 1, text: ""))
                throw CancellationError()
            }
        }
        #expect(try store.read { try Fejar.query().count(in: $0) } == 0)
        try other.insert(Fejar(id: 2, text: ""))
        #expect(try store.read { try Fejar.query().keys(in: $0) } == [2])
    }

    @Test func typesAndLayoutsOfAnotherProcess_areSeenByTheNextRead() throws {
        #expect(try store.read { try Left.query().count(in: $0) } == 0)
        try run("left", "", 3)
        #expect(try store.read { try Left.query().count(in: $0) } == 3)

        func mark() -> StoreError? { storeError { try store.read { try $0.get(OldMark.self, key: 7) } } }
        #expect(mark() == nil)
        try store.read { context in
            #expect(try context.get(OldMark.self, key: 7) == nil)
            try run("mark", "text", 8)
            #expect(try context.get(OldMark.self, key: 7) == nil)
            guard
                case .schema(.layoutChanged(path: store.path, type: "OldMark", version: 1, stored: _, declared: _)) =
                    mark()
            else {
                Issue.record("\(String(describing: mark()))")
                return
            }
        }
        #expect(mark() != nil)
        #expect(try store.read { try Left.query().count(in: $0) } == 3)
    }

    private func run(_ command: String, _ name: String, _ count: Int) throws {
        let child = try ChildProcess([command, store.path, name, "\(count)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        try child.writeLine("go")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }

    // MARK: The options of each store

    @Test func storesThatVerify_andThoseThatDoNot_takeTurnsOnOneThread() throws {
        let verifying = try Store(
            path: store.path, options: StoreOptions(durability: .noSync, verifiesChecksums: true))
        let environment = try Environment(path: store.path, options: EnvironmentOptions(durability: .noSync))
        let name = try #require(try environment.databaseNames().first { $0 != "trove" })
        let table = try environment.openDatabase(name)
        let key = KeyWriter.bytes(of: 1)
        try environment.write { transaction in
            var value = try #require(try transaction.get(key, from: table))
            value[value.count - 1] ^= 1
            try transaction.put(value, for: key, in: table)
        }
        let mismatch = StoreError.record(.checksumMismatch(type: "Tick", key: StoredKey(key, of: "Tick")))
        for _ in 0..<50 {
            #expect(try store.get(Tick.self, key: 1)?.note == "firsu")
            #expect(storeError { try verifying.get(Tick.self, key: 1) } == mismatch)
            #expect(storeError { try Tick.query().select(\.note).resolve(in: verifying) } == mismatch)
            try store.read { plain in
                try verifying.read { strict in
                    let others = try [plain.get(Tick.self, key: 1), store.get(Tick.self, key: 1)]
                    #expect(others.map { $0?.note } == ["firsu", "firsu"])
                    #expect(storeError { try strict.get(Tick.self, key: 1) } == mismatch)
                }
                #expect(storeError { try verifying.get(Tick.self, key: 1) } == mismatch)
                #expect(try plain.get(Tick.self, key: 1)?.note == "firsu")
            }
        }
    }

    /// The context stays with the reader. Neither of them may keep the file open.
    @Test func contextsLeftWithTheirReaders_doNotKeepTheFileOpen() throws {
        let path = directory.path("closed.trove")
        for durability in [StoreOptions.Durability.noSync, .full, .noMetaSync] {
            // While the file is open, other options are refused.
            let store = try Store(path: path, options: StoreOptions(durability: durability))
            try store.insert(Tick(number: 1, note: ""))
            try store.read { outer in
                _ = try store.get(Tick.self, key: 1)
                #expect(try Tick.query().keys(in: outer) == [1])
            }
            #expect(try Tick.query().keys(in: store) == [1])
        }
    }
}

/// A box that carries a value to another thread although the value is not sendable, to test its refusal there.
private struct Borrowed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A box like ``Borrowed`` whose value is set later, before a signal.
private final class Box<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}
