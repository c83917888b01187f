// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1918
@IndexKeyRecord("name")
private struct Person {
    let name: String
    let age: Int
}

// Docs/Cookbook.md:1924
private func oldest(in store: Store) async throws -> String? {
    try await store.write { context in
        try context.insert(Person(name: "Korben", age: 45))
        try context.insert(Person(name: "Leeloo", age: 2000))
    }
    return try await store.read { context in
        try Person.query().resolve(in: context).max { $0.age < $1.age }?.name
    }
}

enum Cookbook_AsynchronousCode {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Cookbook.md:1918


            let store = try await Store.temporary(records: [Person.self])
            expectOutput(try await oldest(in: store) ?? "nobody", is: #"Leeloo"#, at: "Docs/Cookbook.md:1935")

            try await store.insert(Person(name: "Ruby", age: 30))
            expectOutput(try await Person.filter(\.age < 100).count(in: store), is: #"2"#, at: "Docs/Cookbook.md:1938")
            expectOutput(try await Person.get(in: store, name: "Ruby")?.age ?? 0, is: #"30"#, at: "Docs/Cookbook.md:1939")
            try await store.close()
            _ = store
        }
    }
}
