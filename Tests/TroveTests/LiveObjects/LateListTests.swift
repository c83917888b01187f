// Lists whose reading takes long: they follow on threads of their own, and delay no other observer.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Lists that follow later", .hangLimit) struct LateListTests {
    /// Lets a list's reading stop at a gate. The closures of a patch do not: it reads changed records alone.
    private final class Pause: Sendable {
        let gate = ObservationGate()
        private let isArmed = Monitor(false)

        func arm() { isArmed.withLock { $0 = true } }

        func check(_ traveler: Traveler) -> Bool {
            if traveler.id == 1_500, isArmed.withLock({ $0 }) { gate.pass() }
            return true
        }
    }

    private let store: Store
    private let pause = Pause()
    private let list: LiveList<Traveler>

    init() throws {
        store = try Store.live()
        // In the order of the names, the keys are reversed.
        try store.insert(contentsOf: (0..<2_000).map { Traveler(id: $0, name: String(9_999 - $0)) })
        let pause = pause
        list = try LiveList(
            Traveler.filter(.where { pause.check($0) }).sorted(by: \.name), in: store, pageSize: 10)
        #expect(list.rows.records.map(\.id) == Array((1_990...1_999).reversed()))
    }

    @Test func aLongReading_delaysNoOtherObserver() async throws {
        let others = try LiveList(Traveler.query(id: .lessThan(3)), in: store)
        let traveler = try #require(try Traveler.live(1, in: store))
        let ages = Latest<Int?>()
        let loop = Task {
            for try await found in Traveler.query(1).values(in: store) { ages.add(found?.age) }
        }
        await ages.wait { $0.count == 1 }
        pause.arm()
        // A row leaves the page: those after it must be read, without an index.
        try await store.delete(Traveler.self, key: 1_995)
        try await pause.gate.awaitArrival()
        for age in 100..<103 {
            try await store.insert(Traveler(id: 1, age: age))
            await ages.wait { $0.last == age }
            while traveler.age != age { try await store.live.refreshObjects() }
        }
        while !others.rows.records.contains(where: { $0.age == 102 }) { try await store.live.refreshObjects() }
        #expect(list.rows.count == 10)
        pause.gate.open()
        await store.live.settle()
        let expected = Array(((1_989...1_994).map { $0 } + (1_996...1_999)).reversed())
        #expect(list.rows.records.map(\.id) == expected && list.hasMore)
        loop.cancel()
        try await loop.value
    }

    @Test func settleAndRefresh_waitForAListThatFollowsLater() async throws {
        var ids = Array((0..<2_000).reversed())
        for turn in 0..<10 {
            let removed = ids.remove(at: turn % 5)
            try await store.delete(Traveler.self, key: removed)
            if turn.isMultiple(of: 2) { await store.live.settle() } else { try store.live.refresh() }
            #expect(list.rows.records.map(\.id) == Array(ids.prefix(10)))
        }
    }

    @Test func aListThatReadsAPage_delaysNoRound() async throws {
        let traveler = try #require(try Traveler.live(1, in: store))
        pause.arm()
        let (list, store) = (list, store)
        let loading = RunningThread { try list.loadMore() }
        try await pause.gate.awaitArrival()
        try await store.delete(Traveler.self, key: 1_999)
        try await store.insert(Traveler(id: 1, age: 7))
        while traveler.age != 7 { try await store.live.refreshObjects() }
        pause.gate.open()
        try await loading.value()
        await store.live.settle()
        #expect(list.rows.records.map(\.id) == Array((1_979...1_998).reversed()))
    }

    @Test func aRoundThatMeetsAReading_losesNoChange() async throws {
        let traveler = try #require(try Traveler.live(1, in: store))
        // From this round on, the list takes its changes from rounds.
        try await store.insert(Traveler(id: 1_999, name: "8000", age: 1))
        await store.live.settle()
        pause.arm()
        try await store.delete(Traveler.self, key: 1_995)
        try await pause.gate.awaitArrival()
        try await store.insert(Traveler(id: 1_998, name: "8001", age: 2))
        // The list rests as long as its reading took: the next round comes before it reads again.
        for age in 100..<120 {
            try await store.insert(Traveler(id: 1, age: age))
            while traveler.age != age { try await store.live.refreshObjects() }
        }
        pause.gate.open()
        while list.rows.records.contains(where: { $0.id == 1_995 }) { try await store.live.refreshObjects() }
        try await store.insert(Traveler(id: 1_997, name: "8002", age: 3))
        await store.live.settle()
        #expect(list.rows.records.prefix(3).map(\.age) == [1, 2, 3])
    }

    @Test func aRoundThatMeetsAReading_isReadFromTheLog() throws {
        let reading = try SharedReading(ListReading(list.query, rowCount: 10, countsAll: false))
        func update(waits: Bool = true, _ body: (inout ListReading<Traveler>) throws -> Void) throws {
            _ = try reading.update(waits: waits) {
                try body(&$0)
                return true
            } note: { _ in
            }
        }
        try update { $0.followsRounds = true }
        // Such as for a page.
        try update { _ in
            #expect(throws: LongReading.self) { try update(waits: false) { _ in } }
        }
        var followsRounds = true
        try update { followsRounds = $0.followsRounds }
        #expect(!followsRounds)
        try update(waits: false) { $0.followsRounds = true }
        try update { followsRounds = $0.followsRounds }
        #expect(followsRounds)
    }

    /// The rows of a list that counts all matches are not read again for the count.
    @Test func aListThatCounts_keepsItsRows() async throws {
        let lists = [
            try LiveList(Traveler.query(), in: store, pageSize: 10, countsAll: true),
            try LiveList(Traveler.filter(\.age >= 30), in: store, pageSize: 10, countsAll: true),
        ]
        await store.live.settle()
        let versions = lists.map { $0.showing.withLock { $0.values.rowsVersion } }
        for id in 1_000..<1_003 {
            try await store.delete(Traveler.self, key: id)
            await store.live.settle()
        }
        #expect(lists.map(\.totalCount) == [1_997, 1_997])
        #expect(lists.map { $0.showing.withLock { $0.values.rowsVersion } } == versions)
        try await store.delete(Traveler.self, key: 0)
        await store.live.settle()
        #expect(lists.map(\.totalCount) == [1_996, 1_996])
        #expect(lists.allSatisfy { $0.rows.records.map(\.id) == Array(1...10) })
    }

    @Test func anError_isShown() async throws {
        try await store.write { context in
            let table = try #require(try context.table(for: Traveler.schema))
            try context.keyspace.put(table.database, KeyWriter.bytes(of: 3), [1, 2, 3])
            context.noteChange()
            try context.delete(Traveler.self, key: 1_999)
        }
        await store.live.settle()
        #expect(list.error != nil && list.rows.records.first?.id == 1_999)
        try await store.insert(Traveler(id: 3, name: "9996"))
        await store.live.settle()
        #expect(list.error == nil && list.rows.records.first?.id == 1_998)
    }
}

extension LiveObjects {
    /// Lets other code run, in which objects may follow.
    fileprivate func refreshObjects() async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}
