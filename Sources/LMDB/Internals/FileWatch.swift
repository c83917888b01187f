// The watch of a data file, for the commits of other processes.
//
//     arm ─▶ look ─▶ … ─▶ a process writes to the file ─▶ report ─▶ arm ─▶ look
//
// A watch reports a single write. It is armed before each look at the file: so a write after the look is reported, and
// a writer wakes the watching process once for each look, however often it writes.

import Synchronization

/// A watch of an environment's data file. It reports the next write of any process, this process included.
package final class FileWatch: Sendable {
    private let isArmed = Atomic(false)
    private let events: FileEvents
    private let report: @Sendable () -> Void

    /// Creates a watch that is not armed.
    ///
    /// - Parameter report: Runs on a queue of the system's events, at most once after each ``arm(on:)``.
    package convenience init(report: @escaping @Sendable () -> Void) {
        self.init(.shared, report: report)
    }

    init(_ events: FileEvents, report: @escaping @Sendable () -> Void) {
        self.events = events
        self.report = report
    }

    deinit { events.remove(self) }

    /// Begins to wait for the next write to an environment's file, unless the watch waits already.
    ///
    /// The file is watched, not its name: it can be moved.
    ///
    /// - Throws: ``LMDBError`` if the system refuses the watch: its number of watches is limited.
    package func arm(on environment: Environment) throws(LMDBError) {
        guard !isArmed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        do throws(LMDBError) {
            try environment.shared.mark(for: self, events)
        } catch {
            isArmed.store(false, ordering: .sequentiallyConsistent)
            throw error
        }
    }

    /// Passes over the next write, until the watch is armed again.
    package func disarm() { isArmed.store(false, ordering: .sequentiallyConsistent) }

    /// Ends the waiting, and releases the system's resources. A report under way may still come.
    package func stop() {
        events.remove(self)
        disarm()
    }

    /// Whether the system's resources are held: from ``arm(on:)`` to ``stop()``.
    package var isHeld: Bool { events.contains(self) }

    /// Reports a write, if the watch is armed.
    func noteWrite() {
        if isArmed.exchange(false, ordering: .sequentiallyConsistent) { report() }
    }
}

extension SharedEnvironment {
    /// Asks the system for an event at the next write to the data file.
    fileprivate func mark(for watch: FileWatch, _ events: FileEvents) throws(LMDBError) {
        try checkFork("watch")
        let code = try unsafe withMap { pointer in
            events.add(watch, unsafe Calls.descriptor(pointer))
        }
        guard code == 0 else { throw LMDBError(.init(code), in: "watch", path: path) }
    }
}
