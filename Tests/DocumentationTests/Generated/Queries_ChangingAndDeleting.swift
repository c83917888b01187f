// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:400
@IndexKeyRecord("name")
private struct Account {
    let name: String
    var balance: Int
}

// Docs/Queries.md:432
@IndexKeyRecord("name")
private struct Counter {
    let name: String
    var count: Int
}

enum Queries_ChangingAndDeleting {
    @Sendable static func run() throws {
        // Docs/Queries.md:400

        let store = try Store.temporary()
        try store.insert(contentsOf: [
            Account(name: "A", balance: 5), Account(name: "B", balance: 0), Account(name: "C", balance: -3),
        ])
        try store.write { context in
            expectOutput(try Account.filter(\.balance < 0).update(in: context) { $0.balance = 0 }, is: #"1"#, at: "Docs/Queries.md:411")
            expectOutput(try Account.filter(\.balance == 0).delete(in: context), is: #"2"#, at: "Docs/Queries.md:412")
        }
        expectOutput(try Account.filter(.everything).select(\.name).resolve(in: store), is: #"["A"]"#, at: "Docs/Queries.md:414")
        // Docs/Queries.md:432

        for _ in 1...2 { try store.insert(Counter(name: "visits", count: 1)) { $0.count += 1 } }
        let counter = try store.insert(Counter(name: "visits", count: 1)) { $0.count += 1 }
        expectOutput(counter?.count ?? 0, is: #"3"#, at: "Docs/Queries.md:440")
        _ = store
        _ = counter
    }
}
