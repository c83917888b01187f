// The Swift samples of Docs/Observation.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Observation.md:221
@IndexKeyRecord("city", "id")
private struct Order {
    let city: String
    let id: Int
    var total: Int
}

// Docs/Observation.md:228
private struct Revenue: StoreRequest {
    var city: String

    func value(in context: ReadContext) throws -> Int {
        try Order.query(city: city).sum(of: \.total).resolve(in: context)
    }
}

enum Observation_RequestsOfYourOwn {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Observation.md:219



            let store = try await Store.temporary(records: [Order.self])
            try await store.insert(Order(city: "Oslo", id: 1, total: 5))
            // Docs/Observation.md:241
            for try await revenue in Revenue(city: "Oslo").values(in: store) {
                expectOutput(revenue, is: #"5"#, at: "Docs/Observation.md:242")
                break
            }
            _ = store
        }
    }
}
