// The part of the tour with keys: ranges in key order, lookups, pages, and a scan that decodes a single property.

import ExampleReport
import Foundation
import Trove

extension Tour {
    static let oneDay = Section(
        "A day's departures from JFK: a range of the key",
        code: """
            let day = NewYork.day(15, month: 1)
            let flights = try store.read { context in
                try Flight.select(
                    in: context, limit: 5, origin: "JFK",
                    scheduledDeparture: .range(day))
            }
            """,
        run: departuresOfOneDay,
        table: departures)

    private static func departuresOfOneDay(in store: Store) throws -> [Flight] {
        let day = NewYork.day(15, month: 1)
        let flights = try store.read { context in
            try Flight.select(
                in: context, limit: 5, origin: "JFK",
                scheduledDeparture: .range(day))
        }
        return flights
    }

    static let names = Section(
        "The same departures, with the names behind their codes",
        code: """
            let rows = try store.read { context in
                try flights.map { flight in
                    (
                        flight,
                        try Airline.get(in: context, carrier: flight.carrier),
                        try Airport.get(in: context, faa: flight.destination)
                    )
                }
            }
            """,
        run: departuresWithNames
    ) { rows in
        Table(
            ["departure", "airline", "destination"],
            rows: rows.map { flight, airline, airport in
                let names: [String] = [airline?.name ?? flight.carrier, airport?.name ?? flight.destination]
                return [NewYork.text(flight.scheduledDeparture)] + names
            })
    }

    private static func departuresWithNames(in store: Store) throws -> [(Flight, Airline?, Airport?)] {
        let flights = try departuresOfOneDay(in: store)
        let rows = try store.read { context in
            try flights.map { flight in
                (
                    flight,
                    try Airline.get(in: context, carrier: flight.carrier),
                    try Airport.get(in: context, faa: flight.destination)
                )
            }
        }
        return rows
    }

    static let pages = Section(
        "Page by page: each page is a single seek, however far it is",
        code: """
            var pages: [Timed<[Flight]>] = []
            var last: Flight.IndexKey?
            repeat {
                let page = try timed {
                    try Flight.select(
                        in: store, limit: 2_000, after: last, origin: "JFK")
                }
                last = page.value.last?.indexKey
                pages.append(page)
            } while pages.last?.value.count == 2_000
            """,
        run: pagesOfFlights
    ) { pages in
        let shown = pages.enumerated().filter { pages.count <= 6 || $0.offset < 3 || $0.offset >= pages.count - 3 }
        return Table(
            ["page", "flights", "first departure", "last departure", "took"],
            rows: shown.map { index, page in
                [
                    "\(index + 1)", page.value.count.grouped,
                    page.value.first.map { NewYork.text($0.scheduledDeparture) } ?? "–",
                    page.value.last.map { NewYork.text($0.scheduledDeparture) } ?? "–", page.duration.short,
                ]
            })
    }

    private static func pagesOfFlights(in store: Store) throws -> [Timed<[Flight]>] {
        var pages: [Timed<[Flight]>] = []
        var last: Flight.IndexKey?
        repeat {
            let page = try timed {
                try Flight.select(
                    in: store, limit: 2_000, after: last, origin: "JFK")
            }
            last = page.value.last?.indexKey
            pages.append(page)
        } while pages.last?.value.count == 2_000
        return pages
    }

    static let averages = Section(
        "The mean delay by airport: one scan each that decodes one property",
        code: """
            let means = try store.read { context in
                try ["EWR", "JFK", "LGA"].map { origin in
                    let left = Flight.query(origin: origin)
                        .filter(\\.departureDelay != nil)
                    let mean = try left.average(of: \\.departureDelay)
                        .resolve(in: context)
                    return (origin, try left.count(in: context), mean)
                }
            }
            """,
        run: meanDelays
    ) { means in
        Table(
            ["from", "flights that left", "mean minutes late"],
            rows: means.map { [$0, $1.grouped, $2.map { String(format: "%.1f", $0) } ?? "–"] })
    }

    private static func meanDelays(in store: Store) throws -> [(String, Int, Double?)] {
        let means = try store.read { context in
            try ["EWR", "JFK", "LGA"].map { origin in
                let left = Flight.query(origin: origin)
                    .filter(\.departureDelay != nil)
                let mean = try left.average(of: \.departureDelay)
                    .resolve(in: context)
                return (origin, try left.count(in: context), mean)
            }
        }
        return means
    }

    /// Returns the table of some flights.
    static func departures(_ flights: [Flight]) -> Table {
        Table(
            ["departure", "from", "to", "flight", "plane", "minutes late"],
            rows: flights.map {
                [
                    NewYork.text($0.scheduledDeparture), $0.origin, $0.destination, "\($0.carrier) \($0.number)",
                    $0.tailNumber ?? "–", text($0.departureDelay),
                ]
            })
    }

    static func text(_ delay: Int?) -> String {
        delay.map(\.grouped) ?? "cancelled"
    }
}
