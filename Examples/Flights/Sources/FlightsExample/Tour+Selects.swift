// The part of the tour with lookups and ranges: key ranges in key order, and lookups of other records by key.

import Foundation
import Trove

extension Tour {
    static let onePlane = Section(
        "The flights of one plane, in time order",
        code: """
            let flights = try store.read { context in
                try FlightByPlane.select(in: context, limit: 8, tailNumber: "N737MQ")
            }
            """,
        run: flightsOfOnePlane
    ) { flights in
        Table(
            ["departure", "flight", "from", "to", "minutes late"],
            rows: flights.map {
                [
                    NewYork.text($0.scheduledDeparture), "\($0.carrier) \($0.number)", $0.origin, $0.destination,
                    text($0.departureDelay),
                ]
            })
    }

    private static func flightsOfOnePlane(in store: Store) throws -> [FlightByPlane] {
        let flights = try store.read { context in
            try FlightByPlane.select(in: context, limit: 8, tailNumber: "N737MQ")
        }
        return flights
    }

    static let oneDay = Section(
        "A day's departures from JFK",
        code: """
            let day = NewYork.day(15, month: 1)
            let flights = try store.read { context in
                try Flight.select(in: context, limit: 8, origin: "JFK", scheduledDeparture: .range(day))
            }
            """,
        run: departuresOfOneDay
    ) { flights in
        departures(flights)
    }

    private static func departuresOfOneDay(in store: Store) throws -> [Flight] {
        let day = NewYork.day(15, month: 1)
        let flights = try store.read { context in
            try Flight.select(in: context, limit: 8, origin: "JFK", scheduledDeparture: .range(day))
        }
        return flights
    }

    static let names = Section(
        "The same departures, with the names behind their codes",
        code: """
            let day = NewYork.day(15, month: 1)
            let rows = try store.read { context in
                let flights = try Flight.select(in: context, limit: 5, origin: "JFK", scheduledDeparture: .range(day))
                return try flights.map { flight in
                    let airline = try Airline.get(in: context, carrier: flight.carrier)
                    let airport = try Airport.get(in: context, faa: flight.destination)
                    return (flight, airline, airport)
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
        let day = NewYork.day(15, month: 1)
        let rows = try store.read { context in
            let flights = try Flight.select(in: context, limit: 5, origin: "JFK", scheduledDeparture: .range(day))
            return try flights.map { flight in
                let airline = try Airline.get(in: context, carrier: flight.carrier)
                let airport = try Airport.get(in: context, faa: flight.destination)
                return (flight, airline, airport)
            }
        }
        return rows
    }

    static let delayRanges = Section(
        "Delays of an hour and more, by range; counted without decoding a record",
        code: """
            let bounds = [60, 120, 180, 240, 300, 1_440]
            let counts = try store.read { context in
                try zip(bounds, bounds.dropFirst()).map { from, upTo in
                    try FlightByDelay.query(delay: .range(from: from, upTo: upTo)).count(in: context)
                }
            }
            """,
        run: countsOfDelays
    ) { ranges in
        Table(
            ["from minute", "up to", "flights"],
            rows: ranges.map { [$0.from.grouped, $0.upTo.grouped, $0.count.grouped] })
    }

    private static func countsOfDelays(in store: Store) throws -> [(from: Int, upTo: Int, count: Int)] {
        let bounds = [60, 120, 180, 240, 300, 1_440]
        let counts = try store.read { context in
            try zip(bounds, bounds.dropFirst()).map { from, upTo in
                try FlightByDelay.query(delay: .range(from: from, upTo: upTo)).count(in: context)
            }
        }
        return counts.indices.map { (bounds[$0], bounds[$0 + 1], counts[$0]) }
    }

    static let latest = Section(
        "The latest flights of all: the last pointers, and the flights they point to",
        code: """
            let flights = try store.read { context in
                let latest = try FlightByDelay.select(in: context, limit: 5, order: .descending)
                return try context.get(Flight.self, keys: latest.map(\\.flightKey))
            }
            """,
        run: latestFlights
    ) { flights in
        departures(flights)
    }

    private static func latestFlights(in store: Store) throws -> [Flight] {
        let flights = try store.read { context in
            let latest = try FlightByDelay.select(in: context, limit: 5, order: .descending)
            return try context.get(Flight.self, keys: latest.map(\.flightKey))
        }
        return flights
    }
}

extension Tour {
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
        delay.map(String.init) ?? "cancelled"
    }
}
