// The Swift samples of Docs/Observation.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Observation.md:211
@IndexKeyRecord("city", "id")
private struct Order {
    let city: String
    let id: Int
    var total: Int
}

// Docs/Observation.md:218
private struct Revenue: StoreRequest {
    var city: String

    func value(in context: ReadContext) throws -> Int {
        try Order.query(city: city).sum(of: \.total, in: context)
    }
}

enum Observation_RequestsOfYourOwn {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        // Docs/Observation.md:209



        let store = try Store.temporary(records: [Order.self])
        try store.insert(Order(city: "Oslo", id: 1, total: 5))
        return {
            // Docs/Observation.md:231
            for try await revenue in Revenue(city: "Oslo").values(in: store) {
                expectOutput(revenue, is: #"5"#, at: "Docs/Observation.md:232")
                break
            }
        }
    }
}
