// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:105
@IndexKeyRecord("lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
    var age: Int
}

enum Cookbook_Ranges {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:105

        let store = try Store.temporary()
        try store.write { context in
            try context.insert(contentsOf: [
                Person(lastName: "Dallas", firstName: "Korben", age: 45),
                Person(lastName: "Dallas", firstName: "Lisa", age: 70),
                Person(lastName: "Rhod", firstName: "Ruby", age: 30),
                Person(lastName: "Zorg", firstName: "Jean-Baptiste", age: 52),
            ])
        }

        try store.read { context in
            // A scan on the first component.
            let above = try Person.select(in: context, lastName: .greaterThan("Dallas"))
            expectOutput(above.map(\.firstName), is: #"["Ruby", "Jean-Baptiste"]"#, at: "Docs/Cookbook.md:125")

            // The first component fixed, a scan on the second. `lessThan…` goes down from its bound.
            let dallas = try Person.select(in: context, lastName: "Dallas", firstName: .lessThanOrEqual("Lisa"))
            expectOutput(dallas.map(\.firstName), is: #"["Lisa", "Korben"]"#, at: "Docs/Cookbook.md:129")

            // The same, going up.
            let upward = try Person.select(
                in: context, order: .ascending, lastName: "Dallas", firstName: .lessThanOrEqual("Lisa"))
            expectOutput(upward.map(\.firstName), is: #"["Korben", "Lisa"]"#, at: "Docs/Cookbook.md:134")
        }
        // Docs/Cookbook.md:152
        try store.read { context in
            let some = try Person.select(in: context, lastName: .within(["Zorg", "Rhod", "Nobody"]))
            expectOutput(some.map(\.lastName), is: #"["Rhod", "Zorg"]"#, at: "Docs/Cookbook.md:154")

            let prefixed = try Person.select(in: context, lastName: "Dallas", firstName: .hasPrefix("Ko"))
            expectOutput(prefixed.map(\.firstName), is: #"["Korben"]"#, at: "Docs/Cookbook.md:157")

            let everybody = try Person.select(in: context)
            expectOutput(everybody.count, is: #"4"#, at: "Docs/Cookbook.md:160")
        }
        _ = store
    }
}
