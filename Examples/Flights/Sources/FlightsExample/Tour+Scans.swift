// The part of the tour with many records: counts, pages, and a scan that decodes a single property.

import Foundation
import Trove

extension Tour {
    static let counts = Section(
        "Counts: whole tables at once, and the part of a table that begins with a key",
        code: """
            let counts = try store.read { context in
                [
                    ("airlines", try Airline.query().count(in: context)),
                    ("airports", try Airport.query().count(in: context)),
                    ("planes", try Plane.query().count(in: context)),
                    ("flights", try Flight.query().count(in: context)),
                    ("their copies, by plane", try FlightByPlane.query().count(in: context)),
                    ("their pointers, by delay", try FlightByDelay.query().count(in: context)),
                    ("flights from JFK", try Flight.query(origin: "JFK").count(in: context)),
                ]
            }
            """,
        run: countsOfTables
    ) { counts in
        Table(["what", "records"], rows: counts.map { [$0, $1.grouped] })
    }

    private static func countsOfTables(in store: Store) throws -> [(String, Int)] {
        let counts = try store.read { context in
            [
                ("airlines", try Airline.query().count(in: context)),
                ("airports", try Airport.query().count(in: context)),
                ("planes", try Plane.query().count(in: context)),
                ("flights", try Flight.query().count(in: context)),
                ("their copies, by plane", try FlightByPlane.query().count(in: context)),
                ("their pointers, by delay", try FlightByDelay.query().count(in: context)),
                ("flights from JFK", try Flight.query(origin: "JFK").count(in: context)),
            ]
        }
        return counts
    }

    static let pages = Section(
        "Page by page: each page starts with one seek behind the last key seen",
        code: """
            var pages: [Page] = []
            var last: Flight.IndexKey?
            repeat {
                let page = try timed {
                    try Flight.select(in: store, limit: 2_000, after: last, origin: "JFK")
                }
                last = page.flights.last?.indexKey
                pages.append(page)
            } while pages.last?.flights.count == 2_000
            """,
        run: pagesOfFlights
    ) { pages in
        let shown = pages.enumerated().filter { pages.count <= 6 || $0.offset < 3 || $0.offset >= pages.count - 3 }
        return Table(
            ["page", "flights", "first departure", "last departure", "took"],
            rows: shown.map { index, page in
                [
                    "\(index + 1)", page.flights.count.grouped,
                    page.flights.first.map { NewYork.text($0.scheduledDeparture) } ?? "–",
                    page.flights.last.map { NewYork.text($0.scheduledDeparture) } ?? "–", page.duration.short,
                ]
            })
    }

    private static func pagesOfFlights(in store: Store) throws -> [Page] {
        var pages: [Page] = []
        var last: Flight.IndexKey?
        repeat {
            let page = try timed {
                try Flight.select(in: store, limit: 2_000, after: last, origin: "JFK")
            }
            last = page.flights.last?.indexKey
            pages.append(page)
        } while pages.last?.flights.count == 2_000
        return pages
    }

    static let averages = Section(
        "The mean delay by airport: one scan each that decodes one property and nothing else",
        code: """
            let means = try store.read { context in
                try ["EWR", "JFK", "LGA"].map { origin in
                    let delays = try Flight.query(origin: origin).select(\\.departureDelay, in: context).compactMap { $0 }
                    return (origin, delays.count, Double(delays.reduce(0, +)) / Double(max(1, delays.count)))
                }
            }
            """,
        run: meanDelays
    ) { means in
        Table(
            ["from", "flights that left", "mean minutes late"],
            rows: means.map { [$0, $1.grouped, String(format: "%.1f", $2)] })
    }

    private static func meanDelays(in store: Store) throws -> [(String, Int, Double)] {
        let means = try store.read { context in
            try ["EWR", "JFK", "LGA"].map { origin in
                let delays = try Flight.query(origin: origin).select(\.departureDelay, in: context).compactMap { $0 }
                return (origin, delays.count, Double(delays.reduce(0, +)) / Double(max(1, delays.count)))
            }
        }
        return means
    }

    /// A page of flights, and the duration of its read.
    struct Page {
        let flights: [Flight]
        let duration: Duration
    }

    private static func timed(_ read: () throws -> [Flight]) rethrows -> Page {
        let start = ContinuousClock.now
        let flights = try read()
        return Page(flights: flights, duration: ContinuousClock.now - start)
    }
}
