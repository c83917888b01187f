// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:250
@IndexKeyRecord(keyPrefix: 3, "code")
private struct FirstProduct {
    let code: Int
    var title: String
    var price: Int
}

// Docs/Migrations.md:266
@IndexKeyRecord(keyPrefix: 3, "code")
private struct Product {
    let code: Int
    @Renamed("title") var name: String
    var price: Int16
}

enum Migrations_LookFirst {
    @Sendable static func run() throws {
        // Docs/Migrations.md:250

        do {
            let store = try Store(path: samplePath("shop.trove"), records: [FirstProduct.self])
            try store.insert(contentsOf: [
                FirstProduct(code: 1, title: "multipass", price: 20), FirstProduct(code: 2, title: "taxi", price: 90_000),
            ])
        }
        // Docs/Migrations.md:266

        do {
            let store = try Store(path: samplePath("shop.trove"))
            let plan = try store.migrationPlan(for: [Product.self], validating: true)
            expectOutput(plan.isPossible, is: #"false"#, at: "Docs/Migrations.md:276")
            print(plan)
        }
        do {
            _ = try Store(path: samplePath("shop.trove"), records: [Product.self])
        } catch let error as StoreError {
            expectOutput("\(error)".contains("price: 90000 cannot be converted to Int16"), is: #"true"#, at: "Docs/Migrations.md:282")
        }
    }
}
