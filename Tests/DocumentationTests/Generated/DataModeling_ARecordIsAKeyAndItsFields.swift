// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:26
@IndexKeyRecord("lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
    var age: Int
}

enum DataModeling_ARecordIsAKeyAndItsFields {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:74
        let store = try Store(path: samplePath("people.trove"))
        try store.write { context in
            try context.insert(Person(lastName: "Dallas", firstName: "Korben", age: 45))
            try context.insert(Person(lastName: "Rhod", firstName: "Ruby", age: 30))
            try context.insert(Person(lastName: "Zorg", firstName: "Jean-Baptiste", age: 52))
        }
        let before = try Person.select(in: store, lastName: .lessThan("Zorg"))
        expectOutput(before.map(\.firstName), is: #"["Ruby", "Korben"]"#, at: "Docs/DataModeling.md:81")
        _ = store
        _ = before
    }
}
