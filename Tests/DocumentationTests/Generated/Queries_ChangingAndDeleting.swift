// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:365
@IndexKeyRecord("name")
private struct Account {
    let name: String
    var balance: Int
}

enum Queries_ChangingAndDeleting {
    @Sendable static func run() throws {
        // Docs/Queries.md:365

        let store = try Store.temporary()
        try store.insert(contentsOf: [
            Account(name: "A", balance: 5), Account(name: "B", balance: 0), Account(name: "C", balance: -3),
        ])
        try store.write { context in
            expectOutput(try Account.filter(\.balance < 0).update(in: context) { $0.balance = 0 }, is: #"1"#, at: "Docs/Queries.md:376")
            expectOutput(try Account.filter(\.balance == 0).delete(in: context), is: #"2"#, at: "Docs/Queries.md:377")
        }
        expectOutput(try Account.filter(.everything).select(\.name, in: store), is: #"["A"]"#, at: "Docs/Queries.md:379")
        _ = store
    }
}
