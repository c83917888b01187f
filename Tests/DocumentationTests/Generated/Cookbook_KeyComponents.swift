// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2261
private enum Priority: Int, KeyComponent {
    case low, normal, high
}

// Docs/Cookbook.md:2265
@IndexKeyRecord("priority", "due", "id")
private struct Job {
    let priority: Descending<Priority>
    let due: Date?
    let id: UInt32
}

enum Cookbook_KeyComponents {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2261


        let store = try Store.temporary()
        let now = Date()
        try store.write { context in
            try context.insert(Job(priority: Descending(.low), due: nil, id: 1))
            try context.insert(Job(priority: Descending(.high), due: now, id: 2))
            try context.insert(Job(priority: Descending(.high), due: nil, id: 3))
        }
        expectOutput(try Job.select(in: store).map(\.id), is: #"[3, 2, 1]"#, at: "Docs/Cookbook.md:2279")
        expectOutput(try Job.query(priority: Descending(.high), due: .greaterThanOrEqual(now)).count(in: store), is: #"1"#, at: "Docs/Cookbook.md:2280")
        _ = store
        _ = now
    }
}
