// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:26
@IndexKeyRecord("id")
private struct User {
    enum Status: String, Codable { case active, invited }

    let id: Int
    var firstName: String
    var lastName: String
    var age: Int
    var status: Status
    var email: String?
}

enum Queries_Filters {
    @Sendable static func run() throws {
        // Docs/Queries.md:24


        let store = try Store.temporary()
        try store.insert(contentsOf: [
            User(id: 1, firstName: "Korben", lastName: "Dallas", age: 45, status: .active, email: "korben@example.com"),
            User(id: 2, firstName: "Lisa", lastName: "Dallas", age: 16, status: .invited, email: nil),
            User(id: 3, firstName: "Ruby", lastName: "Rhod", age: 30, status: .active, email: nil),
            User(id: 4, firstName: "Leeloo", lastName: "Sebat", age: 17, status: .active, email: "leeloo@example.com"),
        ])

        let query = User.filter(\.age >= 18 && \.status == .active || \.lastName == "Dallas")
            .sorted(by: \.lastName, \.firstName.desc)
            .limit(20)
        let users = try store.read { context in
            try query.resolve(in: context)
        }
        expectOutput(users.map(\.firstName), is: #"["Lisa", "Korben", "Ruby"]"#, at: "Docs/Queries.md:52")
        // Docs/Queries.md:60
        let young: Filter<User> = \.age < 18
        let reachable: Filter<User> = \.email != nil
        expectOutput(young || reachable && \.id == 3, is: #"age < 18 or (email != nil and id == 3)"#, at: "Docs/Queries.md:62")
        expectOutput(young.or(reachable).and(\.id == 3), is: #"(age < 18 or email != nil) and id == 3"#, at: "Docs/Queries.md:63")
        expectOutput(!(young && reachable), is: #"not (age < 18 and email != nil)"#, at: "Docs/Queries.md:64")
        _ = store
        _ = query
        _ = users
        _ = young
        _ = reachable
    }
}
