// The ranges, the remaining filter and the order of a query, as `explain` prints them.

import Foundation
import LMDB
import Testing
import Trove
import TroveSpellings

@IndexKeyRecord("airline", "number", "day")
private struct Leg: Hashable {
    let airline: String
    let number: Int
    let day: Int
    var delay: Int?
    var tail: String
}

@Suite("Plans of queries") struct QueryPlanTests {
    private let store: Store

    init() throws { store = try Store.temporary() }

    private func check(_ query: Query<Leg>, _ plan: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = try query.explain(in: store)
        #expect(text == plan + "\nentries to read: 0", sourceLocation: sourceLocation)
    }

    // MARK: Ranges

    @Test func equalityAndOneRange_areOneRange() throws {
        try check(Leg.filter(.everything), "scan Leg, all records")
        try check(Leg.filter(\.airline == "AA"), #"scan Leg, 1 range: airline == "AA""#)
        try check(
            Leg.filter(\.number > 3).filter(\.airline == "AA"),
            #"scan Leg, 1 range: airline == "AA" and number > 3"#)
        try check(
            Leg.filter(\.airline == "AA").filter(\.number == 1).filter(\.day == 2),
            #"scan Leg, 1 range: airline == "AA" and number == 1 and day == 2"#)
        try check(
            Leg.filter(\.airline >= "AA").filter(\.airline < "B"),
            #"scan Leg, 1 range: airline >= "AA" and airline < "B""#)
        try check(
            Leg.filter(.string(\.airline, hasPrefix: "A", caseSensitive: true)),
            #"scan Leg, 1 range: airline hasPrefix "A", case-sensitive"#)
    }

    @Test func componentsAfterARange_remainInTheFilter() throws {
        try check(
            Leg.filter(\.airline > "AA").filter(\.number == 3).filter(\.delay == nil),
            """
            scan Leg, 1 range: airline > "AA"
            filter: number == 3 and delay == nil
            """)
        try check(Leg.filter(\.number == 3), "scan Leg, all records\nfilter: number == 3")
        try check(
            Leg.filter(.string(\.airline, hasPrefix: "a")),
            #"scan Leg, all records"# + "\n" + #"filter: airline hasPrefix "a""#)
    }

    @Test func severalValues_areSeveralRanges() throws {
        try check(
            Leg.filter(.within(\.airline, ["UA", "AA", "UA"])).filter(.between(\.number, 1...3)),
            """
            scan Leg, 2 ranges: airline within ["UA", "AA", "UA"] and number between 1 and 3
            """)
        try check(
            Leg.filter(\.airline == "AA").or(\.airline > "B").or(\.airline == "AB"),
            """
            scan Leg, 3 ranges: airline == "AA" or airline > "B" or airline == "AB"
            """)
        try check(Leg.filter(\.airline != "AA"), #"scan Leg, 2 ranges: airline != "AA""#)
        try check(
            Leg.filter(.not(\.airline != "AA")).filter(\.number == 1),
            """
            scan Leg, 1 range: not airline != "AA"
            filter: number == 1
            """)
        try check(
            Leg.filter(\.airline == "AA").filter(\.number != 3),
            #"scan Leg, 2 ranges: airline == "AA" and number != 3"#)
    }

    @Test func whatCannotBe_readsNothing() throws {
        try check(
            Leg.filter(\.airline == "AA").filter(\.airline == "B"),
            #"scan Leg, nothing: airline == "AA" and airline == "B""#)
        try check(Leg.filter(.within(\.airline, [])), "scan Leg, nothing: airline within []")
    }

    @Test func branchesWithRanges_areUnited() throws {
        try check(
            Leg.filter(\.airline == "AA").filter(\.number == 1).or(.filter(\.airline == "B").and(\.number < 3)),
            """
            scan Leg, 2 ranges: (airline == "AA" and number == 1) or (airline == "B" and number < 3)
            """)
        try check(
            Leg.filter(\.airline == "AA").filter(\.delay == 3).or(\.airline == "B"),
            """
            scan Leg, 2 ranges: airline == "AA" or airline == "B"
            filter: (airline == "AA" and delay == 3) or airline == "B"
            """)
        try check(
            Leg.filter(\.airline == "AA").or(\.delay == 3),
            """
            scan Leg, all records
            filter: airline == "AA" or delay == 3
            """)
    }

    @Test func aQueryByKey_keepsItsRange() throws {
        try check(
            Leg.query(airline: "AA").filter(\.delay == nil),
            """
            scan Leg, 1 range
            filter: delay == nil
            """)
        try check(
            Leg.query(airline: .within(["AA", "B", "C"])).filter(\.airline > "AA"),
            #"scan Leg, 2 ranges: airline > "AA""#)
        try check(
            Leg.query(airline: .lessThan("B")).filter(.everything),
            """
            scan Leg, 1 range
            order: as stored, backwards
            """)
    }

    // MARK: Order

    @Test func theKeysOwnOrder_costsNothing() throws {
        let all = Leg.filter(.everything)
        try check(all.sorted(by: \.airline, \.number), "scan Leg, all records\norder: airline, number; as stored")
        try check(
            all.sorted(by: \.airline, \.number, \.day, \.delay),
            "scan Leg, all records\norder: airline, number, day, delay; as stored")
        try check(
            all.sorted(by: \.airline.desc, \.number.desc, \.day.desc),
            "scan Leg, all records\norder: airline desc, number desc, day desc; as stored, backwards")
        try check(
            all.sorted(by: \.airline.desc, \.number),
            "scan Leg, all records\norder: airline desc, number; as stored, groups backwards")
        try check(
            Leg.filter(\.airline == "AA").sorted(by: \.number.desc, \.airline, \.day.desc),
            """
            scan Leg, 1 range: airline == "AA"
            order: number desc, airline, day desc; as stored, backwards
            """)
        try check(
            Leg.filter(\.airline == "AA").filter(\.delay == 3).sorted(by: \.delay, \.number),
            """
            scan Leg, 1 range: airline == "AA"
            filter: delay == 3
            order: delay, number; as stored
            """)
    }

    @Test func otherOrders_areSorted() throws {
        let all = Leg.filter(.everything)
        try check(all.sorted(by: \.number), "scan Leg, all records\norder: number; sorted")
        try check(
            all.sorted(by: \.airline, \.number.desc), "scan Leg, all records\norder: airline, number desc; sorted")
        try check(
            Leg.filter(.within(\.airline, ["AA", "B"])).sorted(by: \.number).limit(50).offset(10),
            """
            scan Leg, 2 ranges: airline within ["AA", "B"]
            order: number; sorted, at most 120 at a time
            limit 50, offset 10
            """)
    }

    // MARK: Records to read

    @Test func rows_areCountedUpToALimit() throws {
        try store.insert(
            contentsOf: (0..<1_200).map { number in
                Leg(airline: number < 5 ? "AA" : "B", number: number, day: 1, delay: nil, tail: "")
            })
        #expect(try Leg.filter(\.airline == "AA").explain(in: store).hasSuffix("\nentries to read: 5"))
        #expect(
            try Leg.filter(\.airline == "B").explain(in: store).hasSuffix("\nentries to read: more than 1000 of 1200"))
        #expect(try Leg.filter(.everything).explain(in: store) == "scan Leg, all records\nentries to read: 1200")
    }
}
