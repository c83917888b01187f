// Filters and orders by the times of entities' last saves: plans, pages, stores without times, and bulk queries.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Queries by the times of saves") struct UpdateTimesTests {
    private let store: Store

    /// 2,000 hauls, the first of which was saved last; the last ten have no time.
    init() throws {
        store = try Store.temporary(records: [Haul.self, Quay.self])
        try store.write { context in
            for id in 0..<2_000 {
                try Haul(id: id, weight: id / 10, isStamped: false).save(to: context)
                if id < 1_990 {
                    _ = try context.insert(EntityMetadata<Haul>(id: id, updatedAt: day(2_000 - id)))
                }
            }
            try Quay(id: 1, hauls: .ids([4, 1, 3, 2, 1_999])).save(to: context)
            try Quay(id: 2, hauls: .ids([7])).save(to: context)
        }
    }

    private func explain(_ query: Query<Haul>) throws -> [String] {
        try query.explain(in: store).split(separator: "\n").map(String.init)
    }

    // MARK: Plans

    @Test func anOrder_isWalkedUpToTheLimit() throws {
        let latest = Haul.query().sorted(by: .updatedAt.desc).limit(3)
        #expect(
            try explain(latest) == [
                "walk times of Haul, latest first", "limit 3", "entries to read: more than 1000",
            ])
        #expect(try latest.keys(in: store) == [0, 1, 2])
        #expect(try moves { try latest.keys(in: $0) } < 60)
        let earliest = Haul.query().sorted(by: .updatedAt).limit(2)
        #expect(try earliest.keys(in: store) == [1_989, 1_988])
        #expect(try moves { try earliest.keys(in: $0) } < 60)
        #expect(try moves { try earliest.offset(1).exists(in: $0) } < 60)
    }

    @Test func aPage_continuesInTheIndex() throws {
        let pages = Haul.query().sorted(by: .updatedAt.desc).limit(3)
        #expect(try pages.after(key: 1_000).keys(in: store) == [1_001, 1_002, 1_003])
        #expect(try moves { try pages.after(key: 1_000).keys(in: $0) } < 80)
        // Entities without a time come last, in either direction.
        #expect(try pages.after(key: 1_988).keys(in: store) == [1_989, 1_990, 1_991])
        #expect(try pages.after(key: 1_991).keys(in: store) == [1_992, 1_993, 1_994])
        #expect(try Haul.query().sorted(by: .updatedAt).after(key: 0).limit(1).keys(in: store) == [1_990])
        #expect(throws: StoreError.query(.noContinuation(type: "Haul", key: StoredKey(5_000, of: Haul.self)))) {
            try pages.after(key: 5_000).keys(in: store)
        }
    }

    @Test func aFilter_walksItsRange() throws {
        let range = day(1_990)...day(1_995)
        let query = Haul.filter(.updated(within: range))
        #expect(
            try explain(query) == [
                "walk times of Haul within \(literal(range.lowerBound))...\(literal(range.upperBound))",
                "entries to read: 6",
            ])
        #expect(try Set(query.keys(in: store)) == Set(5...10))
        #expect(try query.count(in: store) == 6)
        let sorted = query.sorted(by: .updatedAt.desc)
        #expect(try explain(sorted)[0].hasSuffix(", latest first"))
        #expect(try explain(sorted).last == "entries to read: 6")
        #expect(try sorted.keys(in: store) == Array(5...10))
        #expect(try query.sorted(by: .updatedAt).offset(1).limit(2).keys(in: store) == [9, 8])
        #expect(try Haul.filter(.not(.updated(within: day(0)...day(5_000)))).count(in: store) == 10)
    }

    @Test func besideAnIndex_theSmallerSideIsFollowed() throws {
        let query = Haul.filter(\.weight == 5).sorted(by: .updatedAt)
        #expect(
            try explain(query) == [
                "order as times of Haul", "matches of:",
                "  scan index(weight) of Haul, 1 range: weight == 5", "entries to read: 10",
            ])
        #expect(try query.keys(in: store) == Array((50...59).reversed()))
        #expect(try query.after(key: 58).limit(2).keys(in: store) == [57, 56])
        let filtered = Haul.filter(.updated(within: day(0)...day(1_950)) && \.weight == 5)
        #expect(try explain(filtered)[0] == "scan index(weight) of Haul, 1 range: weight == 5")
        #expect(try filtered.count(in: store) == 10)
    }

    @Test func relatedEntities_areOrderedByTime() throws {
        let query = Quay.query(1).related(\.$hauls).sorted(by: .updatedAt)
        #expect(try explain(query)[0] == "order as times of Haul")
        #expect(try query.keys(in: store) == [4, 3, 2, 1, 1_999])
        #expect(try query.limit(2).keys(in: store) == [4, 3])
        let nested = Quay.query(1)
            .with(\.$hauls) { $0.filter(.updated(within: day(1_997)...day(1_999))).sorted(by: .updatedAt.desc) }
        #expect(try nested.resolve(in: store)?.hauls?.map(\.id) == [1, 2, 3])
        #expect(
            try nested.explain(in: store).contains("sorted by updatedAt descending"))
    }

    @Test func anotherOrder_replacesTheTime() throws {
        let query = Haul.query().sorted(by: .updatedAt)
        #expect(try query.sorted(by: \.id).first(in: store)?.id == 0)
        #expect(try query.order(.descending).first(in: store)?.id == 1_999)
        #expect(try query.order(.descending).sorted(by: .updatedAt).first(in: store)?.id == 1_989)
        #expect(try query.min(of: \.weight).resolve(in: store) == 0)
        #expect(try query.limit(2).sum(of: \.weight).resolve(in: store) == 396)
        #expect(try query.limit(11).distinct(\.weight).resolve(in: store) == [197, 198])
    }

    @Test func descriptions_areSwift() throws {
        let range = day(1)...day(2)
        let text = "\(literal(day(1), isSwift: true))...\(literal(day(2), isSwift: true))"
        #expect(
            "\(Haul.filter(.updated(within: range)).sorted(by: .updatedAt.desc).limit(2))"
                == "Haul.filter(.updated(within: \(text))).sorted(by: .updatedAt.desc).limit(2)")
        #expect("\(Haul.query().sorted(by: .updatedAt))" == "Haul.query().sorted(by: .updatedAt)")
    }

    // MARK: Types without times

    @Test func aTypeWithoutTimes_isRefused() throws {
        for query in [Quay.filter(.updated(within: day(1)...day(2))), Quay.query().sorted(by: .updatedAt)] {
            let error = StoreError.entity(.notKept(type: "Quay", option: "keepsMetadata"))
            #expect(storeError { try query.resolve(in: store) } == error)
            #expect(storeError { try query.count(in: store) } == error)
        }
        #expect(throws: StoreError.self) {
            try Quay.queryAll(with: .entities, .entities(filter: .updated(within: day(1)...day(2)))).resolve(in: store)
        }
    }

    @Test func aStoreWithoutTimes_findsNothing() throws {
        let store = try Store.temporary()
        let range = day(0)...day(9)
        #expect(try Haul.filter(.updated(within: range)).resolve(in: store).isEmpty)
        #expect(try Haul.query().sorted(by: .updatedAt).resolve(in: store).isEmpty)
        for id in [2, 1] { try Haul(id: id, isStamped: false).save(to: store) }
        #expect(try Haul.filter(.updated(within: range)).resolve(in: store).isEmpty)
        #expect(try Haul.query().sorted(by: .updatedAt.desc).keys(in: store) == [1, 2])
        try Haul(id: 2).save(to: store)
        #expect(try Haul.query().sorted(by: .updatedAt).keys(in: store) == [2, 1])
    }

    // MARK: Bulk queries

    @Test func bulkForms_areFiltered() throws {
        let filter = MetadataFilter.updated(within: day(1_997)...day(1_999))
        let quay = try #require(try Quay.query(1).with(.entities(filter: filter)).resolve(in: store))
        #expect(quay.hauls?.map(\.id) == [1, 3, 2] && quay.$hauls.isSlice)
        let fragments = try #require(try Quay.query(2).with(.fragments(filter: filter)).resolve(in: store))
        #expect(fragments.hauls == [] && fragments.$hauls.isFragment && fragments.$hauls.isSlice)
        let all = try #require(try Quay.query(2).with(.schemaEntities(filter: filter), .ids).resolve(in: store))
        #expect(all.hauls?.map(\.id) == [1, 2, 3] && all.$hauls.isSlice)
        #expect(all.hauls?.map(\.$quay.id) == [1, 1, 1])
        let parts = try #require(try Quay.query(2).with(.schemaFragments(filter: filter)).resolve(in: store))
        #expect(parts.hauls?.count == 3 && parts.$hauls.isFragment && parts.$hauls.isSlice)
        // Saving the slice takes nothing away.
        try all.save(to: store)
        #expect(try Quay.query(2).id(\.$hauls).resolve(in: store)?.$hauls.ids.contains(7) == true)
        let plan = try Quay.query(1).with(.entities(filter: filter), .ids).explain(in: store)
        #expect(plan.contains("with Quay.hauls: filter updated within "))
        #expect(plan.hasSuffix(", all relations as ids"))
        #expect(
            "\(NestedRelations.schemaEntities)" == "schemaEntities"
                && NestedRelations.entities != .entities(filter: filter))
    }

    /// Returns the moves of a read's cursors during a closure; none in a release build, which does not count them.
    private func moves(_ body: (ReadContext) throws -> some Any) throws -> Int {
        try store.read { context in
            _ = try context.table(for: Haul.schema)
            #if DEBUG
            context.core.cursorMoves = CursorMoves()
            _ = try body(context)
            return context.core.cursorMoves.seeks + context.core.cursorMoves.steps
            #else
            _ = try body(context)
            return 0
            #endif
        }
    }
}
