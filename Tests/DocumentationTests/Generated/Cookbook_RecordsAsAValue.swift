// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2087
@EntityModel
private struct Board {
    let id: Int
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \.board) var cards: [Card]?
}

// Docs/Cookbook.md:2094
@EntityModel
private struct Card {
    let id: Int
    var text: String
    @Relationship(inverse: \.cards) var board: Board?
}

enum Cookbook_RecordsAsAValue {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2087


        var boards = MemoryStore()
        try boards.insert(Board(id: 1, title: "Garden", cards: .relation([Card(id: 1, text: "Dig")])))
        let before = boards
        try boards.delete(Board.self, key: 1)
        expectOutput(try Card.query().count(in: boards), is: #"0"#, at: "Docs/Cookbook.md:2105")
        expectOutput(try Card.query().count(in: before), is: #"1"#, at: "Docs/Cookbook.md:2106")
        _ = boards
        _ = before
    }
}
