// The part of the tour with changes: a refused duplicate, an update, and transactions that are rolled back.

import ExampleReport
import Trove

/// The error for rolling a transaction back in this tour.
private struct ChangedMind: Error {}

extension Tour {
    static let unique = Section(
        "A unique property: no two airlines have the same name",
        code: """
            // In Airline: #Unique<Airline>(\\.name, collisions: .throw)
            let imitation = Airline(carrier: "V2", name: "Virgin America")
            var refusal: StoreError?
            do {
                try store.insert(imitation)
            } catch let error as StoreError {
                refusal = error
            }
            let found = try Airline.filter(\\.name == imitation.name)
                .resolve(in: store)
            """,
        run: airlinesOfTheSameName,
        text: { $0.refusal?.description }
    ) { result in
        Table(["carrier", "name"], rows: result.found.map { [$0.carrier, $0.name] })
    }

    private static func airlinesOfTheSameName(in store: Store) throws -> (refusal: StoreError?, found: [Airline]) {
        // In Airline: #Unique<Airline>(\.name, collisions: .throw)
        let imitation = Airline(carrier: "V2", name: "Virgin America")
        var refusal: StoreError?
        do {
            try store.insert(imitation)
        } catch let error as StoreError {
            refusal = error
        }
        let found = try Airline.filter(\.name == imitation.name)
            .resolve(in: store)
        return (refusal, found)
    }

    static let update = Section(
        "An update: the index follows, in the same transaction",
        code: """
            let (before, found) = try store.write { context in
                let first = Flight.query(origin: "JFK").limit(1)
                let before = try first.resolve(in: context)
                try first.update(in: context) { $0.departureDelay = 777 }
                let late = Flight.filter(\\.departureDelay == 777)
                return (before, try late.resolve(in: context))
            }
            """,
        run: updateOfAFlight
    ) { before, found in
        Table(
            ["flight", "minutes late before", "after"],
            rows: before.map { flight in
                let after = found.first { $0.indexKey == flight.indexKey }
                return [
                    "\(flight.carrier) \(flight.number)", text(flight.departureDelay),
                    after.map { text($0.departureDelay) } ?? "not found",
                ]
            })
    }

    private static func updateOfAFlight(in store: Store) throws -> (before: [Flight], found: [Flight]) {
        let (before, found) = try store.write { context in
            let first = Flight.query(origin: "JFK").limit(1)
            let before = try first.resolve(in: context)
            try first.update(in: context) { $0.departureDelay = 777 }
            let late = Flight.filter(\.departureDelay == 777)
            return (before, try late.resolve(in: context))
        }
        return (before, found)
    }

    static let rollback = Section(
        "A transaction that throws leaves no trace",
        code: """
            let before = try Flight.query(origin: "JFK").count(in: store)
            var inside = before
            do {
                try store.write { context in
                    try Flight.delete(in: context, origin: "JFK")
                    inside = try Flight.query(origin: "JFK").count(in: context)
                    throw ChangedMind()
                }
            } catch is ChangedMind {}
            let after = try Flight.query(origin: "JFK").count(in: store)
            """,
        run: countsAroundARollback
    ) { counts in
        Table(["JFK before", "inside", "after"], rows: [counts.map(\.grouped)])
    }

    private static func countsAroundARollback(in store: Store) throws -> [Int] {
        let before = try Flight.query(origin: "JFK").count(in: store)
        var inside = before
        do {
            try store.write { context in
                try Flight.delete(in: context, origin: "JFK")
                inside = try Flight.query(origin: "JFK").count(in: context)
                throw ChangedMind()
            }
        } catch is ChangedMind {}
        let after = try Flight.query(origin: "JFK").count(in: store)
        return [before, inside, after]
    }

    static let nested = Section(
        "A nested transaction that throws is rolled back alone",
        code: """
            try store.write { context in
                try context.insert(Airline(carrier: "Z1", name: "Kept Airways"))
                do {
                    try context.nested { inner in
                        try inner.insert(Airline(carrier: "Z2", name: "Lost Airways"))
                        throw ChangedMind()
                    }
                } catch is ChangedMind {}
            }
            let airlines = try Airline.select(in: store, carrier: .hasPrefix("Z"))
            """,
        run: airlinesAfterANestedRollback
    ) { airlines in
        Table(["carrier", "name"], rows: airlines.map { [$0.carrier, $0.name] })
    }

    private static func airlinesAfterANestedRollback(in store: Store) throws -> [Airline] {
        try store.write { context in
            try context.insert(Airline(carrier: "Z1", name: "Kept Airways"))
            do {
                try context.nested { inner in
                    try inner.insert(Airline(carrier: "Z2", name: "Lost Airways"))
                    throw ChangedMind()
                }
            } catch is ChangedMind {}
        }
        let airlines = try Airline.select(in: store, carrier: .hasPrefix("Z"))
        return airlines
    }
}
