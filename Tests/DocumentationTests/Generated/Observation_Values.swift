// The Swift samples of Docs/Observation.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Observation.md:28
@IndexKeyRecord("id")
private struct User {
    #Index<User>(\.age)

    let id: Int
    var name: String
    var age: Int
}

enum Observation_Values {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Observation.md:26


            let store = try await Store.temporary(records: [User.self])
            try await store.insert(contentsOf: [
                User(id: 1, name: "Korben", age: 45), User(id: 2, name: "Leeloo", age: 17), User(id: 3, name: "Ruby", age: 30),
            ])
            // Docs/Observation.md:44
            for try await users in User.filter(\.age >= 18).sorted(by: \.name).values(in: store) {
                print(users.map(\.name).joined(separator: " "))
                if users.count == 3 { break }
                try await store.write { context in
                    try User.filter(\.name == "Leeloo").update(in: context) { $0.age = 18 }
                }
            }
            // Docs/Observation.md:62
            let calm = User.query().count.values(in: store).spaced(by: .milliseconds(100))
            for try await count in calm {
                expectOutput(count, is: #"3"#, at: "Docs/Observation.md:64")
                break
            }
            _ = store
            _ = calm
        }
    }
}
