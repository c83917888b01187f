// The snapshot of a page ends in time, whatever else the process does.

#if Inspector
import Dispatch
import Foundation
import Testing
import Trove

@testable import TroveInspector

@Suite struct SnapshotTests {
    /// A task that slept once ended the snapshot. While other work held all threads of the pool, it did not wake, and a
    /// statement without an end went on.
    @Test(.timeLimit(.minutes(60))) func anEndlessStatement_ends_whileAllThreadsOfThePoolWait() async throws {
        let statement = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let site = TestSite(try SampleStore.empty(), maximumAge: .seconds(1)).site
        let priority = Task.currentPriority
        await #expect(throws: SnapshotTooOld.self) {
            try await site.snapshot { snapshot in
                let pool = HeldPool(priority)
                defer { pool.release() }
                _ = try StatementRows(statement, skipping: 0, .page, snapshot)
            }
        }
    }
}

/// Tasks that hold all threads of the pool until they are released. Later tasks of the priority wait for them.
private struct HeldPool: Sendable {
    private let end = DispatchSemaphore(value: 0)
    private let count = 4 * ProcessInfo.processInfo.activeProcessorCount + 4

    init(_ priority: TaskPriority) {
        for _ in 0..<count { Task.detached(priority: priority) { [self] in hold() } }
    }

    private func hold() { end.wait() }

    func release() { for _ in 0..<count { end.signal() } }
}
#endif
