// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1136
@IndexKeyRecord("lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
}

enum Cookbook_Deleting {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1136

        let store = try Store.temporary()
        try store.write { context in
            let korben = Person(lastName: "Dallas", firstName: "Korben")
            try context.insert(korben)
            try context.insert(Person(lastName: "Dallas", firstName: "Lisa"))
            try context.insert(Person(lastName: "Rhod", firstName: "Ruby"))
            try context.insert(Person(lastName: "Zorg", firstName: "Jean-Baptiste"))

            // A single record: by itself, by its key, by its key's components.
            expectOutput(try context.delete(korben), is: #"true"#, at: "Docs/Cookbook.md:1151")
            expectOutput(try context.delete(Person.self, key: Tuple("Nobody", "")), is: #"false"#, at: "Docs/Cookbook.md:1152")
            expectOutput(try Person.delete(in: context, lastName: "Rhod", firstName: "Ruby"), is: #"1"#, at: "Docs/Cookbook.md:1153")

            // A range of keys.
            expectOutput(try Person.delete(in: context, lastName: .greaterThan("E")), is: #"1"#, at: "Docs/Cookbook.md:1156")
            expectOutput(try Person.query().count(in: context), is: #"1"#, at: "Docs/Cookbook.md:1157")
        }
        _ = store
    }
}
