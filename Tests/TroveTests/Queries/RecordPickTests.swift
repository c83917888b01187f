// Queries for a single record: the first or last match of a query, and conditions on the record.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Queries for a single record") struct RecordPickTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Haul.self, Quay.self])
        for id in 1...9 {
            try Haul(id: id, label: String(repeating: "x", count: id % 4), weight: id % 3).save(to: store)
        }
        try Quay(id: 1, name: "a", hauls: .ids([3, 1, 2])).save(to: store)
        try Quay(id: 2, name: "b", hauls: .ids([5, 77])).save(to: store)
    }

    @Test func firstAndLast_areSingleQueries() throws {
        let query = Haul.query().sorted(by: \.weight)
        #expect(try query.first.resolve(in: store)?.id == 3)
        #expect(try query.last.resolve(in: store)?.id == 8)
        #expect(try query.last(in: store)?.id == 8)
        #expect(try query.limit(4).last(in: store)?.id == 1)
        #expect(try query.after(key: 5).last(in: store)?.id == 8)
        #expect(try Haul.query().last(in: store)?.id == 9)
        #expect(try Haul.query().order(.descending).last(in: store)?.id == 1)
        #expect(try Haul.query().limit(2).last(in: store)?.id == 2)
        #expect(try Haul.query().after(key: 4).last.resolve(in: store)?.id == 9)
        #expect(try Haul.query(in: store).sorted(by: .updatedAt).last()?.id == 9)
        #expect(try Haul.query(in: store).sorted { $0.label < $1.label }.last()?.id == 7)
        #expect(try Haul.filter(\.weight == 7).last(in: store) == nil)
        #expect(try Haul.query().first.resolve(in: store)?.id == 1)
        #expect(try Quay.query(1).related(\.$hauls).last(in: store)?.id == 2)
    }

    @Test func aSingleQuery_asksForRelations() throws {
        let quay = try Quay.query().sorted(by: \.name.desc).first.with(\.$hauls).resolve(in: store)
        #expect(quay?.id == 2 && quay?.hauls?.map(\.id) == [5])
        let last = try Quay.query().id(\.$hauls).last(in: store)
        #expect(last?.$hauls.ids == [5, 77])
        let query = Quay.query().sorted(by: \.name).last.with(\.$hauls)
        #expect("\(query)" == "Quay.query().sorted(by: \\.name).last.with(\\.$hauls)")
        #expect(try query.explain(in: store).hasSuffix("with Quay.hauls"))
        #expect(try Quay.query().first.related(\.$hauls).keys(in: store) == [3, 1, 2])
        #expect(try Quay.query().last.linkCount(of: \.$hauls).resolve(in: store) == 2)
        #expect(try Quay.filter(\.id > 5).first.linkCount(of: \.$hauls).resolve(in: store) == 0)
    }

    @Test func aSingleQuery_hasConditions() throws {
        #expect(try Haul.query(4).filter(\.weight == 1).resolve(in: store)?.id == 4)
        #expect(try Haul.query(4).filter(\.weight == 2).resolve(in: store) == nil)
        #expect(try Haul.query(7).filter { $0.label.count == 3 }.resolve(in: store)?.id == 7)
        #expect(try Haul.query(7, in: store).filter { $0.label.count == 2 }.resolve() == nil)
        let range = Date().addingTimeInterval(-3_600)...Date().addingTimeInterval(3_600)
        #expect(try Haul.query(4).filter(.updated(within: range)).resolve(in: store)?.id == 4)
        try store.stamp(4, day(1))
        #expect(try Haul.query(4, in: store).filter(.updated(within: range)).resolve() == nil)
        // The condition is tested on the first record, and does not choose another one.
        #expect(try Haul.query().first.filter(\.id == 2).resolve(in: store) == nil)
        #expect(try Quay.query(1).filter(\.name == "b").related(\.$hauls).count(in: store) == 0)
        #expect(try Quay.query(1).filter(\.name == "a").related(\.$hauls).keys(in: store) == [3, 1, 2])
        #expect(try Quay.query(1, in: store).filter(\.name == "b").related(\.$hauls).count() == 0)
        #expect(try Quay.query(1).filter(\.name == "b").linkCount(of: \.$hauls).resolve(in: store) == 0)
        #expect(try Quay.query(9).linkCount(of: \.$hauls).resolve(in: store) == 0)
        // The target of a to-one relation.
        let haul = try Haul.query(1).with(\.$quay) { $0.filter(\.name == "b") }.resolve(in: store)
        #expect(haul?.$quay.isNone == true)
    }

    @Test func anEntity_isAQueryForItself() throws {
        let quay = Quay(id: 1)
        #expect(try quay.query().resolve(in: store)?.name == "a")
        #expect(try quay.query(in: store).with(\.$hauls).resolve()?.hauls?.count == 3)
        #expect(try Quay(id: 7).query().resolve(in: store) == nil)
    }

    @Test func errorsOfBothQueries_areThrown() throws {
        let query = Quay.filter(.updated(within: day(1)...day(2)))
        #expect(throws: StoreError.self) { try query.first.resolve(in: store) }
        #expect(throws: StoreError.self) { try query.last.related(\.$hauls).count(in: store) }
        #expect(throws: StoreError.self) {
            try Quay.filter(\.id > 9).first.filter(.updated(within: day(1)...day(2))).resolve(in: store)
        }
    }

    @Test func asyncForms_await() async throws {
        #expect(try await Haul.query().last(in: store)?.id == 9)
        #expect(try await Haul.query().sorted(by: \.weight).last(in: store)?.id == 8)
        #expect(try await Haul.query(in: store).last()?.id == 9)
        #expect(try await Quay(id: 1).query().resolve(in: store)?.name == "a")
    }
}
