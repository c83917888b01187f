// The Swift samples of Docs/Observation.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Observation.md:185
@IndexKeyRecord("id")
private struct Order {
    let id: Int
    var city: String
    var total: Int
}

enum Observation_Closures {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Observation.md:183


            let store = try await Store.temporary(records: [Order.self])
            try await store.insert(Order(id: 1, city: "Oslo", total: 5))
            // Docs/Observation.md:197
            let totals = store.observe { context in
                try Order.query().grouped(by: \.city).sum(of: \.total).resolve(in: context)
            }
            var values = totals.makeAsyncIterator()
            expectOutput(try await values.next()?.map(\.value) ?? [], is: #"[5]"#, at: "Docs/Observation.md:201")
            try await store.insert(Order(id: 2, city: "Rome", total: 7))
            expectOutput(try await values.next()?.map(\.value) ?? [], is: #"[5, 7]"#, at: "Docs/Observation.md:203")
            _ = store
            _ = totals
            _ = values
        }
    }
}
