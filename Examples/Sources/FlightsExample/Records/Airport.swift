// The airports of the demo.

import Trove

/// An airport, found by its FAA code.
@IndexKeyRecord("faa")
struct Airport: Hashable {
    let faa: String
    let name: String
    let latitude: Double
    let longitude: Double
    let altitude: Int
}

extension Airport {
    /// Reads a row of `airports.csv`.
    init(row: CSVRow) throws {
        self.init(
            faa: try row.text("faa"), name: try row.text("name"), latitude: try row.number("lat"),
            longitude: try row.number("lon"), altitude: try row.number("alt"))
    }
}
