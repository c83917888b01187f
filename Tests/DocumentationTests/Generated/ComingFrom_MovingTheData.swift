// The Swift samples of Docs/ComingFrom.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/ComingFrom.md:368
private struct OldPlayers: Sequence, IteratorProtocol {  // stands for a cursor of the old library
    var id = 0
    mutating func next() -> Player? {
        guard id < 25_000 else { return nil }
        id += 1
        return Player(id: id, name: "Player \(id)")
    }
}

// Docs/ComingFrom.md:377
@IndexKeyRecord("id")
private struct Player {
    let id: Int
    var name: String
}

enum ComingFrom_MovingTheData {
    @Sendable static func run() throws {
        // Docs/ComingFrom.md:368


        let store = try Store(path: samplePath("game.trove"), records: [Player.self])
        var batch: [Player] = []
        for player in OldPlayers() {
            batch.append(player)
            if batch.count == 10_000 {
                try store.insert(contentsOf: batch)
                batch.removeAll(keepingCapacity: true)
            }
        }
        try store.insert(contentsOf: batch)
        expectOutput(try Player.query().count(in: store), is: #"25000"#, at: "Docs/ComingFrom.md:393")
        _ = store
        _ = batch
    }
}
