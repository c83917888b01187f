// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:72
@IndexKeyRecord("name")
private struct Person {
    let name: String
    let age: Int
}

enum Cookbook_InsertAndFind {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:70


        let store = try Store(path: samplePath("people.trove"))

        try store.write { context in
            try context.insert(Person(name: "Korben", age: 45))
            try context.insert(Person(name: "Leeloo", age: 2000))
        }

        let records = try store.read { context in
            try Person.select(in: context, limit: 1, name: .lessThan("Zorg"))
        }
        expectOutput(records.map(\.name), is: #"["Leeloo"]"#, at: "Docs/Cookbook.md:88")
        // Docs/Cookbook.md:94
        try store.insert(Person(name: "Ruby", age: 30))
        let ruby = try Person.get(in: store, name: "Ruby")
        expectOutput(ruby?.age ?? 0, is: #"30"#, at: "Docs/Cookbook.md:96")
        _ = store
        _ = records
        _ = ruby
    }
}
