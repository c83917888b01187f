// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/LiveObjects.md:148
@IndexKeyRecord("id")
private struct User {
    let id: Int
    var name: String
    var age: Int
}

enum LiveObjects_WhenOthersChangeTheRecord {
    @Sendable static func run() throws {
        // Docs/LiveObjects.md:146


        let store = try Store.temporary(records: [User.self])
        let user = try User.create(User(id: 1, name: "Korben", age: 45), in: store)
        user.name = "Dallas"

        try store.insert(User(id: 1, name: "Korben", age: 46))  // elsewhere
        try store.live.refresh()  // objects follow on their own; this reads and delivers at once
        expectOutput(user.name, user.age, is: #"Dallas 46"#, at: "Docs/LiveObjects.md:161")

        try user.save()
        expectOutput(try store.get(User.self, key: 1).map { "\($0.name) \($0.age)" } ?? "", is: #"Dallas 46"#, at: "Docs/LiveObjects.md:164")
        // Docs/LiveObjects.md:188
        user.age = 50
        try store.insert(User(id: 1, name: "Cornelius", age: 46))
        do {
            try user.save(resolving: .throw)
        } catch StoreError.live(.changedElsewhere(_, _, let properties)) {
            expectOutput(properties, is: #"["name"]"#, at: "Docs/LiveObjects.md:193")
        }
        try user.save(resolving: .custom { base, mine, theirs in
            guard let theirs else { return nil }
            return User(id: mine.id, name: theirs.name, age: max(mine.age, theirs.age))
        })
        expectOutput(user.name, user.age, is: #"Cornelius 50"#, at: "Docs/LiveObjects.md:199")
        _ = store
        _ = user
    }
}
