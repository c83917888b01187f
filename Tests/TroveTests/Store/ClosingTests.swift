// close(): what it waits for, what it refuses, and what may follow.

import Foundation
import LMDB
import Logging
import Synchronization
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Closing") struct ClosingTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("a.trove")
    }

    private func open() throws -> Store { try Store(path: path, options: StoreOptions(durability: .noSync)) }

    @Test func aClosedStore_refusesEveryCall_andIsOpenedAgain() throws {
        let store = try open()
        try store.insert(Tick(number: 1, note: ""))
        try store.close()
        let closed = StoreError.transaction(.closed(path: store.path))
        #expect(storeError { try store.insert(Tick(number: 2, note: "")) } == closed)
        #expect(storeError { try Tick.query().count(in: store) } == closed)
        #expect(storeError { try store.copy(to: directory.path("b.trove")) } == closed)
        #expect(storeError { try store.info } == closed)
        #expect(storeError { try store.readers } == closed)
        #expect(storeError { try store.statistics } == closed)
        #expect(storeError { try store.check() } == closed)
        #expect("\(closed)".contains("was closed"))
        try store.close()

        let again = try open()
        #expect(try Tick.query().keys(in: again) == [1])
        try again.insert(Tick(number: 2, note: ""))
        #expect(storeError { try Tick.query().count(in: store) } == closed)
    }

    @Test func asyncCalls_areRefusedToo() async throws {
        let store = try await Store.temporary()
        try await store.close()
        let closed = StoreError.transaction(.closed(path: store.path))
        await #expect(throws: closed) { try await store.insert(Tick(number: 1, note: "")) }
        await #expect(throws: closed) { try await Tick.query().count(in: store) }
        try await store.close()
    }

    /// The system removes the locks of the whole file when a process closes any descriptor of it. So the file must
    /// really be closed before it is replaced by another file.
    @Test func afterClosing_theFileCanBeReplaced() throws {
        for number in 0..<5 {
            let store = try open()
            #expect(try Tick.query().count(in: store) == 0)
            try store.insert(Tick(number: number, note: ""))
            try store.close()
            for name in try directory.names() { try FileManager.default.removeItem(atPath: directory.path(name)) }
        }
    }

    // MARK: Several references

    @Test func anotherReference_staysOpen() throws {
        let (first, second) = (try open(), try open())
        try first.insert(Tick(number: 1, note: ""))
        try first.close()
        try first.close()
        #expect(storeError { try Tick.query().count(in: first) } == .transaction(.closed(path: first.path)))
        #expect(storeError { try first.insert(Tick(number: 1, note: "")) } == .transaction(.closed(path: first.path)))
        try second.insert(Tick(number: 2, note: ""))
        #expect(try Tick.query().keys(in: second) == [1, 2])
        try second.close()
        #expect(try Tick.query().keys(in: open()) == [1, 2])
    }

    @Test func aReleasedReference_countsAsClosed() throws {
        let first = try open()
        do {
            let second = try open()
            try second.insert(Tick(number: 1, note: ""))
        }
        try first.close()
        #expect(try Tick.query().keys(in: open()) == [1])
    }

    /// A closed store that is still referenced does not keep the file open after the other store ends, whether the
    /// other store is closed or released, and in either order. An open file refuses another durability.
    @Test(arguments: [0, 1, 2]) func aClosedReference_doesNotKeepTheFileOpen(order: Int) throws {
        let first = try open()
        do {
            let second = try open()
            if order != 0 { try first.close() }
            try second.insert(Tick(number: 1, note: ""))
            if order == 2 { try second.close() }
        }
        if order == 0 { try first.close() }
        let again = try Store(path: path, options: StoreOptions(durability: .full))
        #expect(try Tick.query().keys(in: again) == [1])
        #expect(storeError { try Tick.query().count(in: first) } == .transaction(.closed(path: first.path)))
    }

    @Test func manyThreads_openAndClose() throws {
        let (_, seed) = SeededGenerator.fromEnvironment()
        let threads = (0..<6).map { thread in
            RunningThread {
                var generator = SeededGenerator(seed: seed &+ UInt64(thread))
                for number in 0..<40 {
                    let store = try open()
                    try store.insert(Tick(number: thread * 100 + number, note: ""))
                    #expect(try store.contains(Tick.self, key: thread * 100 + number), "seed \(seed)")
                    if Bool.random(using: &generator) { try store.close() }
                }
            }
        }
        for thread in threads { try thread.value() }
        #expect(try Tick.query().count(in: open()) == 240)
    }

    // MARK: Waiting

    @Test(arguments: [false, true]) func anOpenTransaction_isWaitedFor(writes: Bool) throws {
        let store = try open()
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let isClosed = Atomic<Bool>(false)
        let transaction = RunningThread {
            func body(_ context: ReadContext) throws -> Bool {
                begun.signal()
                mayEnd.wait()
                _ = try Tick.query().count(in: context)
                return isClosed.load(ordering: .sequentiallyConsistent)
            }
            return try writes ? store.write(body) : store.read(body)
        }
        begun.wait()
        let closing = RunningThread {
            try store.close()
            isClosed.store(true, ordering: .sequentiallyConsistent)
        }
        while !store.environment.isClosing {}
        #expect(storeError { try Tick.query().count(in: store) } == .transaction(.closed(path: store.path)))
        mayEnd.signal()
        #expect(try transaction.value() == false)
        try closing.value()
    }

    @Test func aLongWait_isLogged_withItsReason() throws {
        let log = CapturedLog.installed
        let store = try open()
        let begun = DispatchSemaphore(value: 0)
        let reading = RunningThread {
            try store.read { context in
                begun.signal()
                while log.messages(about: store.path).isEmpty {}
                return try Tick.query().count(in: context)
            }
        }
        begun.wait()
        try store.close(warningAfter: .milliseconds(1))
        #expect(try reading.value() == 0)
        let message = try #require(log.messages(about: store.path).first)
        #expect(message.contains("Closing a store waits"))
        #expect(message.contains("\"open reads\": 1") || message.contains("open reads: 1"), "\(message)")
    }

    @Test func writesInTheQueue_areCommitted() async throws {
        let line = try WriterLine()
        let store = line.store
        let held = await line.hold()
        let write = await held.queue { Task { try await store.insert(Tick(number: 1, note: "")) } }
        let closing = await held.queue { Task { try await store.close() } }
        await #expect(throws: StoreError.transaction(.closed(path: store.path))) {
            try await store.insert(Tick(number: 2, note: ""))
        }
        held.end()
        #expect(try await write.value)
        try await closing.value
        let again = try await Store(path: store.path, options: StoreOptions(durability: .noSync))
        #expect(try await Tick.query().keys(in: again) == [1])
    }

    @Test func aBackgroundMigration_stopsAfterItsStep_andGoesOnLater() throws {
        let count = 4000
        let file = try MigratedFile(of: Bulky.old(count))
        let gate = MigrationGate()
        let store = try file.open(Bulky.New.self, migrations: .background, progress: gate.pass)
        gate.waitUntilReached()
        let closing = RunningThread { try store.close() }
        while !store.environment.isClosing {}
        gate.open()
        try closing.value()
        #expect(!store.backgroundWork.isRunning)
        let migration = try #require(try file.type(Bulky.Old.keyPrefix).migration)
        #expect((1..<count).contains(migration.done))
        #expect(try Bulky.New.query().resolve(in: file.open(Bulky.New.self)) == Bulky.new(count))
        #expect(try file.type(Bulky.Old.keyPrefix).isMigrated)
    }

    @Test func aMigrationOnAnotherThread_throwsAfterItsStep() throws {
        let file = try MigratedFile(of: Bulky.old(4000))
        let store = try file.open(Bulky.New.self, migrations: .lazily)
        let error = storeError { try store.finishMigrations { _ in try? store.close() } }
        #expect(error == .transaction(.closed(path: store.path)))
        #expect(try Bulky.New.query().resolve(in: file.open(Bulky.New.self)) == Bulky.new(4000))
    }

    @Test func closingInATransaction_throws_andClosesNothing() throws {
        let store = try open()
        let error = StoreError.transaction(.closedInTransaction(path: store.path))
        #expect(try store.read { _ in storeError { try store.close() } } == error)
        #expect(try store.write { _ in storeError { try store.close() } } == error)
        try store.insert(Tick(number: 1, note: ""))
        #expect(try Tick.query().count(in: store) == 1)
    }

    @Test func aCancelledTask_closesNevertheless() async throws {
        let store = try await Store.temporary()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await store.close()
        }
        task.cancel()
        try await task.value
        #expect(storeError { try store.commitSequence } == .transaction(.closed(path: store.path)))
    }

    @Test func aTemporaryStore_isGone() async throws {
        let store = try await Store.temporary(records: [Tick.self])
        try await store.insert(Tick(number: 1, note: ""))
        #expect(!FileManager.default.fileExists(atPath: store.path))
        try await store.close()
        #expect(storeError { try store.commitSequence } == .transaction(.closed(path: store.path)))
    }
}
