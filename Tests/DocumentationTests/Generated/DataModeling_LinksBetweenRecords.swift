// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:1105
@IndexKeyRecord("code")
private struct Airline {
    let code: String
    let name: String
}

enum DataModeling_LinksBetweenRecords {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:1101
        let store = try Store.temporary()
        // Docs/DataModeling.md:1105

        let airline = try Airline.get(in: store, code: "UA")
        expectOutput(airline?.name ?? "unknown", is: #"unknown"#, at: "Docs/DataModeling.md:1112")
        _ = store
        _ = airline
    }
}
