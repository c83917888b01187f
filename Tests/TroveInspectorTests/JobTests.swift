// Long walks: their progress, their ends, and how many there are at once.

#if Inspector
import LMDB
import Testing

@testable import TroveInspector

@Suite struct JobTests {
    private struct Failure: Error {}

    @Test func aShortWalkIsDoneAtOnce_andRunsOnce() async throws {
        let jobs = Jobs()
        let count = Monitor(0)
        for _ in 0..<3 {
            let state = try await jobs.state(of: "a") { _ in
                count.withLock {
                    $0 += 1
                    return $0
                }
            }
            guard case .finished(let result, _) = state else {
                Issue.record("\(state)")
                return
            }
            #expect(result == 1)
        }
    }

    @Test func aLongWalkShowsItsProgress_andIsCancelled() async throws {
        let jobs = Jobs()
        let (ended, end) = AsyncStream<Void>.makeStream()
        let state = try await jobs.state(of: "long") { progress in
            progress(3, 10)
            defer { end.finish() }
            try await Task.sleep(for: .seconds(3_600))
            return 0
        }
        guard case .running(let progress) = state else {
            Issue.record("\(state)")
            return
        }
        #expect(progress.done == 3)
        #expect(progress.total == 10)
        await jobs.cancelAll()
        for await _ in ended {}
        // The next request starts a new walk.
        let next = try await jobs.state(of: "long") { _ in 7 }
        guard case .finished(7, _) = next else {
            Issue.record("\(next)")
            return
        }
    }

    @Test func aFailureIsKept() async throws {
        let jobs = Jobs()
        for _ in 0..<2 {
            let state = try await jobs.state(of: "failing") { _ -> Int in throw Failure() }
            guard case .failed(let error) = state, error is Failure else {
                Issue.record("\(state)")
                return
            }
        }
    }

    @Test func aThirdWalkAtOnce_isRefused() async throws {
        let jobs = Jobs()
        for name in ["a", "b"] {
            _ = try await jobs.state(of: name) { _ in try await Task.sleep(for: .seconds(3_600)) }
        }
        await #expect(throws: TooManyJobs.self) { try await jobs.state(of: "c") { _ in 0 } }
        await jobs.cancelAll()
    }

    @Test func onlyTheLatestResultsAreKept() async throws {
        let jobs = Jobs()
        let count = Monitor(0)
        for name in (0..<20).map(String.init) + ["0"] {
            _ = try await jobs.state(of: name) { _ in count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 21)
    }
}
#endif
