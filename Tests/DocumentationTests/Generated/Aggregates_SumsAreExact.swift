// The Swift samples of Docs/Aggregates.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Aggregates.md:94
@IndexKeyRecord("id")
private struct Reading {
    #Totals<Reading>(of: \.value)

    let id: Int
    var value: Double
}

enum Aggregates_SumsAreExact {
    @Sendable static func run() throws {
        // Docs/Aggregates.md:92


        let store = try Store.temporary(records: [Reading.self])
        try store.insert(contentsOf: (1...10).map { Reading(id: $0, value: 0.1) })
        expectOutput(try Reading.query().sum(of: \.value).resolve(in: store), is: #"1.0"#, at: "Docs/Aggregates.md:104")
        expectOutput((1...10).reduce(0) { sum, _ in sum + 0.1 }, is: #"0.9999999999999999"#, at: "Docs/Aggregates.md:105")

        try store.insert(Reading(id: 11, value: 1e300))
        try store.delete(Reading.self, key: 11)
        expectOutput(try Reading.query().sum(of: \.value).resolve(in: store), is: #"1.0"#, at: "Docs/Aggregates.md:109")
        _ = store
    }
}
