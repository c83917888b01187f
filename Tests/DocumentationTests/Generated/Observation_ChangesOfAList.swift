// The Swift samples of Docs/Observation.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Observation.md:104
@IndexKeyRecord("id")
private struct User {
    let id: Int
    var name: String
}

enum Observation_ChangesOfAList {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Observation.md:102


            let store = try await Store.temporary(records: [User.self])
            try await store.insert(contentsOf: [User(id: 1, name: "Zorg"), User(id: 2, name: "Leeloo")])
            // Docs/Observation.md:115
            var changes = User.query().sorted(by: \.name).changes(in: store).makeAsyncIterator()
            let first = try await changes.next()
            expectOutput(first?.records.map(\.name) ?? [], is: #"["Leeloo", "Zorg"]"#, at: "Docs/Observation.md:117")

            try await store.write { context in
                try context.insert(User(id: 1, name: "Father"))
                try context.insert(User(id: 3, name: "Ruby"))
            }
            if let change = try await changes.next() {
                expectOutput(change.records.map(\.name), is: #"["Father", "Leeloo", "Ruby"]"#, at: "Docs/Observation.md:124")
                expectOutput(change.updated, is: #"[1]"#, at: "Docs/Observation.md:125")
                expectOutput([2, 1].applying(change.difference) ?? [], is: #"[1, 2, 3]"#, at: "Docs/Observation.md:126")
            }
            _ = store
            _ = changes
            _ = first
        }
    }
}
