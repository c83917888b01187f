// The Swift samples of Sources/Trove/Trove.docc/Trove.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Sources/Trove/Trove.docc/Trove.md:12
@IndexKeyRecord("lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
    var age: Int
}

enum Trove_Overview {
    @Sendable static func run() throws {
        // Sources/Trove/Trove.docc/Trove.md:10


        let store = try Store(path: samplePath("people.trove"), records: [Person.self])
        try store.write { context in
            try context.insert(Person(lastName: "Dallas", firstName: "Korben", age: 45))
        }
        let found = try store.read { context in
            try Person.select(in: context, lastName: "Dallas", firstName: .lessThanOrEqual("Ruby"))
        }
        expectOutput(found.map(\.age), is: #"[45]"#, at: "Sources/Trove/Trove.docc/Trove.md:26")
        _ = store
        _ = found
    }
}
