// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2059
@IndexKeyRecord("id")
private struct Task: Equatable {
    let id: Int
    var isDone: Bool
}

// Docs/Cookbook.md:2065
private func finish(_ id: Int, in store: Store) throws {
    try Task.filter(\.id == id).update(in: store) { $0.isDone = true }
}

enum Cookbook_UnitTests {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2059


        let store = try Store.temporary(records: [Task.self])
        try store.insert(contentsOf: [Task(id: 1, isDone: false), Task(id: 2, isDone: false)])
        try finish(2, in: store)
        expectOutput(try Task.filter(\.isDone == true).keys(in: store), is: #"[2]"#, at: "Docs/Cookbook.md:2072")
        _ = store
    }
}
