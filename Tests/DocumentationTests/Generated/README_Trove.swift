// The Swift samples of README.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// README.md:11
@IndexKeyRecord("lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
    var age: Int
}

enum README_Trove {
    @Sendable static func run() throws {
        // README.md:9


        let store = try Store(path: samplePath("people.trove"), records: [Person.self])
        try store.write { context in
            try context.insert(Person(lastName: "Dallas", firstName: "Korben", age: 45))
            try context.insert(Person(lastName: "Dallas", firstName: "Zoe", age: 70))
        }

        let people = try store.read { context in
            try Person.select(in: context, limit: 10, lastName: "Dallas", firstName: .lessThanOrEqual("Ruby"))
        }
        expectOutput(people.map(\.firstName), is: #"["Korben"]"#, at: "README.md:27")
        _ = store
        _ = people
    }
}
