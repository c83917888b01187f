// The cost of queries over indexes: seeks, steps over index entries, decoded records.

#if DEBUG  // Cursor moves are counted only in debug builds.
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Event: Hashable {
    #Index<Event>(\.group)
    #Index<Event>(\.moment)
    #Index<Event>(\.moment, where: { $0.isLate })
    #Index<Event>(\.zone, \.moment)
    #Unique<Event>(\.code, collisions: .throw)

    let id: Int
    /// A hundred zones.
    var zone: Int
    /// Ten groups.
    var group: Int
    /// A different moment for each event.
    var moment: Int
    var code: String
    var isLate: Bool
}

@Suite("Costs of queries over indexes") struct IndexCostTests {
    private let store: Store
    private let count = 5_000

    init() throws {
        let count = count
        store = try Store.temporary()
        try store.insert(
            contentsOf: (0..<count).map { id in
                Event(
                    id: id, zone: id * 31 % 100, group: id % 10, moment: id * 7 % count, code: "code\(id)",
                    isLate: id % 4 == 0)
            })
    }

    /// Returns the moves of a read's cursors during a closure.
    private func moves(_ body: (ReadContext) throws -> Void) throws -> CursorMoves {
        try store.read { context in
            context.core.cursorMoves = CursorMoves()
            try body(context)
            return context.core.cursorMoves
        }
    }

    @Test func aLimit_endsTheScan_ascendingAndDescending() throws {
        for order in [SortKey(\Event.moment), SortKey(\Event.moment).desc] {
            let query = Event.filter(.everything).sorted(by: [order]).limit(20)
            let cost = try moves { context in
                let found = try query.resolve(in: context)
                #expect(found.count == 20)
            }
            // One seek in the index, and one lookup for each record.
            #expect(cost.seeks == 1 + 20)
            #expect(cost.steps <= 40)
        }
    }

    @Test func largeGroups_areNotScannedToTheirEnd() throws {
        let query = Event.filter(.everything).sorted(by: \.group.desc).limit(20)
        let cost = try moves { context in
            let found = try query.keys(in: context)
            #expect(found == (0..<20).map { 9 + 10 * $0 })
        }
        #expect(cost.seeks <= 3 && cost.steps < 200)
    }

    @Test func pages_costWhatTheFirstOneCosts() throws {
        for order in [SortKey(\Event.group), SortKey(\Event.group).desc, SortKey(\Event.moment).desc] {
            let query = Event.filter(.everything).sorted(by: [order]).limit(10)
            let whole = try query.limit(nil).resolve(in: store)
            let last = whole[count - 100]
            let cost = try moves { context in
                let page = try query.after(last).resolve(in: context)
                #expect(page == Array(whole[(count - 99)..<(count - 89)]))
            }
            #expect(cost.seeks <= 3 + 10)
            #expect(cost.steps < 200)
        }
    }

    @Test func countAndKeys_readNoRecord() throws {
        let query = Event.filter(\.group == 3)
        let counting = try moves { context in
            let count = try query.count(in: context)
            #expect(count == 500)
        }
        // Counts a range of the index, after the choice between the index and a table scan.
        #expect(counting.seeks <= 2)
        let keys = try moves { context in
            let keys = try query.keys(in: context)
            #expect(keys.count == 500)
        }
        #expect(keys.seeks <= 2)
        let exists = try moves { context in
            let exists = try query.exists(in: context)
            #expect(exists)
        }
        #expect(exists.seeks <= 2 && exists.steps <= 100)
    }

    @Test func whatAConditionSays_isCountedWithoutARecord() throws {
        let late = Event.filter(\.isLate == true)
        let counting = try moves { context in
            let count = try late.count(in: context)
            #expect(count == 1_250)
        }
        #expect(counting == CursorMoves())
        let early = late.and(\.moment < 1_000)
        let ranging = try moves { context in
            let count = try early.count(in: context)
            #expect(count == 250)
        }
        let keys = try moves { context in
            let keys = try early.keys(in: context)
            #expect(keys.count == 250)
        }
        for cost in [ranging, keys] { #expect(cost.seeks <= 4 && cost.steps <= 500) }
    }

    /// In the index, the moments of a zone come before the keys, so the entries of a zone are sorted. No other zone is
    /// read.
    @Test func ties_areSorted_andALimitEndsTheScan() throws {
        for order in [SortKey(\Event.zone), SortKey(\Event.zone).desc] {
            let query = Event.filter(.everything).sorted(by: [order])
            let whole = try query.resolve(in: store)
            let cost = try moves { context in
                let page = try query.limit(10).resolve(in: context)
                #expect(page == Array(whole.prefix(10)))
            }
            #expect(cost.seeks <= 1 + 10)
            #expect(cost.steps <= 200)
            let next = try moves { context in
                let page = try query.limit(60).after(whole[79]).resolve(in: context)
                #expect(page == Array(whole[80..<140]))
            }
            #expect(next.seeks <= 3 + 60)
            #expect(next.steps <= 400)
        }
        #expect(try Event.query().filter(.everything).max(of: \.zone).resolve(in: store) == 99)
    }

    @Test func aUniqueValue_isOneSearchInEachTable() throws {
        let cost = try moves { context in
            let found = try Event.filter(\.code == "code77").filter(\.group == 7).resolve(in: context)
            #expect(found.map(\.id) == [77])
        }
        #expect(cost.seeks == 2)
        #expect(cost.steps <= 4)
    }

    @Test func theLeastAndTheGreatest_areAtTheEnds() throws {
        let cost = try moves { context in
            let least = try Event.query().filter(.everything).min(of: \.moment).resolve(in: context)
            let greatest = try Event.query().filter(.everything).max(of: \.moment).resolve(in: context)
            #expect(least == 0)
            #expect(greatest == count - 1)
        }
        #expect(cost.seeks == 4)
        #expect(cost.steps <= 8)
    }
}
#endif
