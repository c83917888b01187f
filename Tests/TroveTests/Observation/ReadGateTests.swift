// The gate that bounds how many consumers read at once.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("The gate of reads", .hangLimit) struct ReadGateTests {
    @Test func noMoreReadsThanItsWidth_runAtOnce() async throws {
        let gate = ReadGate(width: 3)
        let running = Monitor((now: 0, most: 0, all: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    try await gate.pass {
                        running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.all + 1) }
                        await Task.yield()
                        running.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.most } <= 3)
        #expect(running.withLock { $0.all } == 200)
    }

    @Test func aCancelledTask_leavesTheLine() async throws {
        let gate = ReadGate(width: 1)
        let (began, mayEnd) = (WakePoint(), WakePoint())
        let first = Task {
            try await gate.pass {
                began.wake()
                await mayEnd.wait()
            }
        }
        await began.wait()
        let waiting = (0..<20).map { _ in Task { try await gate.pass {} } }
        for task in waiting { task.cancel() }
        for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
        mayEnd.wake()
        try await first.value
        // The gate is free again.
        try await gate.pass {}
    }
}
