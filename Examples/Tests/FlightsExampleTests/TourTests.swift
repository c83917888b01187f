// The demo on its own data: the tour shows correct results, and prints the code that runs.

import ExampleReport
import ExampleTestSupport
import Testing
import Trove

@testable import FlightsExample

@Suite struct TourTests {
    @Test(arguments: Tour.sections.map { SectionCase(section: $0) })
    func shownCode_isTheCodeThatRuns(_ example: SectionCase) throws {
        #expect(try example.section.codeCount(in: "FlightsExample") == 2)
    }

    @Test func january_isLoadedOnceAndShownAsItIs() throws {
        let store = try Store.temporary(records: Tour.records)
        let loader = Loader(store: store)
        #expect(try loader.load(.january()))

        // These numbers were counted in the files with other tools.
        #expect(try Airline.query().count(in: store) == 16)
        #expect(try Airport.query().count(in: store) == 1_458)
        #expect(try Plane.query().count(in: store) == 3_322)
        #expect(try Flight.query().count(in: store) == 27_004)
        #expect(try Flight.query(origin: "JFK").count(in: store) == 9_161)
        let day = NewYork.day(15, month: 1)
        #expect(try Flight.query(origin: "JFK", scheduledDeparture: .range(day)).count(in: store) == 282)
        #expect(try Flight.filter(\.tailNumber != nil).count(in: store) == 26_849)
        #expect(try Flight.filter(\.tailNumber == "N737MQ").count(in: store) == 66)
        #expect(try Flight.filter(\.departureDelay != nil).count(in: store) == 26_483)
        #expect(try Flight.filter(\.departureDelay >= 60).count(in: store) == 1_852)

        // A second load finds all records.
        try Airline.delete(in: store, carrier: "AA")
        #expect(try !loader.load(.january()))
        #expect(try Airline.query().count(in: store) == 15)

        for section in Tour.sections {
            let outcome = try section.run(on: store)
            #expect(section.wideLines(outcome) == [], "\(section.title)")
            let table = outcome.table
            #expect(!table.rows.isEmpty, "\(section.title)")
            #expect(table.rows.allSatisfy { $0.count == table.header.count }, "\(section.title)")
        }
        #expect(try Flight.query().count(in: store) == 27_004)
        #expect(try store.check().isEmpty)
    }

    @Test func plans_useTheIndexes() throws {
        let store = try Self.january.get()
        let plans = try [Tour.onePlane, Tour.latest, Tour.conditions].map { try $0.run(on: store).text ?? "" }
        #expect(plans[0].hasPrefix("scan index(tailNumber,scheduledDeparture) of Flight, 1 range:"))
        #expect(
            plans[1].hasPrefix(
                "scan index(departureDelay) of Flight, all entries\norder: departureDelay desc; as stored"))
        #expect(plans[2].hasPrefix("scan index(departureDelay) of Flight, 1 range: departureDelay >= 180\nfilter:"))
    }

    @Test func flightsByIndex_areThoseOfAScan() throws {
        let store = try Self.january.get()
        let all = try Flight.select(in: store)
        let ofThePlane = all.filter { $0.tailNumber == "N737MQ" }.sorted {
            $0.scheduledDeparture < $1.scheduledDeparture
        }
        #expect(try Tour.onePlane.run(on: store).table == Tour.departures(Array(ofThePlane.prefix(5))))
        let byDelay = all.sorted { ($0.departureDelay ?? .min) > ($1.departureDelay ?? .min) }
        #expect(try Tour.latest.run(on: store).table == Tour.departures(Array(byDelay.prefix(5))))
        let late = all.filter { ($0.departureDelay ?? 0) >= 180 && $0.destination == "ORD" && $0.carrier != "UA" }
        #expect(try Tour.conditions.run(on: store).table.rows.count == late.count)
        let counts = try Tour.delayRanges.run(on: store).table.rows.map { $0[1] }
        #expect(counts == ["5,980", "1,663", "1,576", "1,246", "528", "78"])
    }

    @Test func sql_hasTheAnswersOfQueries() throws {
        let store = try Self.january.get()
        let long = try Flight.filter(\.miles > 1_000).resolve(in: store)
        var delays: [(name: String, count: Int, mean: Double)] = []
        for (carrier, flights) in Dictionary(grouping: long, by: \.carrier) {
            let known = flights.compactMap(\.arrivalDelay)
            guard let airline = try Airline.get(in: store, carrier: carrier), !known.isEmpty else { continue }
            delays.append((airline.name, flights.count, Double(known.reduce(0, +)) / Double(known.count)))
        }
        delays.sort { $0.mean > $1.mean }
        let report = try Tour.report.run(on: store).table.rows
        #expect(report.map { $0[0] } == delays.prefix(5).map(\.name))
        #expect(report.map { $0[1] } == delays.prefix(5).map(\.count.grouped))

        let costs = try Tour.costs.run(on: store)
        let late = try Flight.filter(\.departureDelay >= 180).resolve(in: store)
        let miles = late.map(\.miles).reduce(0, +)
        #expect(costs.table.rows.map { $0[1] } == ["27,004", "66", miles.grouped, long.count.grouped])
        #expect(costs.text?.contains("index(tailNumber,scheduledDeparture)") == true)
        #expect(costs.text?.contains("three hours late: SEARCH Flight by index(departureDelay)") == true)
    }

    @Test func duplicateName_isRefused() throws {
        let store = try Self.january.get()
        let outcome = try Tour.unique.run(on: store)
        #expect(outcome.text?.contains("unique(name)") == true)
        #expect(outcome.table.rows == [["VX", "Virgin America"]])
        #expect(try Airline.get(in: store, carrier: "V2") == nil)
    }

    @Test func update_isFoundByTheNewDelay() throws {
        let store = try Self.loadedStore()
        #expect(try Tour.update.run(on: store).table.rows == [["AA 1141", "2", "777"]])
        #expect(try Tour.latest.run(on: store).table.rows.contains { $0[5] == "777" })
    }

    @Test func nextRelease_migratesACopy() throws {
        #expect(NextRelease.Flight.schema.keyPrefix == Flight.schema.keyPrefix)
        let store = try Self.january.get()
        let flights = try Flight.query().count(in: store)
        let outcome = try Tour.migration.run(on: store)
        for line in ["27004 records", "plane was named tailNumber", "miles was Int64, is Double", "gate is new"] {
            #expect(outcome.text?.contains(line) == true, "\(line)")
        }
        #expect(outcome.table.rows.first?[..<4] == ["2013-01-09 09:00", "HA 51", "N384HA", "4983.0"])
        // This release can still use its own store.
        #expect(try Flight.query().count(in: store) == flights)
        #expect(try store.migrationPlan(for: Tour.records).isEmpty)
    }

    /// A store with January, for tests that change nothing.
    private static let january = Result { try loadedStore() }

    /// Returns a new store with January.
    private static func loadedStore() throws -> Store {
        let store = try Store.temporary(records: Tour.records)
        _ = try Loader(store: store).load(.january())
        return store
    }
}
