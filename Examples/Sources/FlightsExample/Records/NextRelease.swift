// The records of a later release of this program, for the migration at the end of the tour.

import Foundation
import Trove

/// The next release of this program, with its own declaration of a flight.
enum NextRelease {
    /// A ``FlightsExample/Flight`` with a renamed, a converted and two new properties, and another index.
    ///
    /// In a program with a single release, the struct keeps its name and needs no `keyPrefix`. Here both declarations
    /// are in one program, and the number tells that they are the same type: it is the hash of the name `Flight`.
    @IndexKeyRecord(keyPrefix: 0x0046_A0F0, "origin", "scheduledDeparture", "carrier", "number")
    struct Flight: Hashable {
        #Index<Flight>(\.plane, \.scheduledDeparture)
        #Index<Flight>(\.departureDelay)
        #Index<Flight>(\.destination, \.departureDelay.desc)

        let origin: String
        let scheduledDeparture: Date
        let carrier: String
        let number: Int
        let destination: String
        @Renamed("tailNumber") let plane: String?
        var departureDelay: Int?
        var arrivalDelay: Int?
        let minutesInAir: Int?
        let miles: Double
        var gate: String?
        var isCodeshare: Bool = false
    }
}
