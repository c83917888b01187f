// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:441
@IndexKeyRecord("id")
private struct Place {
    #Index<Place>(\.strip, \.longitude)

    let id: Int
    var name: String
    let latitude: Double
    let longitude: Double
    let strip: Int
}

// Docs/Cookbook.md:452
extension Place {
    /// The strip of a latitude: a tenth of a degree, about 11 km.
    static func strip(_ latitude: Double) -> Int { Int((latitude * 10).rounded(.down)) }

    init(id: Int, name: String, _ latitude: Double, _ longitude: Double) {
        self.init(
            id: id, name: name, latitude: latitude, longitude: longitude, strip: Place.strip(latitude))
    }

    static func within(_ latitudes: ClosedRange<Double>, _ longitudes: ClosedRange<Double>) -> Query<Place> {
        let strips = strip(latitudes.lowerBound)...strip(latitudes.upperBound)
        return filter(
            .within(\.strip, Array(strips)) && .between(\.longitude, longitudes) && .between(\.latitude, latitudes))
    }
}

enum Cookbook_ABoundingBox {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:441


        let store = try Store.temporary(records: [Place.self])
        try store.insert(contentsOf: [
            Place(id: 1, name: "Harbor", 59.905, 10.75), Place(id: 2, name: "Castle", 59.917, 10.727),
            Place(id: 3, name: "Airport", 60.19, 11.1), Place(id: 4, name: "Bergen", 60.39, 5.32),
        ])
        try store.insert(contentsOf: (5...500).map { Place(id: $0, name: "Farm", Double($0 % 50), Double($0 % 90)) })

        let box = Place.within(59.85...59.95, 10.7...10.8)
        expectOutput(try box.select(\.name).resolve(in: store).sorted(), is: #"["Castle", "Harbor"]"#, at: "Docs/Cookbook.md:476")
        print(try box.explain(in: store).split(separator: "\n")[0])
        // scan index(strip,longitude) of Place, 2 ranges: strip within [598, 599] and longitude between 10.7 and 10.8
        _ = store
        _ = box
    }
}
