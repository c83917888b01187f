// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/LiveObjects.md:117
@IndexKeyRecord("id")
private struct User {
    let id: Int
    var name: String
    var age: Int
}

enum LiveObjects_CopiesAndUndo {
    @Sendable static func run() throws {
        // Docs/LiveObjects.md:115


        let store = try Store.temporary(records: [User.self])
        let user = try User.create(User(id: 1, name: "Korben", age: 45), in: store)
        let before = user.value
        user.change { user in
            user.name = "Dallas"  // several properties as one change
            user.age = 46
        }
        user.value = before  // undone
        expectOutput(user.hasChanges, is: #"false"#, at: "Docs/LiveObjects.md:132")

        user.name = "Zorg"
        user.revert()  // back to what is stored
        expectOutput(user.name, is: #"Korben"#, at: "Docs/LiveObjects.md:136")
        _ = store
        _ = user
        _ = before
    }
}
