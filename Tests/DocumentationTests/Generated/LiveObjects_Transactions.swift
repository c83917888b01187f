// The Swift samples of Docs/LiveObjects.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/LiveObjects.md:224
@IndexKeyRecord("id")
private struct Account {
    let id: Int
    var amount: Int
}

// Docs/LiveObjects.md:230
private struct TooMuch: Error {}

enum LiveObjects_Transactions {
    @Sendable static func run() throws {
        // Docs/LiveObjects.md:222



        let store = try Store.temporary(records: [Account.self])
        let mine = try Account.create(Account(id: 1, amount: 100), in: store)
        let yours = try Account.create(Account(id: 2, amount: 0), in: store)
        do {
            try store.write { context in
                mine.amount -= 500
                yours.amount += 500
                try mine.save(in: context)
                try yours.save(in: context)
                if mine.amount < 0 { throw TooMuch() }
            }
        } catch is TooMuch {
            expectOutput(mine.amount, yours.amount, is: #"100 0"#, at: "Docs/LiveObjects.md:244")
        }
        _ = store
        _ = mine
        _ = yours
    }
}
