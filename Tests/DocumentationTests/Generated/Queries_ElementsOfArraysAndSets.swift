// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:101
@IndexKeyRecord("id")
private struct Item {
    #Index<Item>(\.tags.each)
    #Index<Item>(\.tags.each, \.day.desc)

    let id: Int
    var day: Int
    var tags: Set<String>
    var isPinned: Bool = false
}

enum Queries_ElementsOfArraysAndSets {
    @Sendable static func run() throws {
        // Docs/Queries.md:101

        let store = try Store.temporary()
        try store.insert(contentsOf: (1...200).map { id in
            Item(id: id, day: id % 30, tags: id % 50 == 0 ? ["urgent", "home"] : ["home"], isPinned: id == 100)
        })

        let urgent = Item.filter(.contains(\.tags, "urgent"))
        expectOutput(try urgent.keys(in: store), is: #"[50, 100, 150, 200]"#, at: "Docs/Queries.md:118")
        expectOutput(try urgent.filter(\.isPinned).keys(in: store), is: #"[100]"#, at: "Docs/Queries.md:119")
        expectOutput(try Item.filter(.contains(\.tags, "urgent") && !.contains(\.tags, "home")).count(in: store), is: #"0"#, at: "Docs/Queries.md:120")

        let lines = { (query: Query<Item>) in try query.explain(in: store).split(separator: "\n") }
        expectOutput(try lines(urgent)[0], is: #"scan index(tags each) of Item, 1 range: tags contains "urgent""#, at: "Docs/Queries.md:123")
        expectOutput(try lines(urgent.sorted(by: \.day.desc).limit(2))[1], is: #"order: day desc; as stored"#, at: "Docs/Queries.md:124")
        print(try lines(Item.filter(.contains(\.tags, anyOf: ["urgent", "late"])))[0])
        // fetch Item by the keys that any of these has
        _ = store
        _ = urgent
        _ = lines
    }
}
