// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:195
@IndexKeyRecord("id")
private struct Probe {
    let id: Int
    var level: Int?
    var ratio: Double
}

enum Queries_WhatEqualAndLessMean {
    @Sendable static func run() throws {
        // Docs/Queries.md:195

        let store = try Store.temporary()
        try store.insert(contentsOf: [
            Probe(id: 1, level: nil, ratio: .nan), Probe(id: 2, level: 1, ratio: -0.0), Probe(id: 3, level: 5, ratio: 2),
        ])
        expectOutput(try Probe.filter(\.level < 3).keys(in: store), is: #"[2]"#, at: "Docs/Queries.md:206")
        expectOutput(try Probe.filter(!(\.level < 3)).keys(in: store), is: #"[1, 3]"#, at: "Docs/Queries.md:207")
        expectOutput(try Probe.filter(\.level == nil || \.level < 3).keys(in: store), is: #"[1, 2]"#, at: "Docs/Queries.md:208")
        expectOutput(try Probe.filter(\.ratio == 0).keys(in: store), is: #"[2]"#, at: "Docs/Queries.md:209")
        expectOutput(try Probe.filter(\.ratio > 1).keys(in: store), is: #"[1, 3]"#, at: "Docs/Queries.md:210")
        _ = store
    }
}
