// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/LiveObjects.md:27
@IndexKeyRecord("id")
private struct User {
    let id: Int
    var name: String
    var age: Int
}

enum LiveObjects_CreateEditSave {
    @Sendable static func run() throws {
        // Docs/LiveObjects.md:25


        let store = try Store.temporary(records: [User.self])
        let user = try User.create(User(id: 1, name: "Korben", age: 45), in: store)  // stored

        user.name = "Dallas"  // all who hold the object see it; not stored yet
        user.age += 1
        expectOutput(user.hasChanges, is: #"true"#, at: "Docs/LiveObjects.md:39")
        try user.save()
        expectOutput(try store.get(User.self, key: 1)?.name ?? "", is: #"Dallas"#, at: "Docs/LiveObjects.md:41")

        let same = try User.live(1, in: store)
        expectOutput(same === user, is: #"true"#, at: "Docs/LiveObjects.md:44")
        let adults = try User.filter(\.age >= 18).live(in: store)
        expectOutput(adults.count, is: #"1"#, at: "Docs/LiveObjects.md:46")
        let ruby = try User.live(3, in: store) { User(id: 3, name: "Ruby", age: 30) }  // get or create
        expectOutput(ruby.name, is: #"Ruby"#, at: "Docs/LiveObjects.md:48")
        // Docs/LiveObjects.md:70
        try ruby.delete()
        expectOutput(ruby.isDeleted, ruby.name, is: #"true Ruby"#, at: "Docs/LiveObjects.md:71")
        _ = store
        _ = user
        _ = same
        _ = adults
        _ = ruby
    }
}
