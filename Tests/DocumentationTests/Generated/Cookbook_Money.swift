// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:396
@IndexKeyRecord("id")
private struct Product {
    #Index<Product>(\.cents)

    let id: Int
    var name: String
    var cents: Int  // 1999 is 19.99
}

// Docs/Cookbook.md:405
extension Product {
    var price: Decimal { Decimal(cents) / 100 }
}

// Docs/Cookbook.md:424
@IndexKeyRecord("currency")
private struct Rate {
    let currency: String
    var perEuro: Decimal
}

enum Cookbook_Money {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:396


        let store = try Store.temporary(records: [Product.self])
        try store.insert(contentsOf: [
            Product(id: 1, name: "Lamp", cents: 1_999), Product(id: 2, name: "Chair", cents: 8_900),
            Product(id: 3, name: "Bulb", cents: 250),
        ])
        let cheap = Product.filter(\.cents < 2_000).sorted(by: \.cents)
        expectOutput(try cheap.select(\.name).resolve(in: store), is: #"["Bulb", "Lamp"]"#, at: "Docs/Cookbook.md:415")
        expectOutput(try Product.query().sum(of: \.cents).resolve(in: store), is: #"11149"#, at: "Docs/Cookbook.md:416")
        expectOutput(try Product.get(in: store, id: 1)?.price ?? 0, is: #"19.99"#, at: "Docs/Cookbook.md:417")
        // Docs/Cookbook.md:424

        try store.insert(Rate(currency: "NOK", perEuro: Decimal(string: "11.734250") ?? 0))
        let rate = try Rate.get(in: store, currency: "NOK")?.perEuro ?? 0
        expectOutput(rate * 2, is: #"23.4685"#, at: "Docs/Cookbook.md:432")
        _ = store
        _ = cheap
        _ = rate
    }
}
