// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2819
@IndexKeyRecord("lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
}

enum Cookbook_QueriesByHand {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2819

        let store = try Store.temporary()
        try store.insert(Person(lastName: "Dallas", firstName: "Korben"))

        let query = Query<Person>("Dallas", last: .hasPrefix("K"))
        let people = try store.read { context in
            try query.limit(10).order(.descending).resolve(in: context)
        }
        expectOutput(people.count, is: #"1"#, at: "Docs/Cookbook.md:2832")
        _ = store
        _ = query
        _ = people
    }
}
