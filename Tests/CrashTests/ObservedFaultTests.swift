// Commits of unknown outcome in a program that observes its store: the write of the meta page reports a failure.
// Objects, lists and sequences show what is stored. An object whose edit is not stored keeps the edit.

import Foundation
import Testing
import Trove
import TroveCrashWorker
import TroveTestSupport

@Suite("Observed faults", .serialized, .enabled(if: FaultShim.isAvailable, "needs a C compiler, and no sanitizer"))
struct ObservedFaultTests {
    private let shim: FaultShim

    init() throws { shim = try FaultShim.shared.get() }

    /// Each write of a meta page reports a failure, and the first is made nevertheless. So the second commit is not
    /// stored.
    @Test func aCommitOfUnknownOutcome_isShown_ifItIsStored() throws {
        let fault = Fault(call: "meta", error: EIO, isDone: true, lasts: true)
        let lines = try lines(fault)
        #expect(
            lines == [
                "saved unknownCommitted", "stored 1 100", "list 1 100", "object 1 unedited",
                "saved unknownAbsent", "stored 1 100", "list 1 100", "object 2 edited",
                "values 100 100, 1 100", "done",
            ])
    }

    /// A single write fails. The next commit has the number that the failed one would have had.
    @Test func aCommitOfUnknownOutcome_leavesTheEdits_ifItIsNotStored() throws {
        let lines = try lines(Fault(call: "meta", error: EIO))
        #expect(
            lines == [
                "saved unknownAbsent", "stored 100 100", "list 100 100", "object 1 edited",
                "saved acknowledged", "stored 2 100", "list 2 100", "object 2 unedited",
                "values 100 100, 2 100", "done",
            ])
    }

    /// Returns the output of a worker whose first save meets a fault.
    ///
    /// The worker waits until it has read an account again that no save concerns: for its observers, the commit of
    /// unknown outcome may have changed any record.
    private func lines(_ fault: Fault) throws -> [String] {
        let undisturbed = try run([:], reads: 1)
        #expect(
            undisturbed.lines == [
                "saved acknowledged", "stored 1 100", "list 1 100", "object 1 unedited",
                "saved acknowledged", "stored 2 100", "list 2 100", "object 2 unedited",
                "values 100 100, 1 100, 2 100", "done",
            ])
        // The two saves are the last commits.
        try #require(undisturbed.metaPages >= 2)
        return try run(fault.environment(undisturbed.metaPages - 1), reads: 2).lines
    }

    /// Runs the worker. Returns its output, and the number of calls that store a meta page.
    private func run(_ fault: [String: String], reads: Int) throws -> (lines: [String], metaPages: Int) {
        let directory = try TemporaryDirectory()
        let path = directory.path("store")
        let store = try Store(path: path)
        try store.insert(contentsOf: [Account(number: 1, balance: 100), Account(number: 2, balance: 100)])
        // The worker opens the file again after the fault. Alone with the file, it then reads the last commit in it.
        try store.close()
        let counts = directory.path("counts")
        let worker = try Worker(
            ["observe", path, "\(reads)"],
            environment: shim.environment(directory: directory.path, fault: fault, counts: counts),
            output: directory.path("output"))
        let status = worker.wait()
        #expect(status == 0)
        let words: Set = ["saved", "stored", "list", "object", "values", "done", "error:"]
        // The output may have lines of the log, too.
        let lines = try worker.lines().map(String.init).filter { line in
            words.contains(line.prefix { $0 != " " }.description)
        }
        return (lines, FaultShim.counts(at: counts)["meta"] ?? 0)
    }
}
