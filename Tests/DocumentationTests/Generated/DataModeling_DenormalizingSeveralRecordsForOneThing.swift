// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:538
@IndexKeyRecord("origin", "departure", "carrier", "number")
private struct Flight {
    let origin: String
    let departure: Date
    let carrier: String
    let number: Int
    let plane: String
    var delay: Int
}

// Docs/DataModeling.md:548
@IndexKeyRecord("plane", "departure")
private struct FlightByPlane {
    let plane: String
    let departure: Date
    let origin: String
    let carrier: String
    let number: Int
}

// Docs/DataModeling.md:557
extension FlightByPlane {
    init(_ flight: Flight) {
        self.init(
            plane: flight.plane, departure: flight.departure, origin: flight.origin, carrier: flight.carrier,
            number: flight.number)
    }

    var flightKey: Flight.IndexKey { Tuple(origin, departure, carrier, number) }
}

// Docs/DataModeling.md:588
private func insert(_ flight: Flight, in context: TransactionContext) throws {
    try context.insert(flight)
    try context.insert(FlightByPlane(flight))
}

enum DataModeling_DenormalizingSeveralRecordsForOneThing {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:571
        let store = try Store.temporary()
        // Docs/DataModeling.md:575
        let flights = try store.read { context in
            let copies = try FlightByPlane.select(in: context, plane: "N737MQ")
            return try context.get(Flight.self, keys: copies.map(\.flightKey))
        }
        expectOutput(flights.count, is: #"0"#, at: "Docs/DataModeling.md:579")
        _ = store
        _ = flights
    }
}
