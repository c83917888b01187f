// The Swift samples of Docs/DataModeling.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/DataModeling.md:440
@IndexKeyRecord(keyPrefix: 4, "id")
private struct FirstUser {
    #Index<FirstUser>(\.age)

    let id: Int
    var name: String
    var age: Int
}

// Docs/DataModeling.md:458
@IndexKeyRecord(keyPrefix: 4, "id")
private struct User {
    #Index<User>(\.name)

    let id: Int
    var name: String
    var age: Int
}

enum DataModeling_WhenIndexesChange {
    @Sendable static func run() throws {
        // Docs/DataModeling.md:440

        do {
            let store = try Store(path: samplePath("users.trove"), records: [FirstUser.self])
            try store.insert(FirstUser(id: 1, name: "Ruby", age: 30))
        }
        // Docs/DataModeling.md:458

        let store = try Store(path: samplePath("users.trove"), records: [User.self])
        expectOutput(try User.filter(\.name == "Ruby").keys(in: store), is: #"[1]"#, at: "Docs/DataModeling.md:468")
        do {
            try store.insert(User(id: 2, name: "Leeloo", age: 2000))
        } catch StoreError.schema(.schemaNewer(_, _, _, _, let indexes)) {
            expectOutput(indexes, is: #"["index(age)"]"#, at: "Docs/DataModeling.md:472")
        }

        // Drops the old index, and builds the new one.
        expectOutput(try store.dropUndeclaredIndexes(), is: #"["User, index(age)"]"#, at: "Docs/DataModeling.md:476")
        try store.insert(User(id: 2, name: "Leeloo", age: 2000))
        _ = store
    }
}
