// The Swift samples of Docs/ComingFrom.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/ComingFrom.md:39
@IndexKeyRecord("id")
private struct Player {
    #Index<Player>(\.score.desc)
    #Unique<Player>(\.email, collisions: .throw)

    let id: Int
    var name: String
    var email: String?
    var score: Int
}

enum ComingFrom_WhatIsDifferentEverywhere {
    @Sendable static func run() throws {
        // Docs/ComingFrom.md:39

        let store = try Store(path: samplePath("game.trove"), records: [Player.self])
        try store.insert(Player(id: 1, name: "Arthur", email: nil, score: 100))
        expectOutput(try Player.get(in: store, id: 1)?.name ?? "nobody", is: #"Arthur"#, at: "Docs/ComingFrom.md:52")
        expectOutput(try Player.filter(\.score >= 50).sorted(by: \.score.desc).limit(10).count(in: store), is: #"1"#, at: "Docs/ComingFrom.md:53")
        _ = store
    }
}
