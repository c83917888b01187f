// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1060
@IndexKeyRecord("id")
private struct User {
    #Unique<User>(\.username, collisions: .upsert)
    #Unique<User>(\.email, collisions: .throw)
    #Unique<User>(\.isCurrent, collisions: .updateCurrentUser)

    let id: String
    var username: String
    var email: String
    var isCurrent: Bool = false
}

// Docs/Cookbook.md:1072
private extension CollisionRule<User> {
    static var updateCurrentUser: CollisionRule {
        .custom { context, new, existing in
            guard var user = try User.get(in: context, id: existing.id), user.isCurrent else { return }
            user.isCurrent = false
            try context.insert(user)
        }
    }
}

enum Cookbook_ACollisionRuleWithAName {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1060


        let store = try Store(path: samplePath("users.trove"), records: [User.self])
        try store.insert(User(id: "1", username: "korben", email: "korben@example.com", isCurrent: true))
        try store.insert(User(id: "2", username: "leeloo", email: "leeloo@example.com", isCurrent: true))
        expectOutput(try User.filter(\.isCurrent == true).keys(in: store), is: #"["2"]"#, at: "Docs/Cookbook.md:1085")
        expectOutput(try User.query().count(in: store), is: #"2"#, at: "Docs/Cookbook.md:1086")
        _ = store
    }
}
