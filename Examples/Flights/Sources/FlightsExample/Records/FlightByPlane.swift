// A copy of the flights, sorted by plane.

import Foundation
import Trove

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
