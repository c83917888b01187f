// Index builds between whose transactions others write: what a chunk has collected is out of date when it is written.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Index builds with writes in between") struct InterleavedBuildTests {
    private struct Killed: Error {}

    @Test func whateverIsWrittenInBetween_theIndexesAreThoseOfTheRecords() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        for _ in 0..<6 {
            let plain = Crew.plain(0..<400).filter { _ in Bool.random(using: &random) }
            let file = try MigratedFile(of: plain)
            let size = BuildSize(
                bytes: [0, 2000, 8000, 60_000].randomElement(using: &random) ?? 0,
                readTime: .seconds(10), writeTime: .zero, rests: false, block: Int.random(in: 1...200, using: &random))
            var crew = try CrewWriter(file.open(), plain, seed: UInt64.random(in: 0...9999, using: &random), comment)
            var isReady = false
            var left = 400
            while !isReady {
                // A process that goes on where another was killed.
                let store = try file.open()
                crew.store = store
                func next() throws -> Store {
                    left -= 1
                    if left > 0 {
                        if Int.random(in: 0..<20, using: &random) == 0 { throw Killed() }
                        for _ in 0..<Int.random(in: 0..<3, using: &random) { try crew.write() }
                    }
                    return store
                }
                do {
                    _ = try Store.buildIndexes(of: Crew.Indexed.self, in: next(), size) { _ in }
                    isReady = try store.unreadyIndexes(Crew.prefix) == []
                } catch is Killed {
                    #expect(try store.check(Crew.Indexed.self) == [], comment)
                }
            }
            let store = try file.open(Crew.Indexed.self)
            #expect(try store.unreadyIndexes(Crew.prefix) == [], comment)
            #expect(try store.check() == [], comment)
            let records = try Crew.Indexed.query().resolve(in: store)
            #expect(records == crew.records.values.sorted { $0.id < $1.id }, comment)
        }
    }

    /// Both builders have the same chunk; the entries of one are out of date when the other has made the indexes ready.
    @Test func aChunk_isGivenUp_whenAnotherBuilderWasFaster() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        let store = try file.open()
        let size = BuildSize.steps(of: 50)
        var calls = 0
        func next() throws -> Store {
            calls += 1
            if calls == 4 {
                try store.finish(Crew.Indexed.self)
                try store.delete(Crew.Indexed.self, key: 10)
            }
            return store
        }
        #expect(try Store.buildIndexes(of: Crew.Indexed.self, in: next(), size) { _ in } == [])
        #expect(try store.unreadyIndexes(Crew.prefix) == [])
        #expect(try store.check(Crew.Indexed.self) == [])
    }

    /// Of an index that was emptied at the position at which the chunk begins, part of the chunk would be missing.
    @Test func aChunk_isGivenUp_whenTheIndexWasEmptied() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        let store = try file.open()
        let size = BuildSize.steps(of: 50)
        var calls = 0
        func next() throws -> Store {
            calls += 1
            if calls == 6 {
                let type = try #require(try store.read { try $0.storedTypes() }.first)
                #expect(try store.markForRebuild("index(age)", of: type) == ["index(age)"])
            }
            return store
        }
        #expect(try Store.buildIndexes(of: Crew.Indexed.self, in: next(), size) { _ in } == [])
        #expect(try store.unreadyIndexes(Crew.prefix) == [])
        #expect(try store.check(Crew.Indexed.self) == [])
    }

    @Test func progress_growsWithinAChunk() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        let size = BuildSize.steps(of: 100)
        var done: [Int] = []
        _ = try Store.buildIndexes(of: Crew.ByAge.self, in: file.open(), size) { done.append($0.done) }
        #expect(done == [100, 200, 300])
    }

    @Test func behindAnOpenStore_otherThreadsWrite() throws {
        let (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let file = try MigratedFile(of: Crew.plain(0..<3000))
        let store = try file.open(Crew.Indexed.self, migrations: .background)
        let threads = (0..<3).map { number in
            RunningThread { [random] in
                var random = random
                while try !store.unreadyIndexes(Crew.prefix).isEmpty {
                    let id = Int.random(in: 0..<1000, using: &random) * 3 + number
                    let age = Int.random(in: 0..<100, using: &random)
                    if age < 10 {
                        try store.delete(Crew.Indexed.self, key: id)
                    } else {
                        try store.insert(Crew.Indexed(id: id, name: "new", age: age, email: nil))
                    }
                }
            }
        }
        for thread in threads { try thread.value() }
        #expect(try store.check() == [], comment)
    }

    // MARK: The log of changes

    @Test func changes_areKnown_onlyWhereEveryCommitIsReported() throws {
        func keys(_ sequences: [UInt64], _ keys: ChangedKeys = ChangedKeys()) -> BuildChanges {
            let hub = ChangeHub()
            let changes = BuildChanges(hub, ofType: 1)
            for sequence in sequences { hub.publish(CommitNotice(sequence: sequence, changedKeys: keys)) }
            return changes
        }
        func isKnown(_ changes: BuildChanges, since snapshot: UInt64, upTo latest: UInt64) -> Bool {
            if case .some = changes.keys(since: snapshot, upTo: latest) { true } else { false }
        }
        #expect(isKnown(keys([]), since: 5, upTo: 5))
        #expect(!isKnown(keys([]), since: 5, upTo: 6))
        #expect(isKnown(keys([4, 5, 6]), since: 5, upTo: 6))
        #expect(isKnown(keys([6, 7]), since: 5, upTo: 7))
        #expect(!isKnown(keys([7]), since: 5, upTo: 7))
        #expect(!isKnown(keys([6]), since: 5, upTo: 7))
        #expect(!isKnown(keys([6, 8]), since: 5, upTo: 8))
        var many = ChangedKeys()
        many.noteAny(1)
        #expect(!isKnown(keys([6], many), since: 5, upTo: 6))
        var others = ChangedKeys()
        others.noteAny(2)
        #expect(isKnown(keys([6], others), since: 5, upTo: 6))
    }
}

extension BuildSize {
    /// One chunk, which is written in transactions of so many entries.
    fileprivate static func steps(of count: Int) -> BuildSize {
        BuildSize(
            bytes: 1 << 20, readTime: .seconds(10), writeTime: .zero, rests: false, block: count)
    }
}

extension Store {
    fileprivate func finish(_ type: Crew.Indexed.Type) throws {
        _ = try Store.buildIndexes(of: type, in: self, .large) { _ in }
    }
}

/// A program that changes records, and a model of what is stored.
private struct CrewWriter {
    var store: Store
    private(set) var records: [Int: Crew.Indexed]
    private var random: SeededGenerator
    private let comment: Comment

    init(_ store: Store, _ plain: [Crew.Plain], seed: UInt64, _ comment: Comment) {
        self.store = store
        self.comment = comment
        random = SeededGenerator(seed: seed)
        records = Dictionary(
            uniqueKeysWithValues: plain.map {
                ($0.id, Crew.Indexed(id: $0.id, name: $0.name, age: $0.age, email: $0.email))
            })
    }

    mutating func write() throws {
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<20: try change()
        case 20..<24:
            let id = Int.random(in: 0..<400, using: &random)
            let (old, wasThere) = (records.removeValue(forKey: id), try store.delete(Crew.Indexed.self, key: id))
            #expect(wasThere == (old != nil), comment)
        case 24..<27:
            let id = Int.random(in: 0..<400, using: &random)
            try Query<Crew.Indexed>(last: .range(id..<id + 5)).delete(in: store)
            for id in id..<id + 5 { records[id] = nil }
        case 27..<31: try changeThereAndBack()
        case 31..<34: deleteAndFail()
        case 34:
            try Query<Crew.Indexed>().delete(in: store)
            records = [:]
        case 35: try insertMany()
        case 36:
            guard let type = try store.read({ try $0.storedTypes() }).first, !type.indexes.isEmpty else { return }
            #expect(try store.markForRebuild("index(age)", of: type) == ["index(age)"], comment)
        // As another process does, whose commits are not reported.
        default: store.catalog.hub.publish(CommitNotice(sequence: 0, changedKeys: ChangedKeys()))
        }
    }

    private struct Stopped: Error {}

    private func deleteAndFail() {
        #expect(throws: Stopped.self, comment) {
            try store.write { context in
                try Query<Crew.Indexed>().delete(in: context)
                throw Stopped()
            }
        }
    }

    private mutating func change() throws {
        let id = Int.random(in: 0..<400, using: &random)
        var record = records[id] ?? Crew.indexed(id..<id + 1)[0]
        if Bool.random(using: &random) { record.age = Int.random(in: 0..<100, using: &random) }
        if Bool.random(using: &random) { record.email = "crew\(Int.random(in: 0..<400, using: &random))@ship" }
        let holder = record.email.flatMap { email in records.values.first { $0.email == email && $0.id != id } }
        do {
            try store.insert(record)
            #expect(holder == nil, comment)
            records[id] = record
        } catch StoreError.record(.notUnique(_, _, _, let existing)) {
            #expect(holder.map { KeyWriter.bytes(of: $0.id) } == existing.bytes, comment)
        }
    }

    private func changeThereAndBack() throws {
        guard var record = records.values.min(by: { $0.id < $1.id }) else { return }
        try store.write { context in
            for _ in 0..<2 {
                record.age ^= 1
                try context.insert(record)
            }
        }
    }

    /// More than a commit reports one by one.
    private mutating func insertMany() throws {
        let new = (0..<400).filter { records[$0] == nil }.map {
            Crew.Indexed(id: $0, name: String(repeating: "many", count: $0 % 3 * 90), age: $0 % 7, email: nil)
        }
        try store.insert(contentsOf: new)
        for record in new { records[record.id] = record }
    }
}
