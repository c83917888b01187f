// Several processes on the same store, and killed processes.

import Foundation
import LMDB
import Testing
import Trove
import TroveStoreWorker
import TroveTestSupport

@Suite("Several processes", .serialized) struct ProcessTests {
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("shared.trove")
    }

    private func open() throws -> Store { try Store(path: path, options: StoreOptions(durability: .noSync)) }

    private func child(_ command: String, _ name: String, _ count: Int) throws -> ChildProcess {
        let child = try ChildProcess([command, path, name, "\(count)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        return child
    }

    private func expectDone(_ child: ChildProcess) {
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }

    @Test func twoProcesses_thatWrite3000RecordsEach_loseNone() throws {
        let children = [try child("insert", "a", 3000), try child("insert", "b", 3000)]
        for child in children { try child.writeLine("go") }
        children.forEach(expectDone)
        let store = try open()
        for name in ["a", "b"] {
            let lines = try Line.query(writer: name).resolve(in: store)
            #expect(lines.map(\.number) == Array(0..<3000))
            // Neither process passed its middle before the other process was there.
            #expect(lines.dropFirst(1500).allSatisfy { line in (Int(line.text) ?? 0) >= 3000 })
        }
        #expect(try store.commitSequence == 6000)
    }

    @Test func processesThatFirstWriteDifferentTypes_atOnce_loseNone() throws {
        for round in 0..<10 {
            let store = try Store(path: directory.path("round-\(round)"), options: StoreOptions(durability: .noSync))
            let children = try ["left", "right"].map { command in
                let child = try ChildProcess(
                    [command, store.path, "", "20"], executable: "TroveStoreWorker")
                #expect(child.readLine() == "ready")
                return child
            }
            for child in children { try child.writeLine("go") }
            if round % 2 == 0 { try store.insert(Line(writer: "parent", number: 0)) }
            children.forEach(expectDone)
            #expect(try Left.query().count(in: store) == 20)
            #expect(try Right.query().count(in: store) == 20)
            #expect(try Line.query().count(in: store) == (round % 2 == 0 ? 1 : 0))
        }
    }

    /// The table's handle can only be opened in a turn of the writer queue.
    @Test func aTypeOfAnotherProcess_makesAReadWaitForTheWritersHere_andNotForEver() throws {
        let options = EnvironmentOptions(durability: .noSync, busyTimeout: .milliseconds(50))
        do { _ = try open() }
        let environment = try Environment(path: path, options: options)
        let store = try open()
        let (hasTurn, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        environment.writers.enqueue {
            hasTurn.signal()
            mayEnd.wait()
        }
        hasTurn.wait()
        let other = try child("left", "", 3)
        try other.writeLine("go")
        expectDone(other)
        let error = storeError { try Left.query().count(in: store) }
        #expect(
            error
                == .transaction(.busy(path: store.path, reason: LMDBError(.busy, in: "openDatabase", path: store.path)))
        )
        mayEnd.signal()
        while environment.writers.count > 0 { sched_yield() }
        #expect(try Left.query().count(in: store) == 3)
    }

    @Test func aStoreOpenBeforeAnythingWasWritten_seesAnothersTypes() throws {
        let store = try open()
        #expect(try Left.query().count(in: store) == 0)
        let writer = try child("left", "", 5)
        try writer.writeLine("go")
        expectDone(writer)
        #expect(try Left.query().count(in: store) == 5)
        #expect(try store.get(Left.self, key: 3) == Left(number: 3))
        let other = try child("right", "", 5)
        try other.writeLine("go")
        expectDone(other)
        // A read on this thread, inside a write, sees records written since.
        try store.write { context in
            #expect(try Right.query().count(in: context) == 5)
            #expect(try Right.query().count(in: store) == 5)
            try context.insert(Right(number: 9))
        }
        #expect(try Right.query().count(in: store) == 6)
    }

    @Test func processesThatCreateAStoreAtOnce_endInOne() throws {
        for round in 0..<10 {
            let path = directory.path("\(round).trove")
            let children = try (0..<4).map { _ in
                try ChildProcess(["identify", path, "", "0"], executable: "TroveStoreWorker")
            }
            let identifiers = children.map { child in
                (0..<3).map { _ in child.readLine() }
            }
            #expect(Set(identifiers.map { $0[1] }).count == 1)
            #expect(identifiers.allSatisfy { $0[2] == "done" })
            #expect(
                try directory.names().filter { $0.hasPrefix("\(round).") } == ["\(round).trove", "\(round).trove-lock"])
        }
    }

    @Test func aProcess_seesTheTypeAndRecords_thatAnotherJustWrote() throws {
        let store = try open()
        try store.insert(Left(number: 1))
        let reader = try child("await", "parent", 300)
        for number in 0..<300 { try store.insert(Line(writer: "parent", number: number)) }
        expectDone(reader)
    }

    @Test func aKilledWriter_losesNothingCommitted_andBlocksNoOne() throws {
        let store = try open()
        try store.insert(Line(writer: "parent", number: 1))
        for round in 0..<5 {
            let writer = try child("hold", "child", 500)
            #expect(writer.readLine() == "holding")
            #expect(try Line.query().count(in: store) == 1 + round)
            writer.kill()
            try store.insert(Line(writer: "parent", number: 2 + round))
            #expect(try Line.query(writer: "child").count(in: store) == 0)
            #expect(try Line.query(writer: "parent").count(in: store) == 2 + round)
        }
    }

    /// The story: a process is killed at any moment between the start of a transaction and its acknowledgement. Every
    /// acknowledged commit must be stored, and nothing of a transaction whose commit did not begin.
    @Test func killedAtAnyMoment_200Times_keepsWhatWasAcknowledged() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var next = 0
        for cycle in 0..<200 {
            let comment: Comment = "cycle \(cycle), TROVE_TEST_SEED=\(seed)"
            let writer = try child("commit", "child", 0)
            for _ in 0..<Int.random(in: 0..<8, using: &generator) {
                #expect(writer.readLine() == "\(next)", comment)
                next += 1
            }
            // The kill then comes at any moment of the next transactions.
            let moment = ContinuousClock.now + .microseconds(Int.random(in: 0..<400, using: &generator))
            while ContinuousClock.now < moment {}
            writer.kill()
            while let line = writer.readLine(), line == "\(next)" { next += 1 }

            let store = try open()
            let numbers = try Line.query(writer: "child").keys(in: store).map(\.elements.1)
            let last = numbers.last ?? -1
            #expect(last == next - 1 || last == next, comment)
            next = last + 1
            #expect(numbers == Array(max(0, next - 200)..<next), comment)
            #expect(try store.commitSequence == UInt64(next), comment)
            for line in try Line.query(writer: "child").resolve(in: store) {
                #expect(line.text.utf8.count == line.number % 5000, comment)
            }
        }
    }
}
