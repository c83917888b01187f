// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1166
@IndexKeyRecord("name")
private struct Account {
    let name: String
    var balance: Int
}

// Docs/Cookbook.md:1172
private struct NotEnough: Error {}

// Docs/Cookbook.md:1174
private func transfer(_ amount: Int, from: String, to: String, in context: TransactionContext) throws {
    guard var source = try Account.get(in: context, name: from), var target = try Account.get(in: context, name: to)
    else { throw NotEnough() }
    source.balance -= amount
    target.balance += amount
    try context.insert(source)
    try context.insert(target)
    if source.balance < 0 { throw NotEnough() }
}

enum Cookbook_Transactions {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1166



        let store = try Store.temporary()
        try store.write { context in
            try context.insert(Account(name: "A", balance: 100))
            try context.insert(Account(name: "B", balance: 0))
        }

        do {
            try store.write { context in
                try transfer(500, from: "A", to: "B", in: context)
            }
        } catch is NotEnough {
            expectOutput("rolled back", is: #"rolled back"#, at: "Docs/Cookbook.md:1195")
        }
        expectOutput(try Account.get(in: store, name: "A")?.balance ?? 0, is: #"100"#, at: "Docs/Cookbook.md:1197")
        // Docs/Cookbook.md:1203
        try store.write { context in
            try transfer(30, from: "A", to: "B", in: context)
            do {
                try context.nested { inner in
                    try transfer(500, from: "A", to: "B", in: inner)
                }
            } catch is NotEnough {
                expectOutput("the second transfer is undone, the first is not", is: #"the second transfer is undone, the first is not"#, at: "Docs/Cookbook.md:1210")
            }
        }
        expectOutput(try Account.query().select(\.balance).resolve(in: store), is: #"[70, 30]"#, at: "Docs/Cookbook.md:1213")
        _ = store
    }
}
