// The ways to write groups, distinct values and aggregates of bound queries, and the plans of groups.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("shop", "number")
private struct Order: Hashable {
    #Index<Order>(\.city, \.total)
    #Index<Order>(\.day.desc, \.rebate)

    let shop: Int
    let number: Int
    var city: String?
    var day: Int
    var total: Int
    var rebate: Int?
    var weight: Double

    var double: Int { total * 2 }
}

@Suite("Spellings of groups") struct GroupSpellingTests {
    private let store: Store
    private let alone = "from the entries alone"
    private let inMemory = "from the matching records, in memory"

    init() throws {
        store = try Store.temporary()
        try store.insert(
            contentsOf: (0..<300).map { number in
                Order(
                    shop: number % 3, number: number, city: [nil, "Oslo", "Rome"][number % 3], day: number % 2,
                    total: number, rebate: number % 2 == 0 ? nil : number, weight: 0.5)
            })
    }

    @Test func groups_areInTheOrderOfTheirKeys() throws {
        let counts = try Order.grouped(by: \.city).count(in: store)
        #expect(counts.map(\.key) == [nil, "Oslo", "Rome"])
        #expect(counts.map(\.value) == [100, 100, 100])
        let some = try Order.filter(\.total >= 296).grouped(by: \.day, \.city).sum(of: \.total).resolve(in: store)
        #expect(some.map(\.key.0) == [0, 0, 1, 1])
        #expect(some.map(\.key.1) == ["Oslo", "Rome", nil, "Rome"])
        #expect(some.map(\.value) == [298, 296, 297, 299])
        let descending = try Order.query().grouped(by: \.city.desc).count(in: store)
        #expect(descending.map(\.key.value) == ["Rome", "Oslo", nil])
        #expect(Dictionary(uniqueKeysWithValues: counts)["Oslo"] == 100)
    }

    @Test func aggregatesOfAGroup_skipNil() throws {
        let byDay = Order.grouped(by: \.day)
        #expect(try byDay.min(of: \.rebate).resolve(in: store).map(\.value) == [nil, 1])
        #expect(try byDay.max(of: \.rebate).resolve(in: store).map(\.value) == [nil, 299])
        #expect(try byDay.sum(of: \.rebate).resolve(in: store).map(\.value) == [0, 22_500])
        #expect(try byDay.average(of: \.rebate).resolve(in: store).map(\.value) == [nil, 150])
        #expect(try byDay.sum(of: \.weight).resolve(in: store).map(\.value) == [75, 75])
        #expect(try byDay.average(of: \.weight).resolve(in: store).map(\.value) == [0.5, 0.5])
        // Each group has more entries than a batch: its end is found by a seek.
        #expect(try Order.grouped(by: \.city).max(of: \.total).resolve(in: store).map(\.value) == [297, 298, 299])
        #expect(try Order.grouped(by: \.city).min(of: \.total).resolve(in: store).map(\.value) == [0, 1, 2])
    }

    @Test func distinctValues_areThoseOfTheMatches() throws {
        try store.read { context in
            #expect(try Order.distinct(\.city).resolve(in: context) == [nil, "Oslo", "Rome"])
            #expect(try Order.filter(\.city != nil).distinct(\.city).resolve(in: context) == ["Oslo", "Rome"])
            #expect(try Order.query(shop: 1).distinct(\.city).resolve(in: context) == ["Oslo"])
            #expect(try Order.query(in: context).filter(\.total < 2).distinct(\.city).resolve() == [nil, "Oslo"])
            #expect(try Order.query(shop: 1).limit(2).distinct(\.number).resolve(in: context) == [1, 4])
            let pairs = try Order.filter(\.total < 3).distinct(\.day, \.city).resolve(in: context)
            #expect(pairs.map(\.0) == [0, 0, 1] && pairs.map(\.1) == [nil, "Rome", "Oslo"])
        }
        #expect(
            try store.write { try Order.query().sorted(by: \.total.desc).limit(1).distinct(\.city).resolve(in: $0) }
                == ["Rome"]
        )
        #expect(try Store.temporary().read { try Order.distinct(\.city).resolve(in: $0) } == [])
    }

    @Test func explain_tellsWhichWayIsTaken() throws {
        try store.read { context in
            #expect(
                try Order.grouped(by: \.city).explain(in: context) == """
                    scan index(city,total) of Order, all entries
                    groups: city; from the entries alone; distinct values skip the rest of each group
                    entries to read: 300
                    """)
            #expect(
                try Order.filter(\.weight > 0).grouped(by: \.city.desc, \.day).explain(in: context) == """
                    scan Order, all records
                    filter: weight > 0.0
                    groups: city desc, day; from the matching records, in memory
                    entries to read: 300
                    """)
            let total = try Order.filter(\.city == "Oslo").grouped(by: \.city).min(of: \.total).explain(in: context)
            #expect(total.contains("1 range") && total.contains("\(alone); min and max of total skip"))
            for query in [
                Order.filter(\.city == "Oslo").grouped(by: \.total), Order.query(shop: 2).grouped(by: \.number),
            ] { #expect(try query.explain(in: context).contains(alone)) }
            #expect(try Order.grouped(by: \.rebate, \.day).explain(in: context).contains(alone))
            #expect(try Order.grouped(by: \.shop).explain(in: context).contains(alone))
            #expect(try Order.grouped(by: \.city).min(of: \.weight).explain(in: context).contains(inMemory))
            #expect(try Order.grouped(by: \.rebate).explain(in: context).contains(inMemory))
            #expect(try Order.query().limit(9).grouped(by: \.city).explain(in: context).contains(inMemory))
        }
        #expect(
            Order.filter(\.day > 0).grouped(by: \.city, \.day.desc).description
                == #"Order.filter(\.day > 0).grouped(by: \.city, \.day.desc)"#)
    }

    @Test func errors_nameTheProperty() throws {
        try store.insert(Order(shop: 9, number: 1, day: 1, total: .max, weight: 0))
        #expect(throws: StoreError.query(.notStored(type: "Order", property: "\\Order.<computed Int>"))) {
            try Order.distinct(\.double).resolve(in: store)
        }
        #expect(throws: StoreError.query(.notStored(type: "Order", property: "\\Order.<computed Int>"))) {
            try Order.grouped(by: \.city).min(of: \.double).resolve(in: store)
        }
        #expect(throws: StoreError.query(.sumOverflow(type: "Order", property: "\(\Order.total)"))) {
            try Order.grouped(by: \.city).sum(of: \.total).resolve(in: store)
        }
    }

    @Test func asyncForms_giveTheSame() async throws {
        let byCity = Order.filter(\.total > 3).grouped(by: \.city)
        #expect(try await byCity.keys(in: store) == [nil, "Oslo", "Rome"])
        #expect(try await byCity.count(in: store).map(\.value) == [98, 99, 99])
        #expect(try await byCity.min(of: \.total).resolve(in: store).map(\.value) == [6, 4, 5])
        #expect(try await byCity.max(of: \.rebate).resolve(in: store).map(\.value) == [297, 295, 299])
        #expect(try await byCity.sum(of: \.weight).resolve(in: store).map(\.value) == [49, 49.5, 49.5])
        #expect(try await byCity.average(of: \.weight).resolve(in: store).map(\.value) == [0.5, 0.5, 0.5])
        #expect(try await byCity.min(of: \.total).explain(in: store).contains("groups: city"))
        #expect(try await Order.distinct(\.day).resolve(in: store) == [0, 1])
        #expect(try await Order.query(shop: 1).distinct(\.city).resolve(in: store) == ["Oslo"])
        #expect(try await Order.filter(\.total < 2, in: store).distinct(\.city).resolve() == [nil, "Oslo"])
        #expect(try await Order.filter(\.total < 4, in: store).sum(of: \.total).resolve() == 6)
        #expect(try await Order.filter(\.total < 4, in: store).max(of: \.rebate).resolve() == 3)
    }

    @Test func boundQueries_haveAggregates() throws {
        let query = Order.filter(\.total < 4, in: store)
        #expect(try query.min(of: \.total).resolve() == 0)
        #expect(try query.max(of: \.total).resolve() == 3)
        #expect(try query.min(of: \.rebate).resolve() == 1)
        #expect(try query.max(of: \.rebate).resolve() == 3)
        #expect(try query.sum(of: \.total).resolve() == 6)
        #expect(try query.sum(of: \.rebate).resolve() == 4)
        #expect(try query.sum(of: \.weight).resolve() == 2)
        #expect(try query.average(of: \.weight).resolve() == 0.5)
        #expect(try query.average(of: \.total).resolve() == 1.5)
        #expect(try query.average(of: \.rebate).resolve() == 2)
    }
}
