// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:499
@IndexKeyRecord(keyPrefix: 5, "id")
private struct FirstUser {
    let id: Int
    var email: String
}

// Docs/DataModeling.md:513
@IndexKeyRecord(keyPrefix: 5, "id")
private struct User {
    #Unique<User>(\.email, collisions: .throw)

    let id: Int
    var email: String
}

enum DataModeling_RecordsThatContradictAConstraint {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:499

        do {
            let store = try Store(path: samplePath("users.trove"), records: [FirstUser.self])
            try store.insert(contentsOf: [
                FirstUser(id: 1, email: "korben@example.com"), FirstUser(id: 2, email: "ruby@example.com"),
                FirstUser(id: 3, email: "korben@example.com"),
            ])
        }


        let store = try Store(path: samplePath("users.trove"), records: [User.self])
        expectOutput(try User.filter(\.email == "korben@example.com").keys(in: store), is: #"[1, 3]"#, at: "Docs/DataModeling.md:522")
        expectOutput(try store.check(User.self).count, is: #"1"#, at: "Docs/DataModeling.md:523")
        try store.insert(User(id: 3, email: "leeloo@example.com"))
        expectOutput(try store.check(User.self), is: #"[]"#, at: "Docs/DataModeling.md:525")
        try store.finishMigrations()
        _ = store
    }
}
