// The flights of the demo. The key and each index serve a question.

import Foundation
import Trove

/// A flight. Its key serves the query "what leaves this airport in this span of time, in order?"
///
/// The carrier and the number only make the key unique. The first index serves "where has this plane been?", the second
/// "which flights were this late?"
@IndexKeyRecord("origin", "scheduledDeparture", "carrier", "number")
struct Flight: Hashable {
    #Index<Flight>(\.tailNumber, \.scheduledDeparture)
    #Index<Flight>(\.departureDelay)

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

extension Flight {
    /// Reads a row of `flights.csv`. Its instants consist of a full UTC hour and a separate minute.
    init(row: CSVRow) throws {
        let minute: Int = try row.number("minute")
        self.init(
            origin: try row.text("origin"),
            scheduledDeparture: try row.instant("time_hour").addingTimeInterval(Double(minute) * 60),
            carrier: try row.text("carrier"), number: try row.number("flight"), destination: try row.text("dest"),
            tailNumber: try row.optionalText("tailnum"), departureDelay: try row.optional("dep_delay"),
            arrivalDelay: try row.optional("arr_delay"), minutesInAir: try row.optional("air_time"),
            miles: try row.number("distance"))
    }
}
