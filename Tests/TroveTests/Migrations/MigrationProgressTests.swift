// The progress of a migration: phases in order, and numbers that increase to the total.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("The progress of migrations") struct MigrationProgressTests {
    @Test func eachTypeIsValidated_beforeAnyIsRewritten_andCountsUpToItsTotal() throws {
        let file = try MigratedFile(of: Bulky.old(300))
        try file.write((0..<60_000).map { Narrowed.Old(id: $0, size: 1) })
        try file.write((0..<3).map { Moved.Old(id: $0, name: "") })
        let steps = MigrationSteps()
        let progress = Progress(totalUnitCount: 0)
        _ = try file.open(Bulky.NewKey.self, Narrowed.New.self, Moved.New.self) { step in
            steps.take(step)
            progress.update(with: step)
            #expect(progress.totalUnitCount == Int64(step.total))
            #expect(progress.completedUnitCount == Int64(step.done))
        }
        #expect(progress.isFinished)
        let totals = [
            "TroveTests.Bulky.NewKey": 300, "TroveTests.Narrowed.New": 60_000, "TroveTests.Moved.New": 3,
        ]
        let all = steps.all
        #expect(all.allSatisfy { $0.total == totals[$0.type] && (0...$0.total).contains($0.done) })
        // Every type that can fail is validated, in the order of declaration; then all types are rewritten.
        var phases: [String] = []
        for step in all where phases.last != "\(step.phase) \(step.type)" {
            phases.append("\(step.phase) \(step.type)")
        }
        #expect(
            phases == [
                "validating TroveTests.Bulky.NewKey", "validating TroveTests.Narrowed.New",
                "validating TroveTests.Moved.New", "rewriting TroveTests.Bulky.NewKey",
                "rewriting TroveTests.Narrowed.New", "rewriting TroveTests.Moved.New",
            ])
        for (type, total) in totals {
            for phase in [MigrationProgress.Phase.validating, .rewriting] {
                let done = all.filter { $0.type == type && $0.phase == phase }.map(\.done)
                #expect(done == done.sorted() && done.last == total)
            }
        }
        #expect(all.first { $0.type == "TroveTests.Narrowed.New" && $0.phase == .validating }?.done == 0)
    }

    @Test func whatCannotFail_isNotValidated() throws {
        let file = try MigratedFile(of: Bulky.old(3))
        let steps = MigrationSteps()
        _ = try file.open(Bulky.New.self, progress: steps.take)
        #expect(steps.all.allSatisfy { $0.phase == .rewriting })
        #expect(steps.all.map(\.done) == [3])
    }

    @Test func whereNothingIsToBeDone_nothingIsReported() throws {
        let file = try MigratedFile(of: Bulky.new(3))
        let steps = MigrationSteps()
        let store = try file.open(Bulky.New.self, progress: steps.take)
        try store.finishMigrations(progress: steps.take)
        #expect(steps.all == [])
    }

    @Test func theOpener_hearsOfEveryPhase_alsoByFinishMigrations() throws {
        let file = try MigratedFile(of: Crew.plain(0..<4000))
        let gate = MigrationGate()
        let opener = MigrationSteps()
        let store = try file.open(Crew.Relaid.self, migrations: .background) { step in
            opener.take(step)
            gate.pass(step)
        }
        gate.waitUntilReached()
        // The background thread is in the opener's callback, and this thread does the rest.
        let own = MigrationSteps()
        try store.finishMigrations(progress: own.take)
        #expect(own.all.last?.phase == .indexing && own.all.last?.done == 4000)
        gate.open()
        while opener.all.last != own.all.last { sched_yield() }
        let all = opener.all
        #expect(Set(all.map(\.phase)).isSuperset(of: Set(own.all.map(\.phase))))
        for phase in Set(all.map(\.phase)) {
            let done = all.filter { $0.phase == phase }.map(\.done)
            #expect(done == done.sorted() && done.last == 4000)
        }
        let phases = all.map { "\($0.phase)" }
        #expect(
            phases == phases.filter { $0 == "validating" } + phases.filter { $0 == "rewriting" }
                + phases.filter { $0 == "indexing" })
    }

    @Test func afterLazily_theOpenerHearsOfFinishing() throws {
        let file = try MigratedFile(of: Bulky.old(300))
        let opener = MigrationSteps()
        let store = try file.open(Bulky.New.self, migrations: .lazily, progress: opener.take)
        #expect(opener.all == [])
        try store.finishMigrations()
        #expect(opener.all.last?.done == 300)
    }
}
