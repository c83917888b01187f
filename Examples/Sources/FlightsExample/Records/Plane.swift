// The planes of the demo.

import Trove

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

extension Plane {
    /// Reads a row of `planes.csv`.
    init(row: CSVRow) throws {
        self.init(
            tailNumber: try row.text("tailnum"), built: try row.optional("year"),
            manufacturer: try row.text("manufacturer"), model: try row.text("model"),
            engines: try row.number("engines"), seats: try row.number("seats"))
    }
}
