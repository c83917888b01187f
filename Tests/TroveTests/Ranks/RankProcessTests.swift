// Several processes with a store: all write records with ranked indexes, some build the indexes, some are killed, and
// some do not know the indexes.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Ranked indexes across processes", .serialized, .hangLimit) struct RankProcessTests {
    private let prefix = SharedScore.keyPrefix
    private static let all =
        "newer ranked(points where { $0.team == \"team 1\" }), ranked(points), ranked(team,points desc)"

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

    /// Reads the numbers of the transactions of a program until it ends.
    private func finish(_ child: ChildProcess, _ count: Int) {
        for number in 0..<count { #expect(child.readLine() == "\(number)") }
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }

    /// Compares the answers by the counts with the records.
    private func expectSame(_ store: Store, _ note: Comment = "") throws {
        for number in stride(from: 5, to: 100, by: 31) {
            #expect(try store.read { try SharedScore.difference(in: $0, number) } == nil, note)
        }
    }

    private func expectSound(_ store: Store, _ note: Comment = "") throws {
        #expect(try store.unreadyIndexes(prefix) == [], note)
        #expect(try store.check() == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
        try expectSame(store, note)
        try SharedScore.query().sorted(by: \.points).expectCounted(in: store, note)
    }

    // MARK: Programs without ranks

    @Test func aProgramWithoutTheIndexes_reads_andNoLongerWrites() throws {
        let file = try MigratedFile(of: (0..<400).map(PlainScore.numbered))
        let child = try start("plain-scores", file.path)
        #expect(try answers(child, "read", "write", "delete") == ["400", "written", "deleted"])
        do {
            let store = try file.open(SharedScore.self)
            // The running program learns of the indexes by its next transaction.
            #expect(try answers(child, "read", "write", "delete") == ["400", Self.all, Self.all])
            try store.insert(SharedScore(id: 600, team: "team 1", points: 1))
            #expect(try answers(child, "read") == ["401"])
            try end(child)
            try expectSound(store)
        }
        try file.migrate(PlainScore.self, migrations: .onOpen.droppingUndeclaredIndexes)
        let later = try start("plain-scores", file.path)
        #expect(try answers(later, "write", "read") == ["written", "402"])
        try end(later)
        try expectSound(file.open(SharedScore.self))
    }

    @Test func aRunningProgramWithoutTheFeature_isRefused_fromTheFirstRanksOn() throws {
        let file = try MigratedFile(of: (0..<400).map(PlainScore.numbered))
        let child = try start("scores-without-feature", file.path)
        #expect(try answers(child, "read", "write", "delete") == ["400", "written", "deleted"])
        let store = try file.open(SharedScore.self)
        for question in ["read", "write", "delete"] {
            #expect(try answers(child, question, question) == ["lacks 5 (ranks)", "lacks 5 (ranks)"])
        }
        try end(child)
        try expectSound(store)
        #expect(try SharedScore.query().count(in: store) == 400)
        // The store is not open to it from then on.
        let later = try ChildProcess(["scores-without-feature", file.path, "", "0"], executable: "TroveStoreWorker")
        let line = try #require(later.readLine())
        #expect(line.hasPrefix("error: ") && line.contains("5 (ranks)"), "\(line)")
        #expect(later.wait() == 1)
    }

    // MARK: Writers and builders

    /// Each process reads the counts that another has written, and adds to them.
    @Test func processesThatWriteInTurns_countForEachOther() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let file = try MigratedFile(of: (0..<500).map(PlainScore.numbered))
        let store = try file.open(SharedScore.self)
        let children = try (0..<2).map { _ in try start("score-turns", file.path) }
        for round in 0..<Torture.amount(40, full: 400) {
            let note: Comment = "round \(round), TROVE_TEST_SEED=\(seed)"
            let number = Int.random(in: 0..<1_000_000, using: &random)
            let writer = Int.random(in: 0...2, using: &random)
            if writer < 2 {
                #expect(try answers(children[writer], "\(number)") == ["\(number)"], note)
            } else {
                var turn = ScoreTurn(number)
                try store.write { try turn.perform(in: $0) }
            }
            if round % 4 == 0 { try expectSame(store, note) }
        }
        for child in children { try end(child) }
        try expectSame(store, "TROVE_TEST_SEED=\(seed)")
        #expect(try store.check() == [], "TROVE_TEST_SEED=\(seed)")
    }

    @Test func writesOfTwoProcesses_areAllCounted() throws {
        let file = try MigratedFile()
        try file.migrate(SharedScore.self)
        let count = 120
        let children = try (1...2).map { try start("scores", file.path, "\($0)", count: count) }
        for child in children { try child.writeLine("go") }
        let store = try file.open(SharedScore.self)
        for id in 0..<100 { try store.insert(SharedScore(id: id * 7, team: "team \(id % 4)", points: id)) }
        for child in children { finish(child, count) }
        try store.insert(contentsOf: (1_000..<1_400).map { SharedScore(id: $0, team: "team 2", points: $0 % 90) })
        try expectSound(store)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background])
    func writesDuringABuild_areAllCounted(_ policy: MigrationPolicy) throws {
        let file = try MigratedFile(of: (0..<1_500).map(PlainScore.numbered))
        let count = 60
        let children = try (1...2).map { try start("scores", file.path, "\($0)", count: count) }
        for child in children { try child.writeLine("go") }
        let store = try file.open(SharedScore.self, migrations: policy)
        while try !store.unreadyIndexes(prefix).isEmpty { sched_yield() }
        // Built again while both go on.
        try store.rebuild()
        for child in children { finish(child, count) }
        try expectSound(store)
    }

    /// A transaction is whole or not there, with its counts; a build goes on from where it was.
    @Test func killedProcesses_leaveTheCountsOfTheRecords() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let file = try MigratedFile(of: (0..<1_500).map(PlainScore.numbered))
        for round in 0..<Torture.amount(4, full: 40) {
            let writer = try start("scores", file.path, "\(round)")
            let builder = try start("build-scores", file.path)
            for child in [writer, builder] { try child.writeLine("go") }
            for _ in 0..<Int.random(in: 0...2, using: &random) { #expect(builder.readLine() != nil) }
            for _ in 0..<Int.random(in: 0...20, using: &random) { #expect(writer.readLine() != nil) }
            for child in Bool.random(using: &random) ? [writer, builder] : [builder, writer] { child.kill() }
            try expectSound(file.open(SharedScore.self), "round \(round), TROVE_TEST_SEED=\(seed)")
        }
    }
}
