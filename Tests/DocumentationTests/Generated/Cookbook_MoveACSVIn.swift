// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2475
@IndexKeyRecord("name")
private struct Person {
    #Index<Person>(\.age)

    let name: String
    var age: Int?
}

// Docs/Cookbook.md:2496
private func load(_ lines: some AsyncSequence<String, any Error> & Sendable, into store: Store) async throws {
    let report = try await store.load(.csv, from: lines, onConflict: .replace, type: "Person") { progress in
        print(progress.lines, progress.records)
    }
    print(report)
}

enum Cookbook_MoveACSVIn {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2475

        let store = try Store.temporary(records: [Person.self])

        let text = "name,age\nZorg,62\nVito,"
        try store.load(.csv, from: text.split(separator: "\n"), type: "Person")
        for person in try Person.query().resolve(in: store) {
            print(person.name, person.age ?? 0)
        }
        _ = store
        _ = text
    }
}
