// Faults in every call of a store to the disk or for memory, at each place of a scripted run of 30 transactions, once
// or from there on. After each failure, the visible state equals the acknowledged state, in the same process and in the
// next process.

import Foundation
import Testing
import Trove
import TroveCrashWorker
import TroveTestSupport

@Suite("Faults", .serialized, .enabled(if: FaultShim.isAvailable, "needs a C compiler, and no sanitizer"))
struct FaultTests {
    private let shim: FaultShim
    private static let seed: UInt64 = 1
    private let script = Script(seed: seed)

    init() throws { shim = try FaultShim.shared.get() }

    /// The results of a run.
    private struct Report: Sendable {
        var number: Int
        var problems: [String] = []
        var outcomes: Set<Outcome> = []
        var failedCalls = 0
    }

    @Test func aRunWithoutFaults_acknowledgesEverything_andReachesEveryCall() throws {
        let (counts, model) = try run([:])
        #expect(model.contradictions.isEmpty)
        #expect(model.isDone && model.outcomes == [.acknowledged] && model.failedCopies == 0)
        for call in Set(Fault.all.map(\.call)) { #expect((counts[call] ?? 0) > 0, "\(call)") }
        // liblmdb makes these two calls only for writable maps, and for a lock file that is too short. Trove has
        // neither.
        #expect(counts["msync"] == 0 && counts["ftruncate"] == 0)
        let told = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        try Torture.report("calls of a run", told.joined(separator: ", "))
    }

    @Test(arguments: Fault.all)
    func afterAFault_acknowledgedIsVisible_nowAndAfterReopening(fault: Fault) throws {
        let count = try #require(try run([:]).counts[fault.call])
        let spacing = Torture.isFull ? 1 : max(1, count / 2)
        let trials = stride(from: 1, through: count, by: spacing).enumerated().flatMap { index, number in
            // With a timeout, another thread begins and commits on behalf of the writer.
            let waits = Torture.isFull ? ["ever", "100"] : [index.isMultiple(of: 2) ? "ever" : "100"]
            return waits.map { (number: number, timeout: $0) }
        }
        let reports = try onAllCores(trials) { try report(fault, $0.number, timeout: $0.timeout) }
        for report in reports {
            #expect(report.problems.isEmpty, "call \(report.number) of \(count)")
        }
        let met = reports.filter { $0.failedCalls > 0 }.count
        #expect(met > 0)
        let outcomes = reports.reduce(into: Set<Outcome>()) { $0.formUnion($1.outcomes) }
        // The page that makes a commit current may be written although the system reports a failure.
        if fault.call == "meta", fault.isDone, fault.lasts { #expect(outcomes.contains(.unknownCommitted)) }
        let told = outcomes.map(\.rawValue).sorted().joined(separator: ", ")
        try Torture.report(fault.testDescription, "\(reports.count) runs, met in \(met): \(told)")
    }

    @Test func theModel_contradictsAStoreThatForgets_orInvents() {
        let states = script.steps.indices.map { count in
            script.steps[..<count].reduce(into: Contents()) { contents, step in step.parts.forEach { contents.make($0) }
            }
        }
        for (outcome, seen, isRight) in [
            (Outcome.acknowledged, 1, true), (.acknowledged, 0, false), (.absent, 0, true), (.absent, 1, false),
            (.unknown, 0, true), (.unknown, 1, true), (.unknown, 2, false), (.unknownCommitted, 0, false),
        ] {
            var model = RunModel(script)
            for line in ["begun 0", "ended 0 \(outcome)", "sees \(states[seen].digest) \(seen)"] {
                model.read(line[...])
            }
            #expect(model.contradictions.isEmpty == isRight, "\(outcome), \(seen)")
        }
    }

    /// Runs the script with a fault, and examines the remains.
    private func report(_ fault: Fault, _ number: Int, timeout: String) throws -> Report {
        let directory = try TemporaryDirectory()
        let (counts, model, status) = try run(fault.environment(number), in: directory, timeout: timeout)
        var report = Report(number: number, outcomes: model.outcomes, failedCalls: counts["failed"] ?? 0)
        report.problems = model.contradictions
        if status != 0 || !model.isDone { report.problems.append("ended with \(status)") }
        if !fault.lasts {
            // After a temporary fault, the store is usable in the same process.
            if !model.isReadable || model.begun < Script.stepCount { report.problems.append("no longer usable") }
            if model.failedCopies > 1 { report.problems.append("not copied again") }
            if model.failedOpenings > 1 { report.problems.append("not opened again") }
            if fault.error == ENOSPC, model.outcomes.contains(.absent) {
                report.problems.append("a full disk was not reported as full")
            }
        }
        report.problems += model.problems(reopening: directory.path("store"))
        let names = try directory.names().filter { $0.hasPrefix("store") }
        if names != ["store", "store-lock"] { report.problems.append("leftover files: \(names)") }
        return report
    }

    private func run(_ fault: [String: String]) throws -> (counts: [String: Int], model: RunModel) {
        let (counts, model, status) = try run(fault, in: TemporaryDirectory())
        #expect(status == 0)
        return (counts, model)
    }

    private func run(
        _ fault: [String: String], in directory: TemporaryDirectory, timeout: String = "ever"
    ) throws -> (counts: [String: Int], model: RunModel, status: Int) {
        let counts = directory.path("counts")
        let store = directory.path("store")
        let worker = try Worker(
            ["run", store, "\(Self.seed)", "full", timeout],
            environment: shim.environment(directory: directory.path, fault: fault, counts: counts),
            output: directory.path("output"))
        let status = worker.wait()
        var model = RunModel(script)
        for line in try worker.lines() { model.read(line) }
        return (FaultShim.counts(at: counts), model, status)
    }
}
