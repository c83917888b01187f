// A browser that reloads without pause, beside a writer.

#if Inspector
import Testing
import Trove
import TroveTestSupport

@testable import TroveInspector

@Suite struct ReloadTests {
    private static let paths = [
        "/", "/type/TroveInspectorTests.User", "/record/TroveInspectorTests.User/7", "/indexes", "/migrations",
        "/sql?q=SELECT%20count(*)%20FROM%20User", "/search?q=stores",
    ]

    /// Replaces all records a number of times.
    private func write(_ rounds: Range<Int>, to store: Store) async throws {
        for round in rounds {
            try await store.write { context in
                for id in 0..<50 {
                    try context.insert(User(id: id, name: "User \(id) of \(round)"), onConflict: .replace)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(60))) func reloads_leaveNoSnapshot_andTheFileStaysSmall() async throws {
        let directory = try TemporaryDirectory()
        let store = try SampleStore.full(users: 50, at: directory.path("a.trove"))
        let site = TestSite(.success(store), path: store.path)
        try await write(0..<20, to: store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await write(20..<220, to: store) }
            for browser in 0..<24 {
                group.addTask {
                    for reload in 0..<25 {
                        let path = Self.paths[(browser + reload) % Self.paths.count]
                        let request = Task { try await site.send(.get, path) }
                        // A browser that reloads cancels its request.
                        if reload.isMultiple(of: 2) { request.cancel() }
                        let result = await request.result
                        guard case .success(let response) = result, !reload.isMultiple(of: 2) else { continue }
                        #expect([.ok, .serviceUnavailable].contains(response.status), "\(path) \(response.body)")
                    }
                }
            }
            try await group.waitForAll()
        }
        // The requests that were cancelled end their snapshots, too.
        while try store.readers.contains(where: { $0.commitsBehind != nil }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        // No snapshot keeps pages from being used again: the file does not grow, but for a few pages.
        let before = try store.info
        try await write(220..<420, to: store)
        #expect(try store.info.usedSize <= before.usedSize + 64 * before.pageSize)
        let answer = try await site.page("/record/TroveInspectorTests.User/7")
        #expect(answer.text.contains("User 7 of 419"))
    }
}
#endif
