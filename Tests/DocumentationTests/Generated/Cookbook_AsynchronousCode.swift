// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:434
@IndexKeyRecord("name")
private struct Person {
    let name: String
    let age: Int
}

// Docs/Cookbook.md:440
private func oldest(in store: Store) async throws -> String? {
    try await store.withTransaction { context in
        try context.insert(Person(name: "Korben", age: 45))
        try context.insert(Person(name: "Leeloo", age: 2000))
    }
    return try await store.read { context in
        try Person.query().select(in: context).max { $0.age < $1.age }?.name
    }
}

enum Cookbook_AsynchronousCode {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Cookbook.md:434


            let store = try Store.temporary()
            expectOutput(try await oldest(in: store) ?? "nobody", is: #"Leeloo"#, at: "Docs/Cookbook.md:451")
            _ = store
        }
    }
}
