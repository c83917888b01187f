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

extension SnapshotTests {
    private final class Page: Sendable {}

    /// The queue keeps a deadline until its time, and would keep the page with it.
    @Test func aCanceledDeadline_releasesItsClosure() {
        var page: Page? = Page()
        weak let kept = page
        let end = Deadline(after: .seconds(600)) { [page] in withExtendedLifetime(page) {} }
        page = nil
        #expect(kept != nil)
        end.cancel()
        #expect(kept == nil)
    }

    @Test(.timeLimit(.minutes(60))) func aCanceledDeadline_isNotCalled() async {
        let (calls, call) = AsyncStream<Int>.makeStream()
        let canceled = Deadline(after: .seconds(1)) { call.yield(1) }
        canceled.cancel()
        _ = Deadline(after: .milliseconds(1_100)) {
            call.yield(2)
            call.finish()
        }
        var numbers: [Int] = []
        for await number in calls { numbers.append(number) }
        #expect(numbers == [2])
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
