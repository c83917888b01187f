// Live lists: their first page, more pages, other queries, errors, and what is reported of a change.

import Foundation
import LMDB
import Observation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Live lists", .hangLimit) struct LiveListTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Rower.self])
        try store.insert(contentsOf: (0..<250).map { Rower(id: $0, name: "name \($0 % 50)", age: $0) })
    }

    private func ids(_ list: LiveList<Rower>) -> [Int] { list.rows.records.map(\.id) }

    private func expected(_ query: Query<Rower>, _ count: Int) throws -> [Int] {
        try query.inSomeOrder.limit(count).resolve(in: store).map(\.id)
    }

    // MARK: Rows

    @Test func aList_hasItsFirstPage_whenItIsMade() throws {
        let list = try LiveList(Rower.filter(\.age >= 18).sorted(by: \.name), in: store, countsAll: true)
        #expect(try ids(list) == expected(list.query, 100))
        #expect(list.hasMore && list.totalCount == 232 && list.error == nil)
        let all = try LiveList(Rower.filter(\.age < 40), in: store)
        #expect(ids(all) == Array(0..<40) && !all.hasMore && all.totalCount == nil)
        #expect(ids(try LiveList(Rower.query(id: .lessThan(3)), in: store)) == [2, 1, 0])
    }

    @Test func rows_areTheLiveObjectsOfTheirKeys() throws {
        let list = try LiveList(Rower.filter(\.age < 3), in: store)
        let rower = try #require(try Rower.live(1, in: store))
        #expect(list.rows[1] === rower && list.rows.map(\.age) == [0, 1, 2])
        rower.name = "Ruby"
        #expect(list.rows[1].name == "Ruby" && list.rows.records[1].name == "name 1")
    }

    @Test func rows_appearMoveAndDisappear() async throws {
        let list = try LiveList(Rower.filter(\.age < 5).sorted(by: \.name), in: store, countsAll: true)
        try await store.insert(Rower(id: 300, name: "name 10", age: 4))
        await store.live.settle()
        #expect(ids(list) == [0, 1, 300, 2, 3, 4] && list.totalCount == 6)
        try await store.insert(Rower(id: 1, name: "z", age: 1))
        try await store.delete(Rower.self, key: 2)
        await store.live.settle()
        #expect(ids(list) == [0, 300, 3, 4, 1] && list.totalCount == 5)
        try await store.insert(Rower(id: 300, name: "name 10", age: 5))
        await store.live.settle()
        #expect(ids(list) == [0, 3, 4, 1])
    }

    @Test func aValueOfRows_neverChanges() async throws {
        let list = try LiveList(Rower.filter(\.age < 3), in: store)
        let rows = list.rows
        let held = rows[0]
        try await store.write { context in _ = try Rower.query().delete(in: context) }
        await store.live.settle()
        #expect(list.rows.isEmpty && rows.count == 3 && rows.records.map(\.age) == [0, 1, 2])
        #expect(rows[0] === held && held.isDeleted && held.age == 0)
        // An object that is made for a row after its record is gone.
        #expect(rows[2].isDeleted && rows[2].age == 2)
    }

    @Test func anObjectOfOldRows_isUpToDate() async throws {
        let list = try LiveList(Rower.filter(\.age < 3), in: store)
        let rows = list.rows
        try await store.insert(Rower(id: 1, name: "Zorg", age: 1))
        await store.live.settle()
        #expect(rows.records[1].name == "name 1" && rows[1].name == "Zorg" && list.rows[1] === rows[1])
    }

    // MARK: Pages

    @Test func pages_followTheLastRow() throws {
        let list = try LiveList(Rower.query().sorted(by: \.name), in: store, pageSize: 60)
        for count in [60, 120, 180, 240, 250] {
            #expect(try ids(list) == expected(list.query, count))
            #expect(list.hasMore == (count < 250))
            try list.loadMore()
        }
        #expect(list.rows.count == 250)
    }

    @Test func aPageOfAnySize_isAccepted() async throws {
        for size in [.max, .max - 1, 1 << 40] {
            let list = try LiveList(Rower.query().sorted(by: \.name), in: store, pageSize: size, countsAll: true)
            #expect(list.rows.count == list.totalCount && !list.hasMore && list.pageSize == size)
            try await store.insert(Rower(id: 1000 + list.rows.count, name: "new", age: 1))
            try await list.loadMore()
            #expect(try ids(list) == expected(list.query, .max) && !list.hasMore)
        }
        for size in [0, -1, .min] {
            let list = try LiveList(Rower.query(), in: store, pageSize: size)
            #expect(list.rows.count == 1 && list.hasMore && list.pageSize == 1)
        }
    }

    /// Between two pages, records before the last row and after it come, go and move.
    @Test func pages_missNothing_andRepeatNothing() async throws {
        let list = try LiveList(Rower.query().sorted(by: \.name), in: store, pageSize: 40)
        for page in 1...4 {
            try await store.write { context in
                try context.delete(Rower.self, key: page)
                try context.insert(Rower(id: 1000 + page, name: "a", age: page))
                try context.insert(Rower(id: 10 + page, name: "zz", age: 1))
            }
            try await list.loadMore()
            #expect(try ids(list) == expected(list.query, 40 * (page + 1)))
        }
    }

    @Test func theLastPage_growsWithTheQuery() async throws {
        let list = try LiveList(Rower.filter(\.age < 8), in: store, pageSize: 10)
        #expect(list.rows.count == 8 && !list.hasMore)
        try await store.insert(contentsOf: (300..<305).map { Rower(id: $0, name: "new", age: 1) })
        await store.live.settle()
        #expect(list.rows.count == 10 && list.hasMore)
        try await list.loadMore()
        #expect(list.rows.count == 13 && !list.hasMore)
    }

    @Test func aRowNearTheEnd_readsTheNextPage() throws {
        let list = try LiveList(Rower.query(in: store), pageSize: 40)
        list.rowAppeared(list.rows[20])
        #expect(list.rows.count == 40)
        list.rowAppeared(list.rows[30])
        #expect(list.rows.count == 80)
        list.rowAppeared(list.rows[30])
        #expect(list.rows.count == 80)
    }

    @Test func theLimitOfTheQuery_isThatOfTheList() async throws {
        let list = try LiveList(Rower.query().limit(50), in: store, pageSize: 20)
        try await list.loadMore()
        try await list.loadMore()
        try await list.loadMore()
        #expect(ids(list) == Array(0..<50) && !list.hasMore)
        try await store.delete(Rower.self, key: 0)
        await store.live.settle()
        #expect(ids(list) == Array(1..<51))
        #expect(try LiveList(Rower.query().limit(0), in: store).rows.isEmpty)
    }

    // MARK: Queries and errors

    @Test func anotherQuery_isReadAtOnce_fromItsFirstPage() async throws {
        let list = try LiveList(Rower.query(), in: store, pageSize: 50)
        try await list.loadMore()
        list.query = Rower.filter(\.age >= 100).sorted(by: \.age.desc)
        #expect(ids(list) == Array((200..<250).reversed()) && list.hasMore)
        try await store.insert(Rower(id: 900, name: "new", age: 900))
        await store.live.settle()
        #expect(list.rows.records.first?.id == 900)
        list.query = Rower.filter(\.age < 0)
        #expect(list.rows.isEmpty && !list.hasMore)
    }

    @Test func anError_keepsTheRows() async throws {
        let list = try LiveList(Rower.filter(\.age < 3), in: store)
        // The property is not stored.
        list.query = Rower.filter(\.name.count == 3)
        #expect(list.error != nil && ids(list) == [0, 1, 2])
        // The list still follows its query.
        try await store.delete(Rower.self, key: 1)
        await store.live.settle()
        #expect(list.error == nil && ids(list) == [0, 2])
        list.query = Rower.filter(\.age < 2)
        #expect(list.error == nil && ids(list) == [0])
        #expect(throws: StoreError.self) { try LiveList(Rower.filter(\.name.count == 3), in: store) }
    }

    /// Stores a record of the beginning again, with a part of its bytes.
    private func put(_ id: Int, isDamaged: Bool) throws {
        try store.write { context in
            let table = try #require(try context.table(for: Rower.schema))
            let key = KeyWriter.bytes(of: id)
            var value = try Rower(id: id, name: "name \(id % 50)", age: id).encodedValue()
            for byte in 0..<4 { value[byte] = UInt8(truncatingIfNeeded: table.fieldsVersion >> UInt32(8 * byte)) }
            try context.keyspace.put(table.database, key, Array(value.dropLast(isDamaged ? 1 : 0)))
            context.noteChange()
            key.withRawSpan { context.changedKeys.note(Rower.keyPrefix, $0) }
        }
    }

    @Test func aPageThatCannotBeRead_leavesTheRows() throws {
        try put(150, isDamaged: true)
        let list = try LiveList(Rower.query(in: store))
        let page = Array(0..<100)
        #expect(ids(list) == page && list.hasMore)
        for _ in 0..<3 {
            #expect(throws: StoreError.self) { try list.loadMore() }
            #expect(ids(list) == page && list.hasMore && list.error != nil)
        }
        try list.reload()
        #expect(ids(list) == page && list.error == nil)
        try put(150, isDamaged: false)
        try list.loadMore()
        #expect(ids(list) == Array(0..<200) && list.error == nil)
    }

    /// The rows of the page are there when the count of all matches fails.
    @Test func aPageThatFailsAtItsEnd_isNotShown() throws {
        var reading = try ListReading(Rower.filter(\.age >= 0), rowCount: 20, countsAll: true)
        try store.read { try reading.update(.any, in: $0, at: 1) }
        let version = reading.rowsVersion
        try put(249, isDamaged: true)
        #expect(throws: StoreError.self) { try store.read { try reading.extend(by: 20, in: $0) } }
        #expect(reading.rowCount == 20 && reading.pages.count == 20 && reading.hasMore)
        #expect(reading.totalCount == 250 && reading.rowsVersion > version)
        try put(249, isDamaged: false)
        try store.read { try reading.extend(by: 20, in: $0) }
        #expect(reading.pages.all.map(\.id) == Array(0..<40))
    }

    /// A row leaves, and the record that would follow at the end cannot be read.
    @Test func aRoundThatCannotRead_isMadeUpFor() async throws {
        let list = try LiveList(Rower.query(), in: store, pageSize: 3)
        try put(4, isDamaged: true)
        try await store.delete(Rower.self, key: 1)
        await store.live.settle()
        #expect(list.error != nil && ids(list) == [0, 1, 2])
        try await store.delete(Rower.self, key: 4, ignoringDamage: true)
        await store.live.settle()
        #expect(list.error == nil && ids(list) == [0, 2, 3])
    }

    /// A round fails, and before its delivery on the main actor, another reading succeeds.
    @MainActor @Test func aLateError_isNotShown() async throws {
        store.live.delivery = MainActor.shared
        let list = try LiveList(Rower.query(), in: store, pageSize: 3)
        try failARound(of: list)
        await store.live.settle()
        #expect(list.error == nil && ids(list) == [0, 2, 3])
    }

    /// Not async: nothing is delivered meanwhile.
    @MainActor private func failARound(of list: LiveList<Rower>) throws {
        try put(4, isDamaged: true)
        try store.delete(Rower.self, key: 1)
        try store.roundNow()
        try store.delete(Rower.self, key: 4, ignoringDamage: true)
        try list.reload()
        #expect(list.error == nil && ids(list) == [0, 2, 3])
    }

    /// After several rounds without a snapshot, the list has its last rows, and the error.
    @Test func roundsWithoutASnapshot_areAnErrorOfTheList() async throws {
        let list = try LiveList(Rower.query(), in: store)
        for _ in 0..<RoundPace.patience {
            store.rounds.noteFailure(StoreError.transaction(.tooManyReaders(path: store.path, limit: 1)))
        }
        while list.error == nil, !Task.isCancelled { await Task.yield() }
        #expect(list.rows.count == 100)
        try await list.reload()
        #expect(list.error == nil)
    }

    @Test func aClosedStore_isAnError() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("closed.trove"), records: [Rower.self])
        try store.close()
        #expect(throws: StoreError.self) { try LiveList(Rower.query(in: store)) }
    }

    // MARK: Closures of the query

    /// A round reads the old query as long as the closure of its filter takes.
    @Test func anotherQuery_waitsForNoReading() async throws {
        let (gate, isShut) = (ObservationGate(), Monitor(false))
        let slow = Rower.query().filter { rower in
            if isShut.withLock({ $0 }) { gate.pass() }
            return rower.age < 3
        }
        let list = try LiveList(slow, in: store)
        isShut.withLock { $0 = true }
        try await store.insert(Rower(id: 1, name: "new", age: 1))
        try await gate.awaitArrival()
        #expect(ids(list) == [0, 1, 2] && list.hasMore == false)
        list.query = Rower.filter(\.age < 2)
        #expect(ids(list) == [0, 1] && list.rows.records[1].name == "new")
        isShut.withLock { $0 = false }
        gate.open()
        await store.live.settle()
        #expect(ids(list) == [0, 1] && list.error == nil)
        // It follows the new query.
        try await store.insert(Rower(id: 0, name: "x", age: 9))
        await store.live.settle()
        #expect(ids(list) == [1])
    }

    /// A method that reads would wait for the reading that calls the closure.
    @Test func aClosureOfTheQuery_cannotReadItsList() async throws {
        let own = Monitor<LiveList<Rower>?>(nil)
        let errors = Monitor<[any Error]>([])
        let query = Rower.query().filter { rower in
            guard let list = own.withLock({ $0 }) else { return rower.age < 3 }
            if let row = list.rows.last { list.rowAppeared(row) }
            do {
                try list.reload()
            } catch {
                errors.withLock { $0.append(error) }
            }
            return rower.age < 3
        }
        let list = try LiveList(query, in: store, pageSize: 2)
        own.withLock { $0 = list }
        try await store.insert(Rower(id: 1, name: "new", age: 1))
        await store.live.settle()
        #expect(list.rows.records.map(\.name) == ["name 0", "new"] && list.hasMore && list.error == nil)
        try await list.loadMore()
        #expect(ids(list) == [0, 1, 2] && !list.hasMore && list.error == nil)
        own.withLock { $0 = nil }
        let found = errors.withLock { $0 }.map { $0 as? StoreError }
        #expect(!found.isEmpty && found.allSatisfy { $0 == StoreError.live(.listIsReading(type: "Rower")) })
    }

    // MARK: Observation

    /// Counts the reported changes of a value, and observes it again after each.
    private final class Watcher: Sendable {
        private let state = Monitor(0)

        var count: Int { state.withLock { $0 } }

        init(_ read: @escaping @Sendable () -> Void) { watch(read) }

        private func watch(_ read: @escaping @Sendable () -> Void) {
            withObservationTracking(read) { [weak self] in
                self?.state.withLock { $0 += 1 }
                self?.watch(read)
            }
        }
    }

    @Test func properties_areObservedSeparately() async throws {
        let list = try LiveList(Rower.filter(\.age < 3), in: store, countsAll: true)
        let rows = Watcher { _ = list.rows.count }
        let count = Watcher { _ = list.totalCount }
        let more = Watcher { _ = list.hasMore }
        let query = Watcher { _ = list.query }
        func reported() -> [Bool] { [rows, count, more, query].map { $0.count > 0 } }
        // Of another range of the filter, and equal.
        try await store.insert(Rower(id: 100, name: "x", age: 100))
        try await store.insert(Rower(id: 1, name: "name 1", age: 1))
        await store.live.settle()
        #expect(reported() == [false, false, false, false])
        try await store.insert(Rower(id: 1, name: "x", age: 1))
        await store.live.settle()
        #expect(reported() == [true, false, false, false])
        try await store.insert(Rower(id: 500, name: "x", age: 1))
        await store.live.settle()
        #expect(reported() == [true, true, false, false])
        list.query = Rower.filter(\.age < 4)
        #expect(reported() == [true, true, false, true])
    }

    @MainActor
    @Test func rows_followOnTheDeliveryActor() async throws {
        store.live.delivery = MainActor.shared
        let list = try LiveList(Rower.filter(\.age < 3), in: store)
        let rower = try #require(try Rower.live(1, in: store))
        try await store.insert(Rower(id: 1, name: "Zorg", age: 1))
        // Between two turns of the actor, the object and the list show the same commit.
        #expect(list.rows.records[1].name == rower.value.name)
        await store.live.settle()
        #expect(list.rows.records[1].name == "Zorg" && rower.name == "Zorg")
    }

    @Test func aListThatIsReleased_isGone() throws {
        weak var gone: LiveList<Rower>?
        do {
            let list = try LiveList(Rower.query(in: store))
            gone = list
            #expect(list.rows.count == 100)
        }
        #expect(gone == nil)
    }
}
