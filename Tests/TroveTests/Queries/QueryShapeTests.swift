// Results of a query other than its records, and queries written by hand.

import Foundation
import Testing
import Trove
import TroveSpellings
import TroveTestSupport

@IndexKeyRecord("airline", "number", "day")
private struct Trip: Hashable {
    enum Mood: String, Codable { case calm, wild }
    struct Note: Codable, Hashable, Sendable { var text: String }

    let airline: String
    let number: Int
    let day: Date
    var delay: Int?
    var mood: Mood
    var note: Note
    var tail: String
    var doubled: Int { (delay ?? 0) * 2 }
}

@Suite("Queries") struct QueryShapeTests {
    let store: Store
    private let trips: [Trip]

    init() throws {
        store = try Store.temporary()
        trips = ["AA", "B6", "UA"].flatMap { airline in
            (1...20).map { number in
                Trip(
                    airline: airline, number: number, day: Date(timeIntervalSinceReferenceDate: Double(number)),
                    delay: number % 3 == 0 ? nil : number, mood: number % 2 == 0 ? .calm : .wild,
                    note: Trip.Note(text: "note \(number)"), tail: "N\(number)")
            }
        }
        try store.insert(contentsOf: trips)
    }

    // MARK: Order

    @Test func lessThan_isDescending_unlessAnOrderIsGiven() throws {
        let few = try Trip.select(in: store, airline: "B6", number: .lessThan(4))
        #expect(few.map(\.number) == [3, 2, 1])
        #expect(
            try Trip.select(in: store, limit: 2, airline: "B6", number: .lessThanOrEqual(4)).map(\.number) == [4, 3])
        #expect(
            try Trip.select(in: store, order: .ascending, airline: "B6", number: .lessThan(4)).map(\.number) == [
                1, 2, 3,
            ])
        #expect(try Trip.select(in: store, airline: .greaterThan("B6")).map(\.number) == Array(1...20))
        #expect(try Trip.select(in: store, order: .descending, airline: "B6").map(\.number) == (1...20).reversed())
        #expect(try Trip.select(in: store) == trips)
        #expect(try Trip.select(in: store, limit: 3, order: .descending) == Array(trips.reversed().prefix(3)))
    }

    @Test func pages_joinToTheWhole() throws {
        for order in [KeyOrder.ascending, .descending] {
            var joined: [Trip] = []
            while true {
                let page = try Trip.select(in: store, limit: 7, order: order, after: joined.last?.indexKey)
                guard !page.isEmpty else { break }
                joined += page
            }
            #expect(joined == (order == .ascending ? trips : trips.reversed()))
        }
        var seen: [Int] = []
        var last: Trip.IndexKey?
        while let trip = try Trip.query(airline: "B6", number: .within([9, 2, 5, 99, 5])).after(key: last).first(
            in: store)
        {
            seen.append(trip.number)
            last = trip.indexKey
        }
        #expect(seen == [2, 5, 9])
    }

    @Test func within_leavesOutWhatIsMissing_andDuplicates() throws {
        let query = Trip.query(airline: .within(["UA", "ZZ", "AA", "UA", ""]))
        #expect(try query.resolve(in: store) == trips.filter { $0.airline != "B6" })
        #expect(try query.count(in: store) == 40)
        #expect(try Trip.query(airline: .within([])).count(in: store) == 0)
        #expect(try query.order(.descending).first(in: store) == trips.last)
        #expect(try query.limit(25).delete(in: store) == 25)
        #expect(try query.count(in: store) == 15)
    }

    // MARK: Other shapes

    @Test func forEach_stopsEarly_andSeesTheOrder() throws {
        var seen: [Int] = []
        try Trip.query(airline: "UA").forEach(in: store) { trip in
            seen.append(trip.number)
            return trip.number == 3 ? .stop : .continue
        }
        #expect(seen == [1, 2, 3])
        seen = []
        try Trip.query(airline: "UA", number: .lessThan(4)).limit(2).forEach(in: store) { seen.append($0.number) }
        #expect(seen == [3, 2])
        struct Enough: Error {}
        #expect(throws: Enough.self) {
            try Trip.query().forEach(in: store) { trip in if trip.number == 5 { throw Enough() } }
        }
    }

    @Test func limits_ofZeroOrLess_findNothing() throws {
        for limit in [0, -1, .min] {
            let query = Trip.query().limit(limit)
            #expect(try query.resolve(in: store).isEmpty)
            #expect(try query.first(in: store) == nil)
            #expect(try query.count(in: store) == 0)
            #expect(try query.exists(in: store) == false)
            #expect(try query.keys(in: store).isEmpty)
            #expect(try query.select(\.number).resolve(in: store).isEmpty)
            #expect(try query.delete(in: store) == 0)
        }
        #expect(try Trip.query().limit(nil).count(in: store) == 60)
        #expect(try Trip.query().limit(.max).count(in: store) == 60)
    }

    @Test func getByKeys_keepsTheOrderOfTheKeys_withoutTheMissing() throws {
        let keys = [trips[40].indexKey, Tuple("XX", 1, .distantPast), trips[3].indexKey, trips[40].indexKey]
        #expect(try store.get(Trip.self, keys: keys) == [trips[40], trips[3], trips[40]])
        #expect(try store.read { try $0.get(Trip.self, keys: [Trip.IndexKey]()) }.isEmpty)
        #expect(try store.contains(Trip.self, key: trips[3].indexKey))
        #expect(try store.contains(Trip.self, key: keys[1]) == false)
        #expect(try Trip.get(in: store, airline: "AA", number: 1, day: trips[0].day) == trips[0])
        #expect(try Trip.get(in: store, airline: "AA", number: 1, day: .distantPast) == nil)
    }

    @Test func unknownTypes_areEmpty() throws {
        let store = try Store.temporary()
        #expect(try Trip.query().resolve(in: store).isEmpty)
        #expect(try Trip.query().count(in: store) == 0)
        #expect(try Trip.query().delete(in: store) == 0)
        #expect(try store.get(Trip.self, key: trips[0].indexKey) == nil)
        #expect(try store.contains(Trip.self, key: trips[0].indexKey) == false)
        #expect(try store.delete(trips[0]) == false)
        #expect(try Trip.query().select(\.number).resolve(in: store).isEmpty)
    }

    @Test func keysThatAreTooLarge_areNowhere() throws {
        let long = String(repeating: "x", count: 2000)
        let key = Tuple(long, 1, Date.distantPast)
        #expect(try store.get(Trip.self, key: key) == nil)
        #expect(try store.get(Trip.self, keys: [key]).isEmpty)
        #expect(try store.contains(Trip.self, key: key) == false)
        #expect(try store.delete(Trip.self, key: key) == false)
        #expect(try Trip.query(airline: long).count(in: store) == 0)
        #expect(try Trip.query(airline: .greaterThan("AA" + long)).count(in: store) == 40)
        #expect(try Trip.query(airline: .lessThanOrEqual("B6" + long)).count(in: store) == 40)
        #expect(try Trip.query(airline: .hasPrefix(long)).exists(in: store) == false)
        #expect(try Trip.query().after(key: Tuple("B6" + long, 1, .distantPast)).count(in: store) == 20)
        #expect(
            try Trip.query().order(.descending).after(key: Tuple("B6" + long, 1, .distantPast)).count(in: store) == 40)
        #expect(try Trip.query(airline: .within([long, "AA"])).delete(in: store) == 20)
    }

    // MARK: Single properties

    @Test func projections_readOnlyWhatTheyName() throws {
        let query = Trip.query(airline: "B6", number: .lessThan(4))
        let expected = Array(trips[20..<23].reversed())
        #expect(try query.select(\.airline).resolve(in: store) == expected.map(\.airline))
        #expect(try query.select(\.day).resolve(in: store) == expected.map(\.day))
        #expect(try query.select(\.delay).resolve(in: store) == expected.map(\.delay))
        #expect(try query.select(\.mood).resolve(in: store) == expected.map(\.mood))
        #expect(try query.select(\.note).resolve(in: store) == expected.map(\.note))
        #expect(try query.select(\.tail).resolve(in: store) == expected.map(\.tail))
        let pairs = try query.select(\.tail, \.number).resolve(in: store)
        #expect(pairs.map(\.0) == expected.map(\.tail))
        #expect(pairs.map(\.1) == expected.map(\.number))
        let many = try query.select(\.note, \.airline, \.delay, \.mood, \.day).resolve(in: store)
        #expect(many.map(\.0) == expected.map(\.note))
        #expect(many.map(\.2) == expected.map(\.delay))
        #expect(many.map(\.3) == expected.map(\.mood))
        #expect(many.map(\.4) == expected.map(\.day))
        #expect(try query.limit(1).select(\.tail).resolve(in: store) == ["N3"])
    }

    @Test func projections_ofWhatIsNotStored_areRefused() throws {
        for property in [\Trip.doubled, \Trip.note.text.count, \Trip.airline.count] {
            let error = storeError { try Trip.query().select(property).resolve(in: store) }
            guard case .query(.notStored(type: "Trip", _)) = error else {
                Issue.record("\(property)")
                continue
            }
        }
        guard case .query(.notStored)? = storeError({ try Trip.query().select(\.number, \.doubled).resolve(in: store) })
        else {
            Issue.record("one of two")
            return
        }
    }

    // MARK: By hand

    @Test func aQueryByHand_isThatOfTheGeneratedMembers() throws {
        let byHand = Query<Trip>("B6", last: ComparisonOperator<Int>.lessThan(4), limit: 2)
        #expect(
            try store.select(query: byHand) == Trip.select(in: store, limit: 2, airline: "B6", number: .lessThan(4)))
        #expect(try store.read { try $0.select(query: byHand.order(.ascending)) }.map(\.number) == [1, 2])
        #expect(try store.delete(query: Query<Trip>(last: ComparisonOperator<String>.equals("B6"))) == 20)
        #expect(try store.get(Trip.self, key: Tuple("AA", 1, trips[0].day)) == trips[0])
        #expect(try store.delete(Trip.self, key: Tuple("AA", 1, trips[0].day)))
    }

    @Test func aQueryByHand_overOtherComponents_isRefused() throws {
        func check(_ query: Query<Trip>, _ given: String) {
            let error = StoreError.query(
                .wrongKeyComponents(
                    type: Trip.schema.name, given: given, key: "(airline:String,number:Int64,day:Date)"))
            #expect(storeError { try query.resolve(in: store) } == error)
            #expect(storeError { try query.count(in: store) } == error)
            #expect(storeError { try query.delete(in: store) } == error)
            #expect(storeError { try query.select(\.tail).resolve(in: store) } == error)
            #expect(storeError { try query.limit(1).first(in: store) } == error)
        }
        check(Query(last: ComparisonOperator<Int>.equals(1)), "Int")
        check(Query("AA", last: ComparisonOperator<String>.equals("x")), "String, String")
        check(
            Query("AA", 1, Date.distantPast, last: ComparisonOperator<Int>.equals(1)), "String, Int, Date, Int")
    }

    // MARK: Neighbors

    @Test func neighbouringTypes_doNotTouch() throws {
        for number in 0..<10 {
            try store.insert(Lower(id: number, text: "lower"))
            try store.insert(Middle(id: number, text: "middle"))
            try store.insert(Upper(id: number, text: "upper"))
        }
        #expect(Set(try Middle.query().select(\.text).resolve(in: store)) == ["middle"])
        #expect(try Middle.query(id: .greaterThanOrEqual(.min)).count(in: store) == 10)
        #expect(try Middle.query(id: .lessThanOrEqual(.max)).count(in: store) == 10)
        #expect(try Middle.query().delete(in: store) == 10)
        #expect(try Lower.query().count(in: store) == 10)
        #expect(try Upper.query().order(.descending).count(in: store) == 10)
    }
}

@IndexKeyRecord(keyPrefix: 0x00FF_FFFF, "id")
private struct Lower { let id: Int; var text: String }

@IndexKeyRecord(keyPrefix: 0x0100_0000, "id")
private struct Middle { let id: Int; var text: String }

@IndexKeyRecord(keyPrefix: 0x0100_0001, "id")
private struct Upper { let id: Int; var text: String }
