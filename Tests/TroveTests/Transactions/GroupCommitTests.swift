// Async writes that wait together share a commit, and each write takes effect or is undone alone.

import Foundation
import LMDB
import Synchronization
import Testing
import Trove
import TroveTestSupport

private struct Deliberate: Error {}

@Suite("Group commit") struct GroupCommitTests {
    @Test func writesThatWaitTogether_shareOneCommit_inOrderOfArrival() async throws {
        try await eventually(gives: 1) {
            let line = try WriterLine()
            return try await line.commits {
                let results = await line.write(
                    (0..<20).map { number in { try WriterLine.insert(20 - number, in: $0) } })
                // Each write has seen the changes of all earlier writes.
                for (number, result) in results.enumerated() {
                    #expect(result.value == Array((0..<number).map { 20 - $0 }.reversed()))
                }
                let ticks = try line.ticks()
                #expect(ticks == Array(1...20))
            }
        }
    }

    @Test(arguments: [[0], [0, 1, 2], [3], [1, 2, 5, 7], [9], [0, 4, 9], Array(1...9), Array(0...9)])
    func thoseThatThrow_areUndoneAlone(failing: [Int]) async throws {
        let successful = (0..<10).filter { !failing.contains($0) }
        try await eventually(gives: successful.isEmpty ? 0 : 1) {
            let line = try WriterLine()
            try await line.store.insert(Tick(number: -1, note: ""))
            let runs = Box([Int](repeating: 0, count: 10))
            let commits = try await line.commits {
                let results = await line.write(
                    (0..<10).map { number in
                        { context in
                            runs.value.withLock { $0[number] += 1 }
                            let seen = try WriterLine.insert(number, in: context)
                            if failing.contains(number) { throw Deliberate() }
                            return seen
                        }
                    })
                for (number, result) in results.enumerated() {
                    #expect(result.failed(with: Deliberate.self) == failing.contains(number))
                    let before = [-1] + successful.filter { $0 < number }
                    #expect(failing.contains(number) || result.value == before)
                }
            }
            #expect(runs.value.withLock { $0 } == [Int](repeating: 1, count: 10))
            #expect(try line.ticks() == [-1] + successful)
            return commits
        }
    }

    @Test func synchronousWrites_keepTheirTurn_andShareNoCommit() async throws {
        try await eventually(gives: 5) {
            let line = try WriterLine()
            return try await line.commits {
                let held = await line.hold()
                var tasks: [Task<[Int], any Error>] = []
                var threads: [RunningThread<[Int]>] = []
                for number in 0..<8 {
                    let body: WriterLine.Body = { try WriterLine.insert(number, in: $0) }
                    // 0 1 | thread | 3 4 | thread | 6 7
                    if number % 3 == 2 {
                        threads.append(await held.queue { RunningThread { try line.store.write(body) } })
                    } else {
                        tasks.append(await held.queue { Task { try await line.store.write(body) } })
                    }
                }
                held.end()
                var seen: [[Int]] = []
                for task in tasks { seen.append(try await task.value) }
                for thread in threads { seen.append(try await thread.value()) }
                #expect(Set(seen) == Set((0..<8).map { Array(0..<$0) }))
                #expect(try line.ticks() == Array(0..<8))
            }
        }
    }

    /// The error left the transaction half done. The write fails although the closure swallows the error.
    @Test(arguments: [[0], [0, 1], [2], [1, 3], [0, 1, 2, 3]])
    func aSwallowedError_thatPoisons_failsItsWriteAlone(poisoned: [Int]) async throws {
        let line = try WriterLine()
        let results = await line.write(
            (0..<4).map { number in
                { context in
                    let seen = try WriterLine.insert(number, in: context)
                    if poisoned.contains(number) {
                        #expect(storeError { try context.insert(Liar(number: number, promised: 3)) } != nil)
                    }
                    return seen
                }
            })
        for (number, result) in results.enumerated() {
            guard poisoned.contains(number) else {
                #expect(result.value == (0..<number).filter { !poisoned.contains($0) })
                continue
            }
            guard case .file(.storage(let failure)) = result.storeError else {
                Issue.record("\(number): \(result)")
                continue
            }
            #expect(failure.code == .badTransaction)
        }
        #expect(try line.ticks() == (0..<4).filter { !poisoned.contains($0) })
        #expect(try await Liar.query().count(in: line.store) == 0)
    }

    @Test func values_ofAnyKind_comeBack() async throws {
        let line = try WriterLine()
        let held = await line.hold()
        let store = line.store
        let nothing = await held.queue { Task { try await store.write { _ in } } }
        let absent = await held.queue { Task { try await store.write { try $0.get(Tick.self, key: 1) } } }
        let nested = await held.queue { Task { try await store.write { _ in Int??.some(nil) } } }
        held.end()
        try await nothing.value
        #expect(try await absent.value == nil)
        #expect(try await nested.value == .some(nil))
        #expect(try store.commitSequence == 0)
    }

    // MARK: Shared commits

    @Test func twoStoresOnOneFile_shareNoCommit_andBehaveByTheirOwnOptions() async throws {
        let line = try WriterLine()
        let plain = line.store
        let verifying = try await Store(
            path: plain.path, options: StoreOptions(durability: .noSync, verifiesChecksums: true))
        let readOnly = try await Store(path: plain.path, options: StoreOptions(durability: .noSync, isReadOnly: true))
        try await plain.insert(Tick(number: 0, note: "sound"))
        let name = try #require(try line.environment.databaseNames().first { $0 != "trove" })
        let table = try line.environment.openDatabase(name)
        let key = KeyWriter.bytes(of: 0)
        try line.environment.write { transaction in
            var value = try #require(try transaction.get(key, from: table))
            value[value.count - 1] ^= 1
            try transaction.put(value, for: key, in: table)
        }

        func look(_ number: Int) -> WriterLine.Body {
            { context in
                let isThere = try context.get(Tick.self, key: 0) != nil
                try context.insert(Tick(number: number, note: ""))
                return isThere ? [0] : []
            }
        }
        var results: [Result<[Int], any Error>] = []
        let commits = try await line.commits {
            results = await line.run(
                [plain, verifying, plain, readOnly, plain, verifying, readOnly].enumerated().map { number, store in
                    (store, look(number + 1))
                })
        }
        #expect(commits == 3)
        let mismatch = StoreError.record(.checksumMismatch(type: "Tick", key: StoredKey(key, of: "Tick")))
        let refusal = StoreError.transaction(.readOnly(path: plain.path))
        #expect(results.map(\.value) == [[0], nil, [0], nil, [0], nil, nil])
        #expect(results.map(\.storeError) == [nil, mismatch, nil, refusal, nil, mismatch, refusal])
        #expect(try line.ticks() == [0, 1, 3, 5])
    }

    /// The story: finished jobs stayed in the queue and kept their store, whose file was never closed.
    @Test func finishedWrites_doNotKeepTheStoreOpen() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store.trove")
        func write() async throws -> Weak {
            let store = try await Store(path: path, options: StoreOptions(durability: .noSync))
            let writers = try Environment(path: path, options: EnvironmentOptions(durability: .noSync)).writers
            for number in 0..<5 { try await store.write { try $0.insert(Tick(number: number, note: "")) } }
            while writers.count > 0 { await Task.yield() }
            return Weak(store)
        }
        #expect(try await write().store == nil)
        let reopened = try await Store(path: path)
        #expect(try await reopened.read { try Tick.query().count(in: $0) } == 5)
    }

    // MARK: New types

    @Test func typesFirstWrittenInAGroup_comeAndGoWithTheirWrite() async throws {
        try await eventually(gives: 1) {
            let line = try WriterLine()
            @Sendable func entry(_ word: String) -> Entry { Entry(group: 1, word: word, text: word, counts: [1]) }
            let commits = try await line.commits {
                let results = await line.write([
                    // The first write creates a type, and is undone with the whole transaction.
                    { context in
                        try context.insert(Fejar(id: 1, text: "undone"))
                        throw Deliberate()
                    },
                    { try WriterLine.insert(1, in: $0) },
                    // A write in the middle is undone alone.
                    { context in
                        try context.insert(entry("undone"))
                        try context.insert(Fejar(id: 2, text: "undone"))
                        throw Deliberate()
                    },
                    // The same types again, in the opposite order.
                    { context in
                        #expect(try Fejar.query().count(in: context) == 0)
                        try context.insert(Fejar(id: 3, text: "stays"))
                        try context.insert(entry("stays"))
                        return try WriterLine.insert(2, in: context)
                    },
                    // The next write uses them.
                    { context in
                        #expect(try context.get(Fejar.self, key: 3)?.text == "stays")
                        try context.insert(entry("also stays"))
                        try context.insert(Plane1(code: "A", seats: 1, year: 2))
                        throw Deliberate()
                    },
                    { context in
                        #expect(try context.get(Plane1.self, key: "A") == nil)
                        try context.insert(entry("too"))
                        return try WriterLine.insert(3, in: context)
                    },
                ])
                #expect(results.map(\.value) == [nil, [], nil, [1], nil, [1, 2]])
                #expect(results.filter { $0.failed(with: Deliberate.self) }.count == 3)
            }
            for _ in 0..<2 {
                #expect(try await Fejar.query().keys(in: line.store) == [3])
                #expect(try await Entry.query().select(\.text).resolve(in: line.store) == ["stays", "too"])
                #expect(try await Plane1.query().count(in: line.store) == 0)
                #expect(try line.environment.databaseNames().count == 4)
                // Checks again after the next write has used the types of the group.
                try await line.store.insert(entry("stays"))
            }
            return commits
        }
    }

    // MARK: Cancellation

    @Test(arguments: [0, 2, 4])
    func cancelledInTheLine_neverRuns(cancelled: Int) async throws {
        let line = try WriterLine()
        let held = await line.hold()
        var tasks: [Task<[Int], any Error>] = []
        for number in 0..<5 {
            tasks.append(
                await held.queue {
                    Task {
                        try await line.store.write { context in
                            if number == cancelled { Issue.record("the closure ran") }
                            return try WriterLine.insert(number, in: context)
                        }
                    }
                })
        }
        tasks[cancelled].cancel()
        held.end()
        try await expectAllButOne(tasks, cancelled, in: line)
    }

    @Test(arguments: [0, 2, 4])
    func cancelledDuringItsClosure_isUndone(cancelled: Int) async throws {
        let line = try WriterLine()
        let own = Box<Task<[Int], any Error>?>(nil)
        let held = await line.hold()
        var tasks: [Task<[Int], any Error>] = []
        for number in 0..<5 {
            tasks.append(
                await held.queue {
                    Task {
                        try await line.store.write { context in
                            let seen = try WriterLine.insert(number, in: context)
                            if number == cancelled { own.value.withLock { $0?.cancel() } }
                            return seen
                        }
                    }
                })
        }
        own.value.withLock { $0 = tasks[cancelled] }
        held.end()
        try await expectAllButOne(tasks, cancelled, in: line)
    }

    private func expectAllButOne(
        _ tasks: [Task<[Int], any Error>], _ cancelled: Int, in line: WriterLine
    ) async throws {
        let others = (0..<5).filter { $0 != cancelled }
        for (number, task) in tasks.enumerated() {
            let result = await task.result
            #expect(result.failed(with: CancellationError.self) == (number == cancelled))
            #expect(number == cancelled || result.value == others.filter { $0 < number })
        }
        #expect(try line.ticks() == others)
    }
}

private struct Weak {
    weak var store: Store?

    init(_ store: Store) { self.store = store }
}

/// A value shared by several threads.
private final class Box<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }
}
