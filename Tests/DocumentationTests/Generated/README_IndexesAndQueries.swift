// The Swift samples of README.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// README.md:207
@IndexKeyRecord("id")
private struct User {
    #Index<User>(\.age)
    #Index<User>(\.lastName, \.firstName)
    #Unique<User>(\.email, collisions: .throw)
    #Unique<User>(\.username, collisions: .upsert)

    enum Status: String, Codable { case active, invited }

    let id: UUID
    var firstName: String
    var lastName: String
    var age: Int
    var email: String?
    var username: String
    var status: Status
}

enum README_IndexesAndQueries {
    @Sendable static func run() throws {
        // README.md:207

        let store = try Store(path: samplePath("users.trove"), records: [User.self])
        let korben = User(
            id: UUID(), firstName: "Korben", lastName: "Dallas", age: 45, email: "korben@example.com", username: "korben",
            status: .active)
        let lisa = User(
            id: UUID(), firstName: "Lisa", lastName: "Dallas", age: 16, email: nil, username: "lisa", status: .invited)
        try store.insert(contentsOf: [korben, lisa])

        let page = try store.read { context in
            try User.filter(\.age >= 18 && \.status == .active)
                .or(\.lastName == "Dallas")
                .sorted(by: \.lastName, \.firstName.desc)
                .limit(20)
                .resolve(in: context)
        }
        expectOutput(page.map(\.firstName), is: #"["Lisa", "Korben"]"#, at: "README.md:240")

        do {
            try store.insert(
                User(
                    id: UUID(), firstName: "Ruby", lastName: "Rhod", age: 30, email: korben.email, username: "ruby",
                    status: .active))
        } catch StoreError.record(.notUnique(_, let index, _, _)) {
            expectOutput(index, is: #"unique(email)"#, at: "README.md:248")
        }
        _ = store
        _ = korben
        _ = lisa
        _ = page
    }
}
