// Several processes with a store that keeps a history: all write, some follow, some are killed, and some do not know
// histories.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Histories across processes", .serialized, .hangLimit) struct HistoryProcessTests {
    private static let rules = HistoryPolicy.keep().keepingDeleted(SharedRecipe.self, \.text)

    /// Opens a store with its indexes built.
    private func open(_ file: MigratedFile, _ policy: HistoryPolicy? = nil) throws -> Store {
        try Store(
            path: file.path, records: [SharedRecipe.self, RecipeTurn.self],
            options: StoreOptions(durability: .noSync, history: policy))
    }

    private func start(_ command: String, _ path: String, _ name: String = "", count: Int = 0) throws -> ChildProcess {
        let child = try ChildProcess([command, path, name, "\(count)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        return child
    }

    /// Returns the answers to some questions.
    private func answers(_ child: ChildProcess, _ questions: String...) throws -> [String?] {
        try questions.map { question in
            try child.writeLine(question)
            return child.readLine()
        }
    }

    private func end(_ child: ChildProcess) throws {
        try child.writeLine("end")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }

    /// Reads the lines of a program until it ends, without the last.
    private func lines(until child: ChildProcess) -> [String] {
        var lines: [String] = []
        while let line = child.readLine() { lines.append(line) }
        #expect(lines.popLast() == "done")
        #expect(child.wait() == 0)
        return lines
    }

    /// Compares the history with the turns of all programs, and with the stored keys. Returns its commits.
    ///
    /// - Parameter first: The number of commits before those of the turns.
    @discardableResult
    private func expectTurns(_ store: Store, after first: Int = 1, _ note: Comment = "") throws -> [HistoryCommit] {
        try store.read { context in
            let commits = try context.history()
            var keys = HistoryKeys()
            for commit in commits { keys.apply(commit, note) }
            #expect(try keys == HistoryKeys(in: context), note)
            var turns: [Tuple<Int, Int>] = []
            for commit in commits.dropFirst(first) {
                let own = try commit.changes(of: RecipeTurn.self)
                guard own.count == 1, case .inserted(let key)? = own.first else {
                    Issue.record("\(own) in commit \(commit.sequence), \(note)")
                    continue
                }
                turns.append(key)
                let turn = try #require(try context.get(RecipeTurn.self, key: key), note)
                #expect(commit.author == RecipeTurn.author(of: turn.writer), note)
                let changes = try commit.changes(of: SharedRecipe.self).map(\.description).joined(separator: " ")
                #expect(changes == turn.changes, "turn \(key), \(note)")
            }
            #expect(Set(turns).count == turns.count, note)
            #expect(try turns.count == RecipeTurn.query().count(in: context), note)
            return commits
        }
    }

    private func expectSound(_ store: Store, _ note: Comment = "") throws {
        #expect(try store.check() == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
    }

    // MARK: Writers and followers

    /// Only this process declares the rules. The others write the history by the rules of the store.
    @Test func commitsOfThreeProcesses_areInOneHistory_andEachFollowerSeesIt() throws {
        let file = try MigratedFile()
        let store = try open(file, Self.rules)
        let count = Torture.amount(100, full: 1_000)
        let followers = try (0..<2).map { _ in try start("follow-recipes", file.path, count: 3 * count) }
        let writers = try (1...2).map { try start("recipes", file.path, "\($0)", count: count) }
        for writer in writers { try writer.writeLine("go") }
        for number in 0..<count { try RecipeTurn.perform(0, number, in: store) }
        let said = writers.map { lines(until: $0) }
        let seen = followers.map { lines(until: $0) }
        let commits = try expectTurns(store)
        #expect(commits.count == 3 * count + 1)
        let expected = try commits.map { try $0.recipeLine() }
        for lines in seen { #expect(lines == expected) }
        for (lines, writer) in zip(said, 1...2) {
            let turns = try RecipeTurn.query(writer: writer).resolve(in: store)
            #expect(lines == turns.map { "\($0.number) \($0.changes)" })
        }
        try expectSound(store)
    }

    /// A running program learns of the rules by its next transaction.
    @Test func aRunningProgram_writesTheHistory_whileTheStoreKeepsOne() throws {
        let file = try MigratedFile()
        _ = try open(file)
        let child = try start("recipe-turns", file.path, "1")
        var number = 0
        func turns(_ count: Int) throws {
            for _ in 0..<count {
                #expect(try answers(child, "\(number)")[0] != nil)
                number += 1
            }
        }
        try turns(5)
        var store = try open(file)
        #expect(throws: StoreError.history(.notKept(path: store.path))) { try store.read { try $0.history() } }
        store = try open(file, Self.rules)
        let token = try store.read { try $0.historyToken }
        try turns(8)
        let commits = try store.read { try $0.history(after: token) }
        #expect(commits.map(\.author) == Array(repeating: "writer 1", count: 8))
        for (commit, turn) in zip(commits, try RecipeTurn.query(writer: 1).resolve(in: store).suffix(8)) {
            #expect(try commit.changes(of: RecipeTurn.self).map(\.key) == [turn.indexKey])
            let changes = try commit.changes(of: SharedRecipe.self)
            #expect(changes.map(\.description).joined(separator: " ") == turn.changes)
            for case .deleted(let id, let tombstone) in changes { #expect(tombstone?[\.text] != nil, "\(id)") }
        }
        // With other rules, which leave out the recipes.
        store = try open(file, .keep().excluding(SharedRecipe.self))
        let later = try store.read { try $0.historyToken }
        try turns(4)
        #expect(
            try store.read { try $0.history(after: later) }.map(\.types)
                == Array(
                    repeating: ["TroveStoreWorker.RecipeTurn"], count: 4))
        store = try open(file, .off)
        try turns(4)
        #expect(throws: StoreError.history(.notKept(path: store.path))) { try store.read { try $0.history() } }
        #expect(try historyRows(store).isEmpty)
        try end(child)
        try expectSound(store)
    }

    /// A transaction is in the history with its records, or not at all.
    @Test func killedProcesses_leaveTheHistoryOfTheRecords() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let file = try MigratedFile()
        let store = try open(file, Self.rules)
        for round in 0..<Torture.amount(6, full: 60) {
            let note: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            let writers = try (1...2).map { try start("recipes", file.path, "\($0)") }
            let follower = try start("follow-recipes", file.path, count: .max)
            for writer in writers { try writer.writeLine("go") }
            var said = writers.map { _ in [String]() }
            for _ in 0..<Int.random(in: 0...20, using: &random) {
                let writer = Int.random(in: 0..<2, using: &random)
                if let line = writers[writer].readLine() { said[writer].append(line) }
            }
            for writer in writers.shuffled(using: &random) { writer.kill() }
            follower.kill()
            for (writer, child) in writers.enumerated() {
                while let line = child.readLine() { said[writer].append(line) }
            }
            let commits = try expectTurns(store, note)
            // What a follower has seen is in the history, and so is each acknowledged transaction.
            var seen: [String] = []
            while let line = follower.readLine() { seen.append(line) }
            #expect(try commits.prefix(seen.count).map { try $0.recipeLine() } == seen, note)
            for (writer, lines) in zip(1..., said) {
                let turns = try RecipeTurn.query(writer: writer).resolve(in: store)
                let known = Set(turns.map { "\($0.number) \($0.changes)" })
                for line in lines { #expect(known.contains(line), "\(line), \(note)") }
            }
            try expectSound(store, note)
        }
    }

    // MARK: Programs without the feature

    @Test func aRunningProgramWithoutTheFeature_onlyReads_fromTheBeginningOfTheHistoryOn() throws {
        let file = try MigratedFile(of: (0..<400).map { SharedRecipe(id: $0, text: "\($0)") })
        let child = try start("recipes-without-feature", file.path)
        #expect(try answers(child, "read", "write", "read", "delete") == ["400", "written", "401", "deleted"])
        let store = try open(file, Self.rules)
        let token = try store.read { try $0.historyToken }
        for _ in 0..<2 {
            let lacks = "lacks 6 (history)"
            #expect(try answers(child, "read", "write", "read", "delete") == ["400", lacks, "400", lacks])
        }
        // It reads what others write.
        try store.insert(SharedRecipe(id: 500, text: "new"))
        #expect(try answers(child, "read") == ["401"])
        // A program that starts later can read, too.
        let later = try start("recipes-without-feature", file.path)
        #expect(try answers(later, "read", "write", "delete") == ["401", "lacks 6 (history)", "lacks 6 (history)"])
        #expect(try store.read { try $0.history(after: token) }.count == 1)
        // The store keeps the feature after the end of its history.
        _ = try open(file, .off)
        #expect(try answers(child, "write", "read") == ["lacks 6 (history)", "401"])
        for child in [child, later] { try end(child) }
        try expectSound(store)
    }
}
