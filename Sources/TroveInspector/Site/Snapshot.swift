// The snapshot of a page.

#if Inspector
import LMDB
import Trove

/// The snapshot of a page.
struct Snapshot {
    let context: ReadContext
    /// The number of commits with changes so far.
    let commit: UInt64
    private let start = ContinuousClock.now
    private let scanAge: Duration

    /// - Parameter maximumAge: The age at which the snapshot ends.
    init(_ context: ReadContext, maximumAge: Duration) throws {
        self.context = context
        commit = try context.storedCommitSequence()
        scanAge = maximumAge * 2 / 5
    }

    /// Whether a scan is to end by itself, and to show what it has found so far.
    var isOld: Bool { ContinuousClock.now - start > scanAge }
}

/// The error of a page that needs more than the maximum age of a snapshot.
struct SnapshotTooOld: Error, CustomStringConvertible {
    var description: String {
        "The page was not ready after a second, so that its snapshot was ended. Read less at once, or use the command."
    }
}

extension Site {
    /// Runs a closure in a snapshot, which ends after its maximum age.
    ///
    /// - Throws: The error of the opening; ``SnapshotTooOld``.
    func snapshot<R: Sendable>(_ body: @escaping @Sendable (Snapshot) throws -> R) async throws -> R {
        let store = try store.get()
        let reading = Task { [maximumAge] in
            try await store.read { context in try body(Snapshot(context, maximumAge: maximumAge)) }
        }
        let isTooOld = Monitor(false)
        let end = Deadline(after: maximumAge) {
            isTooOld.withLock { $0 = true }
            reading.cancel()
        }
        defer { end.cancel() }
        let result = await withTaskCancellationHandler {
            await reading.result
        } onCancel: {
            reading.cancel()
        }
        if isTooOld.withLock({ $0 }) { throw SnapshotTooOld() }
        return try result.get()
    }
}
#endif
