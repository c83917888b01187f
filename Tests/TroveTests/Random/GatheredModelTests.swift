// Random work on records with gathered text: the index is that of the texts as they were gathered last.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

private struct Undone: Error {}

/// The records, and the texts as an index has them.
private struct GatheredModel {
    var singers: [Int: String] = [:]
    var chants: [Int: Chant] = [:]
    /// The texts as they were gathered last.
    var texts: [Int: String] = [:]
    /// The records that wait for their text.
    var waiting: Set<Int> = []

    /// Returns the text that the closure returns now.
    func text(of id: Int) -> String? {
        guard let chant = chants[id], chant.title != "silent" else { return nil }
        return chant.title + " " + (singers[chant.singer] ?? "")
    }

    mutating func gather(_ id: Int) { texts[id] = text(of: id) }

    /// The records with a word.
    func found(_ word: String) -> [Int] {
        texts.filter { $0.value.split(separator: " ").contains(Substring(word)) }.keys.sorted()
    }
}

struct GatheredModelTests {
    private static let words = ["sea", "cat", "über", "fox", "mat", "silent"]

    /// Changes records in a transaction, and the model with it.
    private func change(
        _ context: TransactionContext, _ model: inout GatheredModel, _ random: inout SeededGenerator, depth: Int = 0
    ) throws {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let id = Int.random(in: 0..<30, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4:
                let title = Self.words.randomElement(using: &random) ?? ""
                let chant = Chant(id: id, title: title, singer: Int.random(in: 0..<4, using: &random))
                try context.insert(chant, onConflict: .replace)
                model.chants[id] = chant
                model.waiting.insert(id)
            case 4:
                try context.delete(Chant.self, key: id)
                model.chants[id] = nil
                model.texts[id] = nil
                model.waiting.remove(id)
            case 5, 6:
                let name = Self.words.randomElement(using: &random) ?? ""
                try context.insert(Singer(id: id % 4, name: name), onConflict: .replace)
                model.singers[id % 4] = name
            case 7:
                try Chant.filter(\.singer == id % 4).regather(in: context)
                for chant in model.chants.values where chant.singer == id % 4 { model.waiting.insert(chant.id) }
            case 8:
                try Chant.filter(\.id < id / 3).delete(in: context)
                for other in 0..<id / 3 {
                    model.chants[other] = nil
                    model.texts[other] = nil
                    model.waiting.remove(other)
                }
            case 9:
                gatherAll(&model)
                try expect(context, model, "in a transaction")
            default:
                guard depth < 3 else { continue }
                let before = model
                let isUndone = Bool.random(using: &random)
                do {
                    try context.nested { nested in
                        try change(nested, &model, &random, depth: depth + 1)
                        if isUndone { throw Undone() }
                    }
                } catch is Undone {
                    model = before
                }
            }
        }
    }

    /// A search, or the commit, gathers all that wait.
    private func gatherAll(_ model: inout GatheredModel) {
        for id in model.waiting { model.gather(id) }
        model.waiting = []
    }

    private func expect(_ source: some RecordReadable, _ model: GatheredModel, _ note: @autoclosure () -> String) throws
    {
        for word in Self.words {
            let keys = try Chant.matching(word, index: "Index").keys(in: source).sorted()
            #expect(keys == model.found(word), "\(word), \(note())")
        }
        #expect(
            try Chant.filter(.matches("-nothing", index: "Index")).count(in: source) == model.texts.count, "\(note())")
    }

    @Test func index_isThatOfTheTextsAsGatheredLast() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let file = try MigratedFile()
        var store = try file.open(Singer.self, Chant.self)
        var model = GatheredModel()
        for round in 0..<60 {
            let note = "round \(round) of seed \(seed)"
            let before = model
            do {
                try store.write { context in
                    try change(context, &model, &random)
                    gatherAll(&model)
                    if Int.random(in: 0..<6, using: &random) == 0 { throw Undone() }
                }
            } catch is Undone {
                model = before
            }
            try expect(store, model, note)
            if round % 10 == 3 {
                #expect(try store.check() == [], "\(note)")
                let stale = Set(try store.check(gathering: true).compactMap { $0.key.value(as: Chant.self) })
                let expected = model.chants.keys.filter { model.texts[$0] != model.text(of: $0) }
                #expect(stale == Set(expected), "\(note)")
            }
            if round % 20 == 11 { store = try file.open(Singer.self, Chant.self) }
            if round == 40 {
                try store.rebuild(Chant.self)
                for id in model.chants.keys { model.gather(id) }
                try expect(store, model, "rebuilt, \(note)")
            }
        }
        let scores = try Chant.matching("sea OR cat", index: "Index").hits(in: store).map(\.score)
        try store.rebuild(Chant.self)
        for id in model.chants.keys { model.gather(id) }
        try expect(store, model, "seed \(seed)")
        #expect(try store.check(gathering: true) == [], "seed \(seed)")
        #expect(scores.allSatisfy { $0 > 0 })
    }

    /// The notes and the texts that are gathered outside of transactions.
    @Test func waitingRecords_areNotFound_andGatheredOnce() async throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.quiet(Still.self)
        var files: [Int: String] = [:]
        var texts: [Int: String] = [:]
        var waiting: Set<Int> = []
        for round in 0..<40 {
            let steps = (0..<8).map { _ in
                (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<20, using: &random))
            }
            let words = (0..<8).map { _ in ["sea", "cat", "blank"].randomElement(using: &random) ?? "" }
            try await store.write { context in
                for ((step, id), word) in zip(steps, words) {
                    switch step {
                    case 0: try context.delete(Still.self, key: id)
                    case 1: try Still.filter(\.id == id).regather(in: context)
                    default: try context.insert(Still(id: id, file: word), onConflict: .replace)
                    }
                }
            }
            for ((step, id), word) in zip(steps, words) {
                if step == 0 { files[id] = nil }
                if step > 1 { files[id] = word }
                texts[id] = nil
                if files[id] == nil { waiting.remove(id) } else { waiting.insert(id) }
            }
            if round % 3 == 0 {
                #expect(try await store.gatherTexts(of: Still.self) == waiting.count, "round \(round) of seed \(seed)")
                for id in waiting { texts[id] = files[id] == "blank" ? nil : files[id] }
                waiting = []
            }
            #expect(try await store.waitingTexts(of: Still.self) == waiting.count, "round \(round) of seed \(seed)")
            for word in ["sea", "cat"] {
                let found = try await Still.matching(word).keys(in: store).sorted()
                #expect(found == texts.filter { $0.value == word }.keys.sorted(), "round \(round) of seed \(seed)")
            }
            #expect(try await store.check() == [], "round \(round) of seed \(seed)")
        }
    }
}
