// The snapshot of a page.

#if Inspector
import Trove

/// The snapshot of a page.
struct Snapshot {
    let context: ReadContext
    /// The number of commits with changes so far.
    let commit: UInt64
    private let start = ContinuousClock.now

    /// The maximum age. Then the snapshot ends, and the pages that it has kept from reuse are free.
    static let maximumAge = Duration.seconds(1)
    /// The age at which a scan ends by itself, and shows what it has found so far.
    private static let scanAge = Duration.milliseconds(400)

    init(_ context: ReadContext) throws {
        self.context = context
        commit = try context.storedCommitSequence()
    }

    /// Whether a scan is to end.
    var isOld: Bool { ContinuousClock.now - start > Self.scanAge }
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
        return try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask { try await store.read { context in try body(Snapshot(context)) } }
            group.addTask {
                try await Task.sleep(for: Snapshot.maximumAge)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw SnapshotTooOld() }
            return result
        }
    }
}
#endif
