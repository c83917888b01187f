// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1652
@EntityModel
private struct Customer {
    let id: Int
    @Relationship(deleteRule: .deny, inverse: \.customer) var orders: [Order]?
}

// Docs/Cookbook.md:1658
@EntityModel
private struct Order {
    let id: Int
    @Relationship(.required, inverse: \.orders) var customer: Customer?
}

enum Cookbook_RefuseADelete {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1652


        let store = try Store.temporary(records: [Customer.self])
        try Customer(id: 1, orders: .relation([Order(id: 7), Order(id: 8)])).save(to: store)
        do {
            try Customer.delete(id: 1, from: store)
        } catch StoreError.entity(.deleteDenied(_, let key, let relation, let other)) {
            expectOutput(key, relation, other, is: #"id: 1 orders id: 7"#, at: "Docs/Cookbook.md:1669")
        }
        expectOutput(try Customer.query().count(in: store), is: #"1"#, at: "Docs/Cookbook.md:1671")

        try store.write { context in
            try Order.query().delete(in: context)
            try Customer.delete(id: 1, from: context)
        }
        expectOutput(try Customer.query().count(in: store), is: #"0"#, at: "Docs/Cookbook.md:1677")
        _ = store
    }
}
