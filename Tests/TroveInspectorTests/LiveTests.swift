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
