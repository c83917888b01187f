// Several processes with a store: all write records with totals, some build the totals, some are killed, and some do
// not know the totals.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Totals across processes", .serialized, .hangLimit) struct TotalsProcessTests {
    private let prefix = SharedPurchase.keyPrefix
    private static let totals = "totals(city of cents,weight)"
    private static let both = "newer totals(city of cents,weight), totals(where { $0.cents > 0 })"

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

    /// Compares the totals with the records.
    private func expectSound(_ store: Store, _ note: Comment = "") throws {
        #expect(try store.unreadyIndexes(prefix) == [], note)
        #expect(try store.check() == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
        let purchases = try SharedPurchase.query().resolve(in: store)
        let sums = Dictionary(grouping: purchases, by: \.city).mapValues { $0.reduce(0) { $0 + $1.cents } }
        let stored = SharedPurchase.grouped(by: \.city).sum(of: \.cents)
        #expect(try stored.explain(in: store).contains(Self.totals), note)
        let found = try stored.resolve(in: store)
        #expect([String: Int](uniqueKeysWithValues: found.map { ($0.key, $0.value) }) == sums, note)
        #expect(
            try SharedPurchase.filter(\.cents > 0).count(in: store) == purchases.count { $0.cents > 0 }, note)
    }

    // MARK: Programs without totals

    @Test func aProgramWithoutTheTotals_reads_andNoLongerWrites() throws {
        let file = try MigratedFile(of: (0..<50).map(PlainPurchase.numbered))
        let child = try start("plain-purchases", file.path)
        #expect(try answers(child, "read", "write", "delete") == ["50", "written", "deleted"])
        let store = try file.open(SharedPurchase.self)
        // The running program learns of the totals by its next transaction.
        #expect(try answers(child, "read", "write", "delete") == ["50", Self.both, Self.both])
        try store.insert(SharedPurchase(id: 60, city: "city 1", cents: 1, weight: 1))
        let later = try start("plain-purchases", file.path)
        for program in [child, later] {
            #expect(try answers(program, "delete", "read", "write") == [Self.both, "51", Self.both])
            try end(program)
        }
        try expectSound(store)
        #expect(try SharedPurchase.query().count(in: store) == 51)
    }

    @Test func afterTheTotalsAreDropped_theOtherProgramWritesAgain() throws {
        let file = try MigratedFile(of: (0..<50).map(PlainPurchase.numbered))
        try file.migrate(SharedPurchase.self)
        let child = try start("plain-purchases", file.path)
        #expect(try answers(child, "write") == [Self.both])
        try file.migrate(PlainPurchase.self, migrations: .onOpen.droppingUndeclaredIndexes)
        #expect(try answers(child, "write", "read") == ["written", "51"])
        try end(child)
        try expectSound(file.open(SharedPurchase.self))
    }

    @Test func aRunningProgramWithoutTheFeature_isRefused_fromTheFirstTotalsOn() throws {
        let file = try MigratedFile(of: (0..<50).map(PlainPurchase.numbered))
        let child = try start("purchases-without-feature", file.path)
        #expect(try answers(child, "read", "write", "delete") == ["50", "written", "deleted"])
        let store = try file.open(SharedPurchase.self)
        for question in ["read", "write", "delete"] {
            #expect(try answers(child, question, question) == ["lacks 4 (totals)", "lacks 4 (totals)"])
        }
        try end(child)
        try expectSound(store)
        #expect(try SharedPurchase.query().count(in: store) == 50)
        // The store is not open to it from then on.
        let later = try ChildProcess(
            ["purchases-without-feature", file.path, "", "0"], executable: "TroveStoreWorker")
        let line = try #require(later.readLine())
        #expect(line.hasPrefix("error: ") && line.contains("4 (totals)"), "\(line)")
        #expect(later.wait() == 1)
    }

    // MARK: Writers and builders

    @Test func writesOfTwoProcesses_areAllCounted() throws {
        let file = try MigratedFile()
        try file.migrate(SharedPurchase.self)
        let count = 300
        let children = try (1...2).map { try start("purchases", file.path, "\($0)", count: count) }
        for child in children { try child.writeLine("go") }
        let store = try file.open(SharedPurchase.self)
        for id in 0..<100 {
            try store.insert(SharedPurchase(id: id * 7, city: "city \(id % 5)", cents: id, weight: 0.1))
        }
        for child in children { finish(child, count) }
        try expectSound(store)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background])
    func writesDuringABuild_areAllCounted(_ policy: MigrationPolicy) throws {
        let file = try MigratedFile(of: (0..<2_000).map(PlainPurchase.numbered))
        let count = 200
        let children = try (1...2).map { try start("purchases", file.path, "\($0)", count: count) }
        for child in children { try child.writeLine("go") }
        let store = try file.open(SharedPurchase.self, migrations: policy)
        while try !store.unreadyIndexes(prefix).isEmpty { sched_yield() }
        // Built again while both go on.
        try store.rebuild()
        for child in children { finish(child, count) }
        try expectSound(store)
    }

    @Test func twoBuilders_countEachRecordOnce() throws {
        let file = try MigratedFile(of: (0..<2_000).map(PlainPurchase.numbered))
        let builders = try (0..<2).map { _ in try start("build-purchases", file.path, count: 5) }
        let writer = try start("purchases", file.path, "3", count: 150)
        for child in builders + [writer] { try child.writeLine("go") }
        for child in builders { finish(child, 5) }
        finish(writer, 150)
        try expectSound(file.open(SharedPurchase.self))
    }

    /// A transaction is whole or not there, with its totals; a build goes on from where it was.
    @Test func killedProcesses_leaveTheTotalsOfTheRecords() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let file = try MigratedFile(of: (0..<2_000).map(PlainPurchase.numbered))
        for round in 0..<6 {
            let writer = try start("purchases", file.path, "\(round)")
            let builder = try start("build-purchases", file.path)
            for child in [writer, builder] { try child.writeLine("go") }
            for _ in 0..<Int.random(in: 0...3, using: &random) { #expect(builder.readLine() != nil) }
            for _ in 0..<Int.random(in: 0...40, using: &random) { #expect(writer.readLine() != nil) }
            for child in Bool.random(using: &random) ? [writer, builder] : [builder, writer] { child.kill() }
            try expectSound(file.open(SharedPurchase.self), "round \(round), TROVE_TEST_SEED=\(seed)")
        }
    }
}
