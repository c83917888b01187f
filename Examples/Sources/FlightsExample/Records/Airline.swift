// The airlines of the demo.

import Trove

/// An airline, found by its carrier code. No two airlines have the same name.
@IndexKeyRecord("carrier")
struct Airline: Hashable {
    #Unique<Airline>(\.name, collisions: .throw)

    let carrier: String
    let name: String
}

extension Airline {
    /// Reads a row of `airlines.csv`.
    init(row: CSVRow) throws {
        self.init(carrier: try row.text("carrier"), name: try row.text("name"))
    }
}
