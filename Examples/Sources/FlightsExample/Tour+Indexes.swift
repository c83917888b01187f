// The part of the tour with indexes: orders and conditions that the key does not serve, with the plan of each query.

import ExampleReport
import Foundation
import Trove

/// The plan of a query, and the records that the query finds.
private struct Explained {
    let plan: String
    let flights: [Flight]
}

extension Tour {
    static let onePlane = Section(
        "The flights of one plane in time order: an index of two properties",
        code: """
            // In Flight: #Index<Flight>(\\.tailNumber, \\.scheduledDeparture)
            let query = Flight.filter(\\.tailNumber == "N737MQ")
                .sorted(by: \\.scheduledDeparture).limit(5)
            let flights = try query.resolve(in: store)
            let plan = try query.explain(in: store)
            """,
        run: flightsOfOnePlane,
        text: \.plan
    ) { result in
        departures(result.flights)
    }

    private static func flightsOfOnePlane(in store: Store) throws -> Explained {
        // In Flight: #Index<Flight>(\.tailNumber, \.scheduledDeparture)
        let query = Flight.filter(\.tailNumber == "N737MQ")
            .sorted(by: \.scheduledDeparture).limit(5)
        let flights = try query.resolve(in: store)
        let plan = try query.explain(in: store)
        return Explained(plan: plan, flights: flights)
    }

    static let latest = Section(
        "The latest flights of all: an index read from its end",
        code: """
            // In Flight: #Index<Flight>(\\.departureDelay)
            let query = Flight.query().sorted(by: \\.departureDelay.desc).limit(5)
            let flights = try query.resolve(in: store)
            let plan = try query.explain(in: store)
            """,
        run: latestFlights,
        text: \.plan
    ) { result in
        departures(result.flights)
    }

    private static func latestFlights(in store: Store) throws -> Explained {
        // In Flight: #Index<Flight>(\.departureDelay)
        let query = Flight.query().sorted(by: \.departureDelay.desc).limit(5)
        let flights = try query.resolve(in: store)
        let plan = try query.explain(in: store)
        return Explained(plan: plan, flights: flights)
    }

    static let conditions = Section(
        "Several conditions: a range of the index, and a filter for the rest",
        code: """
            let query = Flight.filter(
                \\.departureDelay >= 180 && \\.destination == "ORD" && \\.carrier != "UA")
            let flights = try query.resolve(in: store)
            let plan = try query.explain(in: store)
            """,
        run: lateFlightsToChicago,
        text: \.plan
    ) { result in
        departures(Array(result.flights.prefix(8)))
    }

    private static func lateFlightsToChicago(in store: Store) throws -> Explained {
        let query = Flight.filter(
            \.departureDelay >= 180 && \.destination == "ORD" && \.carrier != "UA")
        let flights = try query.resolve(in: store)
        let plan = try query.explain(in: store)
        return Explained(plan: plan, flights: flights)
    }

    static let comparison = Section(
        "The same question with and without an index",
        code: """
            let filters: [Filter<Flight>] = [
                \\.departureDelay >= 240,  // has an index
                \\.arrivalDelay >= 240,  // has none: every flight is tested
            ]
            let answers = try filters.map { filter in
                try timed { try Flight.filter(filter).resolve(in: store) }
            }
            """,
        run: answersWithAndWithoutAnIndex
    ) { answers in
        Table(
            ["filter", "flights", "took"],
            rows: answers.map { ["\($0)", $1.value.count.grouped, $1.duration.short] })
    }

    private static func answersWithAndWithoutAnIndex(in store: Store) throws -> [(Filter<Flight>, Timed<[Flight]>)] {
        let filters: [Filter<Flight>] = [
            \.departureDelay >= 240,  // has an index
            \.arrivalDelay >= 240,  // has none: every flight is tested
        ]
        let answers = try filters.map { filter in
            try timed { try Flight.filter(filter).resolve(in: store) }
        }
        return Array(zip(filters, answers))
    }

    static let delayRanges = Section(
        "Delays by range, counted in the index: no flight is read",
        code: """
            let bounds = [0, 15, 30, 60, 120, 240, 1_440]
            let counts = try store.read { context in
                try zip(bounds, bounds.dropFirst()).map { from, upTo in
                    try Flight
                        .filter(\\.departureDelay >= from && \\.departureDelay < upTo)
                        .count(in: context)
                }
            }
            """,
        run: countsOfDelays
    ) { ranges in
        let most = ranges.map(\.count).max() ?? 0
        return Table(
            ["minutes late", "flights", ""],
            rows: ranges.map { range in
                let bar = String(repeating: "█", count: (range.count * 40 + most - 1) / max(most, 1))
                return ["\(range.from.grouped) to \((range.upTo - 1).grouped)", range.count.grouped, bar]
            })
    }

    private static func countsOfDelays(in store: Store) throws -> [(from: Int, upTo: Int, count: Int)] {
        let bounds = [0, 15, 30, 60, 120, 240, 1_440]
        let counts = try store.read { context in
            try zip(bounds, bounds.dropFirst()).map { from, upTo in
                try Flight
                    .filter(\.departureDelay >= from && \.departureDelay < upTo)
                    .count(in: context)
            }
        }
        return counts.indices.map { (bounds[$0], bounds[$0 + 1], counts[$0]) }
    }
}
