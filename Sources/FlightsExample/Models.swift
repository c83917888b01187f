// The records of the demo. Each key is chosen for a query of the demo, not only for uniqueness.

import Foundation
import Trove

/// An airline, found by its carrier code.
@IndexKeyRecord("carrier")
struct Airline: Hashable {
    let carrier: String
    let name: String
}

/// An airport, found by its FAA code.
@IndexKeyRecord("faa")
struct Airport: Hashable {
    let faa: String
    let name: String
    let latitude: Double
    let longitude: Double
    let altitude: Int
}

/// A plane, found by its tail number.
@IndexKeyRecord("tailNumber")
struct Plane: Hashable {
    let tailNumber: String
    let built: Int?
    let manufacturer: String
    let model: String
    let engines: Int
    let seats: Int
}

/// A flight. Its key serves the query "what leaves this airport in this span of time, in order?"
///
/// The carrier and the number only make the key unique.
@IndexKeyRecord("origin", "scheduledDeparture", "carrier", "number")
struct Flight: Hashable {
    let origin: String
    let scheduledDeparture: Date
    let carrier: String
    let number: Int
    let destination: String
    let tailNumber: String?
    /// Minutes late at departure; nil when the flight was cancelled.
    var departureDelay: Int?
    var arrivalDelay: Int?
    let minutesInAir: Int?
    let miles: Int
}

/// The same flight in another order, for the query "where has this plane been?"
///
/// It repeats the fields of the result, so that no second read is needed.
@IndexKeyRecord("tailNumber", "scheduledDeparture", "carrier", "number")
struct FlightByPlane: Hashable {
    let tailNumber: String
    let scheduledDeparture: Date
    let carrier: String
    let number: Int
    let origin: String
    let destination: String
    let departureDelay: Int?
}

/// The same flight in a third order, for the query "which flights were this late?"
///
/// It contains only a key, and stays small. The whole flight is read by `flightKey`.
@IndexKeyRecord("delay", "origin", "scheduledDeparture", "carrier", "number")
struct FlightByDelay: Hashable {
    let delay: Int
    let origin: String
    let scheduledDeparture: Date
    let carrier: String
    let number: Int

    /// The key of the flight that this record points to.
    var flightKey: Flight.IndexKey { Tuple(origin, scheduledDeparture, carrier, number) }
}

/// A completely loaded data file: a second run on the same store does not load it again.
@IndexKeyRecord("name")
struct LoadedFile: Hashable {
    let name: String
    let rows: Int
}
