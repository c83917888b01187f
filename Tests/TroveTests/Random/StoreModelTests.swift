// Random operations on a store and on plain dictionaries, which must agree after each transaction.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("A store and a model") struct StoreModelTests {
    @Test func randomTransactions_leaveWhatTheModelHolds() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let directory = try TemporaryDirectory()
        var run = try ModelRun(path: directory.path("model.trove"), HistoryKeysFollower.policy(seed))
        for transaction in 0..<500 {
            try run.transaction(using: &generator)
            let difference = try run.difference()
            try #require(difference == nil, "after transaction \(transaction), TROVE_TEST_SEED=\(seed)")
            try run.follow("after transaction \(transaction), TROVE_TEST_SEED=\(seed)")
            if transaction % 25 == 24 { try run.reopen() }
        }
        #expect(run.operations > 5000)
    }
}

private struct Model {
    /// The entries by the bytes of their keys: Swift takes canonically equivalent strings for equal, a store does not.
    var entries: [[UInt8]: Entry] = [:]
    var ticks: [Int: Tick] = [:]
}

extension Entry {
    fileprivate var keyBytes: [UInt8] { KeyWriter.bytes(of: indexKey) }
}

private struct RollBack: Error {}

private struct ModelRun {
    let path: String
    var store: Store?
    var model = Model()
    var operations = 0
    var commits: UInt64 = 0
    private var follower = HistoryKeysFollower()

    init(path: String, _ history: HistoryPolicy?) throws {
        self.path = path
        try reopen(history)
    }

    mutating func reopen(_ history: HistoryPolicy? = nil) throws {
        store = nil
        store = try Store(
            path: path, options: StoreOptions(durability: .noSync, verifiesChecksums: true, history: history))
    }

    mutating func follow(_ comment: Comment) throws {
        if let store { try follower.follow(store, comment) }
    }

    /// Returns a description of the first difference between the store and the model; nil if they agree.
    func difference() throws -> String? {
        guard let store else { return "no store" }
        return try store.read { context in
            let entries = try Entry.query().resolve(in: context)
            let expected = model.entries.values.sorted {
                $0.group == $1.group ? $0.word.utf8.lexicographicallyPrecedes($1.word.utf8) : $0.group < $1.group
            }
            if entries != expected { return "entries \(entries) instead of \(expected)" }
            let ticks = try Tick.query().resolve(in: context)
            let expectedTicks = model.ticks.values.sorted { $0.number < $1.number }
            if ticks != expectedTicks { return "ticks \(ticks) instead of \(expectedTicks)" }
            if try Entry.query().count(in: context) != entries.count { return "the count of entries" }
            return nil
        }
    }

    mutating func transaction(using generator: inout SeededGenerator) throws {
        guard let store else { return }
        var copy = model
        do {
            let rollsBack = generator.next() % 5 == 0
            try store.write { context in
                try perform(in: context, &copy, depth: 0, using: &generator)
                if rollsBack { throw RollBack() }
            }
            model = copy
        } catch is RollBack {}
    }

    private mutating func perform(
        in context: TransactionContext, _ model: inout Model, depth: Int, using generator: inout SeededGenerator
    ) throws {
        for _ in 0..<Int.random(in: 0...20, using: &generator) {
            operations += 1
            switch Int.random(in: 0..<20, using: &generator) {
            case 0..<8: try insert(in: context, &model, using: &generator)
            case 8: try insertSeveral(in: context, &model, using: &generator)
            case 9..<13: try delete(in: context, &model, using: &generator)
            case 13: try deleteRange(in: context, &model, using: &generator)
            case 14, 15: try check(in: context, model, using: &generator)
            case 16 where depth < 3, 17 where depth < 3:
                var copy = model
                let rollsBack = Bool.random(using: &generator)
                do {
                    try context.nested { nested in
                        try perform(in: nested, &copy, depth: depth + 1, using: &generator)
                        if rollsBack { throw RollBack() }
                    }
                    model = copy
                } catch is RollBack {}
            case 18 where generator.next() % 8 == 0:
                let count = try Tick.query().delete(in: context)
                #expect(count == model.ticks.count)
                model.ticks = [:]
            default: try scan(in: context, &model)
            }
        }
    }

    private func entry(using generator: inout SeededGenerator) -> Entry {
        // Some texts need overflow pages.
        let length = generator.next() % 16 == 0 ? 20_000 : Int(generator.next() % 40)
        return Entry(
            group: UInt8.random(in: 0..<4, using: &generator), word: String.sample(using: &generator),
            text: String(repeating: "x", count: length), counts: [Int](repeating: 7, count: Int(generator.next() % 4)))
    }

    private func tick(using generator: inout SeededGenerator) -> Tick {
        Tick(number: Int.random(in: -60..<60, using: &generator), note: "note \(generator.next() % 100)")
    }

    private func insert(
        in context: TransactionContext, _ model: inout Model, using generator: inout SeededGenerator
    ) throws {
        let rule = [ConflictRule.replace, .throw, .ignore][Int(generator.next() % 3)]
        if Bool.random(using: &generator) {
            let entry = entry(using: &generator)
            let old = model.entries[entry.keyBytes]
            if try store(entry, rule, wasThere: old != nil, in: context) { model.entries[entry.keyBytes] = entry }
        } else {
            let tick = tick(using: &generator)
            if try store(tick, rule, wasThere: model.ticks[tick.number] != nil, in: context) {
                model.ticks[tick.number] = tick
            }
        }
    }

    /// Inserts a record, and checks the result against the conflict rule. Returns whether the record is stored.
    private func store(
        _ record: some IndexKeyRecord, _ rule: ConflictRule, wasThere: Bool, in context: TransactionContext
    ) throws -> Bool {
        do {
            let isStored = try context.insert(record, onConflict: rule)
            #expect(isStored == (!wasThere || rule == .replace))
            return isStored
        } catch StoreError.record(.keyExists) {
            #expect(wasThere && rule == .throw)
            return false
        }
    }

    private func insertSeveral(
        in context: TransactionContext, _ model: inout Model, using generator: inout SeededGenerator
    ) throws {
        let ticks = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in tick(using: &generator) }
        var copy = model.ticks
        var conflict = false
        for tick in ticks {
            conflict = conflict || copy[tick.number] != nil
            copy[tick.number] = tick
        }
        let throwing = Bool.random(using: &generator)
        do {
            try context.insert(contentsOf: ticks, onConflict: throwing ? .throw : .replace)
            #expect(!(throwing && conflict))
            model.ticks = copy
        } catch StoreError.record(.keyExists) {
            #expect(throwing && conflict)
        }
    }

    private func delete(
        in context: TransactionContext, _ model: inout Model, using generator: inout SeededGenerator
    ) throws {
        let entry =
            model.entries.values.filter { $0.counts.count > 1 }.min { $0.word < $1.word }
            ?? entry(using: &generator)
        let wasThere = model.entries.removeValue(forKey: entry.keyBytes) != nil
        #expect(try context.delete(entry) == wasThere)
        let tick = tick(using: &generator)
        #expect(
            try context.delete(Tick.self, key: tick.number) == (model.ticks.removeValue(forKey: tick.number) != nil))
    }

    private func deleteRange(
        in context: TransactionContext, _ model: inout Model, using generator: inout SeededGenerator
    ) throws {
        let first = Int.random(in: -60..<60, using: &generator)
        let range = first..<(first + 20)
        let limit = Bool.random(using: &generator) ? nil : Int.random(in: 0..<4, using: &generator)
        let doomed = model.ticks.keys.filter(range.contains).sorted().prefix(limit ?? .max)
        #expect(try Tick.query(number: .range(range)).limit(limit).delete(in: context) == doomed.count)
        for number in doomed { model.ticks[number] = nil }

        let group = UInt8.random(in: 0..<4, using: &generator)
        guard generator.next() % 4 == 0 else { return }
        let count = model.entries.values.filter { $0.group == group }.count
        #expect(try Entry.delete(in: context, group: group) == count)
        model.entries = model.entries.filter { $0.value.group != group }
    }

    private func check(
        in context: TransactionContext, _ model: Model, using generator: inout SeededGenerator
    ) throws {
        let entry = entry(using: &generator)
        #expect(try context.get(Entry.self, key: entry.indexKey) == model.entries[entry.keyBytes])
        #expect(try context.contains(Entry.self, key: entry.indexKey) == (model.entries[entry.keyBytes] != nil))
        #expect(try Tick.query().count(in: context) == model.ticks.count)
    }

    /// Changes and deletes records during a scan over them.
    private func scan(in context: TransactionContext, _ model: inout Model) throws {
        var copy = model.ticks
        try Tick.query(number: .greaterThan(20)).forEach(in: context) { tick in
            var tick = tick
            if tick.number % 7 == 0 {
                try context.delete(tick)
                copy[tick.number] = nil
            } else {
                tick.note += "+"
                try context.insert(tick)
                copy[tick.number] = tick
            }
        }
        model.ticks = copy
    }
}
