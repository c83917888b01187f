// The bounds of a group of writes, and the state after its commit fails or its process is killed.

import Foundation
import LMDB
import Testing
@testable import Trove
import TroveStoreWorker
import TroveTestSupport

private struct AlreadyThere: Error {}

@Suite("Group commit, limits") struct GroupCommitFailureTests {
    /// Tests each bound alone. In the two tests below, the duration of the writes may close a group first.
    @Test func aGroup_isOpen_upToEachOfItsBounds() {
        let (writes, bytes, age) = (WriteGroup.maximumWrites, WriteGroup.maximumBytes, WriteGroup.maximumAge)
        #expect(WriteGroup.isOpen(writes: writes - 1, bytes: bytes - 1, age: age - .nanoseconds(1)))
        #expect(!WriteGroup.isOpen(writes: writes, bytes: 0, age: .zero))
        #expect(!WriteGroup.isOpen(writes: 1, bytes: bytes, age: .zero))
        #expect(!WriteGroup.isOpen(writes: 1, bytes: 0, age: age))
    }

    @Test func aGroup_isBoundedInTime() async throws {
        let line = try WriterLine()
        let commits = try await line.commits {
            _ = await line.write([
                { context in
                    let start = ContinuousClock.now
                    while ContinuousClock.now - start < WriteGroup.maximumAge { sched_yield() }
                    return try WriterLine.insert(0, note: "late", in: context)
                },
                { try WriterLine.insert(1, note: "", in: $0) },
            ])
        }
        #expect(commits == 2)
        #expect(try line.ticks() == [0, 1])
    }

    @Test func aGroup_isBoundedInNumber() async throws {
        let line = try WriterLine()
        let commits = try await line.commits {
            let results = await line.write(
                (0..<600).map { number in
                    { context in
                        try context.insert(Tick(number: number, note: ""))
                        return []
                    }
                })
            #expect(results.allSatisfy { $0.value == [] })
        }
        #expect(commits >= 3)
        #expect(try line.ticks() == Array(0..<600))
    }

    @Test func aGroup_isBoundedInBytes() async throws {
        let line = try WriterLine()
        let note = String(repeating: "n", count: 1 << 20)
        let commits = try await line.commits {
            let results = await line.write(
                (0..<12).map { number in { try WriterLine.insert(number, note: note, in: $0) } })
            for (number, result) in results.enumerated() { #expect(result.value == Array(0..<number)) }
        }
        #expect(commits >= 3)
        #expect(try await Tick.query().select(\.note).resolve(in: line.store) == [String](repeating: note, count: 12))
    }

    /// A small write leads the group. Alone it would have had enough space, so its failure shows that it shared the
    /// commit.
    ///
    /// The last write throws because it saw the others. They were undone, so its own error must not be reported.
    @Test(.enabled(if: SmallDisk.isAvailable, "only root on Linux can mount a small disk"))
    func aFullDisk_failsAllWritesOfTheCommit_andStoresNoneOfThem() async throws {
        try await eventually(gives: 0) {
            let disk = try SmallDisk(megabytes: 8)
            let store = try await Store(path: disk.path("full.trove"))
            let line = try WriterLine(store)
            try await store.insert(Tick(number: 0, note: "before"))
            let ballast = disk.path("ballast")
            try Data(count: 6 << 20).write(to: URL(fileURLWithPath: ballast))
            let notes = ["", String(repeating: "n", count: 1 << 20), String(repeating: "m", count: 1 << 20)]
            var writes: [WriterLine.Body] = notes.enumerated().map { number, note in
                { try WriterLine.insert(number + 1, note: note, in: $0) }
            }
            writes.append { context in
                if try context.contains(Tick.self, key: 1) { throw AlreadyThere() }
                return []
            }
            let results = await line.write(writes)
            let succeeded = results.filter { $0.value != nil }.count
            for error in results.compactMap(\.storeError) {
                guard case .file(.diskFull(path: store.path, reason: _)) = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
            if succeeded == 0 {
                #expect(results.allSatisfy { $0.storeError != nil && $0.storeError == results[0].storeError })
                #expect(try line.ticks() == [0])
            }
            // The refused writes do not affect later writes.
            try FileManager.default.removeItem(atPath: ballast)
            let again = await line.write([{ try WriterLine.insert(9, in: $0) }, { try WriterLine.insert(10, in: $0) }])
            #expect(again.allSatisfy { $0.storeError == nil })
            #expect(try line.ticks().suffix(2) == [9, 10])
            return succeeded
        }
    }
}

/// The story: a process is killed while its tasks wait for shared commits. Every write that was acknowledged to a task
/// must be stored.
@Suite("Group commit, killed", .serialized) struct GroupCommitKillTests {
    @Test func killedUnderLoad_keepsWhatWasAcknowledged() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("killed.trove")
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var acknowledged = [Int](repeating: -1, count: 16)
        for cycle in 0..<8 {
            let comment: Comment = "cycle \(cycle), TROVE_TEST_SEED=\(seed)"
            let child = try ChildProcess(["commit-together", path, "task", "16"], executable: "TroveStoreWorker")
            #expect(child.readLine() == "ready")
            func note(_ line: String) throws {
                let words = line.split(separator: " ").compactMap { Int($0) }
                try #require(words.count == 2, comment)
                let (task, number) = (words[0], words[1])
                #expect(number == acknowledged[task] + 1, comment)
                acknowledged[task] = number
            }
            for _ in 0..<Int.random(in: 200..<600, using: &generator) { try note(#require(child.readLine())) }
            child.kill()
            while let line = child.readLine() { try note(line) }

            let store = try Store(path: path, options: StoreOptions(verifiesChecksums: true))
            for task in acknowledged.indices {
                let lines = try Line.query(writer: "task \(task)").resolve(in: store)
                let last = lines.last?.number ?? -1
                // The write under way may be stored or not.
                #expect(last == acknowledged[task] || last == acknowledged[task] + 1, comment)
                acknowledged[task] = last
                #expect(lines.map(\.number) == Array(max(0, last - 49)..<(last + 1)), comment)
                for line in lines { #expect(line.text == Line.text(of: line.number), comment) }
            }
            #expect(try store.commitSequence <= UInt64(acknowledged.reduce(16, +)), comment)
        }
    }
}
