// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:354
@IndexKeyRecord("id")
private struct User {
    #Unique<User>(\.email, collisions: .throw)
    #Unique<User>(\.username, collisions: .upsert)
    #Unique<User>(\.firstName, \.lastName, collisions: .ignore)
    #Unique<User>(\.isCurrent, collisions: .custom { context, new, existing in
        var former = existing
        former.isCurrent = false
        try context.insert(former)
    }, where: { $0.isCurrent })

    let id: Int
    var email: String?
    var username: String
    var firstName: String?
    var lastName: String?
    var isCurrent: Bool = false
}

enum DataModeling_UniqueValues {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:354

        let store = try Store(path: samplePath("users.trove"), records: [User.self])
        try store.insert(User(id: 1, email: "korben@example.com", username: "korben", isCurrent: true))
        try store.insert(User(id: 2, username: "leeloo", isCurrent: true))
        expectOutput(try User.filter(\.isCurrent == true).keys(in: store), is: #"[2]"#, at: "Docs/DataModeling.md:376")
        // Docs/DataModeling.md:407
        try store.insert(contentsOf: [
            User(id: 1, email: "leeloo@example.com", username: "korben"),
            User(id: 2, email: "korben@example.com", username: "leeloo"),
        ])
        try User.filter(\.email != nil).update(in: store) { user in
            user.email = user.email == "leeloo@example.com" ? "korben@example.com" : "leeloo@example.com"
        }
        expectOutput(try User.filter(\.email == "korben@example.com").keys(in: store), is: #"[1]"#, at: "Docs/DataModeling.md:414")

        do {
            try store.insert(User(id: 3, email: "korben@example.com", username: "ruby"))
        } catch StoreError.record(.notUnique(let type, let index, _, let existing)) {
            expectOutput(type, index, is: #"User unique(email)"#, at: "Docs/DataModeling.md:419")
            expectOutput(existing, existing.value(as: User.self) ?? 0, is: #"id: 1 1"#, at: "Docs/DataModeling.md:420")
        }
        _ = store
    }
}
