// A process killed at any moment of the scripted run: while it creates its store, in a transaction, between two
// transactions, or while it closes the file.

import Foundation
import Testing
import Trove
import TroveCrashWorker
import TroveTestSupport

@Suite("Killed runs") struct KilledRunTests {
    @Test func aRunKilledAtAnyMoment_leavesTheAcknowledgedSteps_andAtMostTheStepUnderWay() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        var (steps, unborn) = (0, 0)
        let cycles = Torture.amount(60, full: 1000)
        for cycle in 0..<cycles {
            let comment: Comment = "cycle \(cycle), TROVE_TEST_SEED=\(seed)"
            let directory = try TemporaryDirectory()
            let script = UInt64.random(in: 0..<1_000_000, using: &generator)
            let worker = try Worker(
                ["run", directory.path("store"), "\(script)", "full", "ever"], output: directory.path("output"))
            // In a quarter of the cycles, the kill comes before the first line of output.
            let lines = max(0, Int.random(in: -30..<90, using: &generator))
            _ = try worker.hasSaid(lines)
            let microseconds = Int.random(in: 0..<(lines == 0 ? 40_000 : 2_000), using: &generator)
            let moment = ContinuousClock.now + .microseconds(microseconds)
            while ContinuousClock.now < moment {}
            worker.kill()
            var model = RunModel(Script(seed: script))
            for line in try worker.lines() { model.read(line) }
            model.wasKilled()
            #expect(model.contradictions.isEmpty, comment)
            if model.begun == 0 { unborn += 1 }
            steps += model.begun
            #expect(model.problems(reopening: directory.path("store")).isEmpty, comment)
            // An unfinished copy is not a part of the store.
            let names = try directory.names().filter { !$0.hasPrefix("store-copy") }
            #expect(names == ["output", "store", "store-lock"], comment)
        }
        #expect(steps > cycles && unborn > 0)
        try Torture.report("kill -9 in the scripted run", "\(cycles), \(unborn) of them before the first step")
    }
}
