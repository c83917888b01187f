// The Swift samples of Docs/SQL.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove
import TroveSQL

// Docs/SQL.md:496
@IndexKeyRecord("id")
private struct Item {
    #Index<Item>(\.tags.each)

    let id: Int
    var name: String
    var tags: [String]
    var prices: [String: Double]
}

enum SQL_ElementsOfProperties {
    @Sendable static func run() throws {
        // Docs/SQL.md:494


        let store = try Store.temporary(records: [Item.self])
        try store.insert(contentsOf: [
            Item(id: 1, name: "Lamp", tags: ["new", "red"], prices: ["EUR": 30, "USD": 33]),
            Item(id: 2, name: "Chair", tags: ["red"], prices: ["EUR": 80]),
        ])

        let counts = try store.sql(
            #"SELECT value, count(*) FROM "Item.tags" GROUP BY value ORDER BY 2 DESC"#, as: (String, Int).self)
        expectOutput(counts.map(\.0), is: #"["red", "new"]"#, at: "Docs/SQL.md:514")
        let tag = "new"
        let names = try store.sql(
            #"SELECT name FROM "Item.tags" t JOIN Item i ON i.id = t.id WHERE t.value = \#(tag)"#, as: String.self)
        expectOutput(names, is: #"["Lamp"]"#, at: "Docs/SQL.md:518")
        let dear = try store.sql(
            #"SELECT id FROM "Item.prices" WHERE key = 'EUR' AND value > \#(50)"#, as: Int.self)
        expectOutput(dear, is: #"[2]"#, at: "Docs/SQL.md:521")
        _ = store
        _ = counts
        _ = tag
        _ = names
        _ = dear
    }
}
