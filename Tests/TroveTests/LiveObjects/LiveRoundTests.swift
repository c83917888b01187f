// Rounds bring live objects to the last commit.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live objects in rounds") struct LiveRoundTests {
    private let store: Store

    init() throws { store = try Store.live() }

    /// After a recovery of the environment, transactions have smaller numbers than before, and objects seem to be newer
    /// than all snapshots. A round with such a number reads all of them.
    @Test func numbersThatBeginAgain_areFollowed() throws {
        let travelers = try (1...3).map { try Traveler.create(Traveler(id: $0), in: store) }
        try store.live.refresh()
        let later = travelers[0].version.state.snapshot + 1_000_000
        // The deleted record was not seen before, and its commit touches none of the others.
        try store.delete(Traveler.self, key: 3)
        for traveler in travelers { traveler.update { ($0.snapshot, $0.lastRead) = (later, later) } }
        store.live.shared.progress.withLock { ($0.lastRead, $0.lastDelivered) = (later, later) }
        try store.write(Traveler(id: 1, name: "again"))
        try store.live.refresh()
        #expect(travelers.map(\.name) == ["again", "Ruby", "Ruby"])
        #expect(travelers.map(\.isDeleted) == [false, false, true])
        #expect(travelers.allSatisfy { $0.version.state.snapshot < later })
        #expect(store.live.shared.lastDelivered < later)
        #expect(try Traveler.live(1, in: store) === travelers[0])
    }

    /// The same for a list: the commits of its last reading are gone.
    @Test func aListFollows_whenTheStoreGoesBack() throws {
        try store.write(Traveler(id: 1), Traveler(id: 2))
        let list = try LiveList(Traveler.query(in: store))
        _ = try store.read { context in
            try list.reading.update {
                try $0.update(.any, in: context, at: 1_000_000)
                return true
            } note: { _ in
            }
        }
        try store.write(Traveler(id: 1, name: "again"))
        try store.live.refresh()
        #expect(list.rows.records.map(\.name) == ["Ruby", "Ruby"])
        let hasNews = try store.read { context in
            let commit = try context.catalogStorage().number(.commitSequence)
            let changes = RoundChanges(.everything)
            return try list.read(
                Round(context, RoundExtract(commits: commit...commit, changes: changes, isOwn: false)))
        }
        list.deliver()
        #expect(hasNews && list.rows.records.map(\.name) == ["again", "Ruby"])
        try store.write(Traveler(id: 2, name: "too"))
        try store.live.refresh()
        #expect(list.rows.records.map(\.name) == ["again", "too"])
    }

    /// All objects that a commit changes show it in one turn, however many they are.
    @Test func aChangeOfAllRecords_isInstalledInOneTurn() async throws {
        let store = store
        store.live.delivery = MainActor.shared
        let count = hasSanitizer ? 500 : 5_000
        let travelers = try await store.write { context in
            try (0..<count).map { try Traveler.create(Traveler(id: $0), in: context) }
        }
        await store.live.settle()
        try await store.write { context in
            for id in 0..<count { try context.insert(Traveler(id: id, name: "all")) }
        }
        let changed = await MainActor.run { travelers.count { $0.name == "all" } }
        #expect(changed == 0 || changed == count)
        await store.live.settle()
        #expect(travelers.allSatisfy { $0.name == "all" })
    }
}
