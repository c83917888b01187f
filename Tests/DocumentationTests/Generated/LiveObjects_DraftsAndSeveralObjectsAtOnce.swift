// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/LiveObjects.md:84
@IndexKeyRecord("id")
private struct User {
    let id: Int
    var name: String
    var age: Int
}

enum LiveObjects_DraftsAndSeveralObjectsAtOnce {
    @Sendable static func run() throws {
        // Docs/LiveObjects.md:82


        let store = try Store.temporary(records: [User.self])
        let first = User.draft(User(id: 1, name: "Korben", age: 45), in: store)
        let second = User.draft(User(id: 2, name: "Leeloo", age: 0), in: store)
        second.age = 2000
        expectOutput(store.live.unsavedCount, is: #"2"#, at: "Docs/LiveObjects.md:95")
        try User.saveChanges(in: store)  // all changed users, in one transaction
        first.age = 46
        try store.live.saveAllChanges()  // all changed objects of all types
        expectOutput(store.live.unsavedCount, is: #"0"#, at: "Docs/LiveObjects.md:99")
        _ = store
        _ = first
        _ = second
    }
}
