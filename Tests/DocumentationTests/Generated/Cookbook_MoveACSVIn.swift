// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1677
@IndexKeyRecord("name")
private struct Person {
    let name: String
    var age: Int?
}

enum Cookbook_MoveACSVIn {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1677

        let store = try Store.temporary()
        try store.insert(Person(name: "Zorg", age: 60))

        var rows = ["name,age", "Zorg,62", "Vito,"].makeIterator()
        try store.load(.csv, onConflict: .replace, type: "Person") { rows.next() }
        for person in try Person.query().select(in: store) {
            print(person.name, person.age ?? 0)
        }
        _ = store
        _ = rows
    }
}
