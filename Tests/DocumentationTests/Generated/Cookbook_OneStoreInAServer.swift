// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2134
@IndexKeyRecord("id")
private struct Visit {
    let id: UUID
    var path: String
}

// Docs/Cookbook.md:2140
private actor Counter {
    private let store: Store
    init(store: Store) { self.store = store }

    func visit(_ path: String) async throws {
        try await store.write { context in try context.insert(Visit(id: UUID(), path: path)) }
    }

    func count(_ path: String) async throws -> Int {
        try await store.read { context in try Visit.filter(\.path == path).count(in: context) }
    }
}

enum Cookbook_OneStoreInAServer {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        return {
            // Docs/Cookbook.md:2134


            let options = StoreOptions(busyTimeout: .seconds(5), maximumReadAge: .seconds(30))
            let counter = Counter(store: try await Store(path: samplePath("visits.trove"), records: [Visit.self], options: options))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await counter.visit("/") }
                }
                try await group.waitForAll()
            }
            expectOutput(try await counter.count("/"), is: #"100"#, at: "Docs/Cookbook.md:2161")
            _ = options
            _ = counter
        }
    }
}
