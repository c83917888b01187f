// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1031
@IndexKeyRecord("id")
private struct User: Equatable {
    #Unique<User>(\.isCurrent, collisions: .custom { context, new, existing in
        var former = existing
        former.isCurrent = false
        try context.insert(former)
    }, where: { $0.isCurrent })

    let id: Int
    var isCurrent: Bool
}

enum Cookbook_ASingleCurrentRecord {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1031

        let store = try Store(path: samplePath("users.trove"), records: [User.self])
        try store.insert(contentsOf: (1...5).map { User(id: $0, isCurrent: false) })
        for id in [2, 4] {
            try User.filter(\.id == id).update(in: store) { $0.isCurrent = true }
        }
        expectOutput(try User.filter(\.isCurrent == true).keys(in: store), is: #"[4]"#, at: "Docs/Cookbook.md:1048")
        expectOutput(try User.query().count(in: store), is: #"5"#, at: "Docs/Cookbook.md:1049")
        _ = store
    }
}
