// A list of the flights, sorted by delay.

import Foundation
import Trove

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
