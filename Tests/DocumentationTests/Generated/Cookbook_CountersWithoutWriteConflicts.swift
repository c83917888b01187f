// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:633
@IndexKeyRecord("page", "id")
private struct Visit {
    #Totals<Visit>(by: \.page, of: \.count)

    let page: String
    let id: UUID
    var count: Int = 1
}

// Docs/Cookbook.md:642
extension Visit {
    static func count(of page: String, in store: Store) throws -> Int {
        try filter(\.page == page).sum(of: \.count).resolve(in: store)
    }

    /// Unites the visits of a page in a single record.
    static func unite(_ page: String, in store: Store) throws {
        try store.write { context in
            let visits = filter(\.page == page)
            let count = try visits.sum(of: \.count).resolve(in: context)
            try visits.delete(in: context)
            try context.insert(Visit(page: page, id: UUID(), count: count))
        }
    }
}

enum Cookbook_CountersWithoutWriteConflicts {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:633


        let store = try Store.temporary(records: [Visit.self])
        let again = UUID()
        try store.insert(contentsOf: (0..<500).map { _ in Visit(page: "home", id: UUID()) })
        // A request that is sent twice has the same id, and counts once.
        for _ in 0..<2 { try store.insert(Visit(page: "home", id: again)) }
        expectOutput(try Visit.count(of: "home", in: store), is: #"501"#, at: "Docs/Cookbook.md:663")

        try Visit.unite("home", in: store)
        expectOutput(try Visit.query().count(in: store), is: #"1"#, at: "Docs/Cookbook.md:666")
        expectOutput(try Visit.count(of: "home", in: store), is: #"501"#, at: "Docs/Cookbook.md:667")
        _ = store
        _ = again
    }
}
