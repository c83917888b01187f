// The part of the tour with changes: an update, a rolled-back transaction, and a rolled-back nested transaction.

import Trove

/// The error for rolling a transaction back in this tour.
private struct ChangedMind: Error {}

extension Tour {
    static let update = Section(
        "An update: a new delay changes the flight and moves its two copies, in one transaction",
        code: """
            let (old, new) = try store.write { context in
                guard let old = try Flight.query(origin: "JFK").first(in: context) else { throw ChangedMind() }
                var new = old
                new.departureDelay = 777
                try Flight.replace(old, with: new, in: context)
                return (old, new)
            }
            let found = try FlightByDelay.select(in: store, delay: 777)
            """,
        run: updateOfAFlight
    ) { old, new, found in
        Table(
            ["flight", "minutes late before", "after", "found by its new delay"],
            rows: [
                [
                    "\(old.carrier) \(old.number)", text(old.departureDelay), text(new.departureDelay),
                    found.contains { $0.flightKey == new.indexKey } ? "yes" : "no",
                ]
            ])
    }

    private static func updateOfAFlight(in store: Store) throws -> (old: Flight, new: Flight, found: [FlightByDelay]) {
        let (old, new) = try store.write { context in
            guard let old = try Flight.query(origin: "JFK").first(in: context) else { throw ChangedMind() }
            var new = old
            new.departureDelay = 777
            try Flight.replace(old, with: new, in: context)
            return (old, new)
        }
        let found = try FlightByDelay.select(in: store, delay: 777)
        return (old, new, found)
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
                        try inner.insert(Airline(carrier: "Z2", name: "Forgotten Airways"))
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
                    try inner.insert(Airline(carrier: "Z2", name: "Forgotten Airways"))
                    throw ChangedMind()
                }
            } catch is ChangedMind {}
        }
        let airlines = try Airline.select(in: store, carrier: .hasPrefix("Z"))
        return airlines
    }
}
