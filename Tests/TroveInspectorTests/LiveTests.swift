// The commits as they come.

#if Inspector
import Foundation
import LMDB
import Testing
import Trove

@testable import TroveInspector

@Suite struct LiveTests {
    private struct Event: Decodable {
        struct Change: Decodable {
            var type: String?
            var key: String?
            var row: String
        }

        var commit: UInt64
        var changes: [Change]
    }

    /// Returns the event of a part; nil for a part that is none.
    private func event(_ part: LiveFeed.Part, of type: String? = nil) throws -> Event? {
        guard case .commit(let commit) = part, let line = commit.event(of: type) else { return nil }
        #expect(line.hasPrefix("data: ") && line.hasSuffix("\n\n"))
        let data = line.dropFirst("data: ".count).dropLast(2)
        #expect(!data.contains("\n"), "An event is on a single line.")
        return try JSONDecoder().decode(Event.self, from: Data(data.utf8))
    }

    private func user(_ id: Int, _ name: String) -> User { User(id: id, name: name) }

    @Test(.timeLimit(.minutes(60))) func savedAndRemovedRecordsCome_asRowsOfValidHTML() async throws {
        let store = try SampleStore.full()
        let parts = try #require(LiveFeed(store).parts())
        var iterator = parts.makeAsyncIterator()
        try await store.write { context in try context.insert(User(id: 500, name: "<b>\"Ann\"\n& Bob")) }
        var events: [Event] = []
        while events.isEmpty, let part = await iterator.next() { events += try event(part).map { [$0] } ?? [] }
        let change = try #require(events.first?.changes.first)
        #expect(change.type == "TroveInspectorTests.User")
        let row = try StrictHTML.parse(
            """
            <!DOCTYPE html>
            <html lang="en"><head><title>A row</title></head><body><main><h1>A row</h1>\
            <table><tbody>\(change.row)</tbody></table></main></body></html>

            """)
        #expect(row.text.contains("<b>"))
        let key = try #require(change.key)
        #expect(row.links == ["/record/TroveInspectorTests.User/0x\(key)"])
        try await store.write { context in _ = try context.delete(User.self, key: 500) }
        events = []
        while events.isEmpty, let part = await iterator.next() { events += try event(part).map { [$0] } ?? [] }
        #expect(events.first?.changes.first?.row.contains("removed") == true)
        #expect(events.first?.changes.first?.key == key)
    }

    @Test(.timeLimit(.minutes(60))) func aStreamOfATypeHasNoOther() async throws {
        let store = try SampleStore.full()
        let parts = try #require(LiveFeed(store).parts())
        var iterator = parts.makeAsyncIterator()
        try await store.write { context in try context.insert(User(id: 501)) }
        let part = try #require(await iterator.next())
        #expect(try event(part, of: "TroveInspectorTests.Article") == nil)
        #expect(try event(part, of: "TroveInspectorTests.User") != nil)
    }

    @Test(.timeLimit(.minutes(60))) func manyChangesAreJoined() async throws {
        let store = try SampleStore.full()
        let parts = try #require(LiveFeed(store).parts())
        var iterator = parts.makeAsyncIterator()
        try await store.write { context in
            for id in 1_000..<1_100 { try context.insert(User(id: id)) }
        }
        let part = try #require(await iterator.next())
        let changes = try #require(try event(part)).changes
        #expect(changes.count == 26)
        #expect(changes.last?.row.contains("75 more") == true)
    }

    @Test(.timeLimit(.minutes(60))) func theFirstPageHasTheLastCommit() async throws {
        let store = try SampleStore.full()
        let site = TestSite(store)
        let none = try #require(try await site.page("/").element(id: "last-commit")).text
        #expect(none.contains("No commit was seen") && none.contains("does not keep the times of its commits"))
        let parts = try #require(try site.site.feed.get().parts())
        var iterator = parts.makeAsyncIterator()
        try await store.write { context in try context.insert(User(id: 502)) }
        while try site.site.feed.get().lastCommit == nil { _ = await iterator.next() }
        let last = try #require(try site.site.feed.get().lastCommit)
        #expect(last.commit.types == ["TroveInspectorTests.User"] && !last.commit.isOfAnyType)
        let line = try #require(try await site.page("/").element(id: "last-commit"))
        #expect(line.text.contains("Commit \(last.commit.number), seen at \(last.moment.ISO8601Format()), changed "))
        #expect(line.links.contains("/type/TroveInspectorTests.User"))
        // Of many changes, the page names the types that it knows.
        try await store.write { context in
            for id in 2_000..<2_100 { try context.insert(User(id: id)) }
        }
        while try site.site.feed.get().lastCommit?.commit.number == last.commit.number { _ = await iterator.next() }
        #expect(try await site.page("/").element(id: "last-commit")?.text.contains("User, and others. ") == true)
    }

    /// A server observes its store by itself, and stops with its task.
    @Test(.timeLimit(.minutes(60))) func aFollowedFeedKnowsTheLastCommit() async throws {
        let store = try SampleStore.full()
        let feed = LiveFeed(store)
        let following = Task { await feed.follow() }
        var id = 3_000
        while feed.lastCommit == nil {
            try await store.write { [id] context in try context.insert(User(id: id)) }
            id += 1
        }
        following.cancel()
        await following.value
        #expect(feed.lastCommit?.commit.types == ["TroveInspectorTests.User"])
    }

    @Test func streamsAreLimited_andEndedOnesGiveTheirPlaceBack() throws {
        let feed = LiveFeed(try SampleStore.full())
        var streams = (0..<LiveFeed.limit).map { _ in feed.parts() }
        #expect(streams.allSatisfy { $0 != nil })
        #expect(feed.parts() == nil)
        streams.removeLast()
        #expect(feed.parts() != nil)
    }

    @Test func thePageNamesItsStream() async throws {
        let site = TestSite(try SampleStore.full())
        let all = try await site.page("/live")
        #expect(all.element(id: "commits")?.attributes["data-events"] == "/live/events")
        let one = try await site.page("/live?type=TroveInspectorTests.User")
        #expect(
            one.element(id: "commits")?.attributes["data-events"]
                == "/live/events?type=TroveInspectorTests.User")
        #expect(try await site.send(.get, "/live?type=Unknown").status == .notFound)
    }
}
#endif
