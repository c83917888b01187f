// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1350
@EntityModel
private struct Shop: Codable {
    let id: String
    @Relationship(inverse: \.shop) var products: [Product]?
}

// Docs/Cookbook.md:1356
@EntityModel
private struct Product: Codable {
    let id: Int
    var name: String?
    var price: Int?
    @Relationship(inverse: \.products) var shop: Shop?
}

enum Cookbook_PatchFromIncompleteJSON {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1350


        let store = try Store.temporary(records: [Product.self])
        try Product(id: 1, name: "Lamp", price: 1200, shop: .relation(Shop(id: "oslo"))).save(to: store)

        let json = #"{"id": 1, "price": 900, "shop": null}"#
        let fragment = try JSONDecoder().decode(Product.self, from: Data(json.utf8))
        try fragment.save(to: store, merging: .fragment)
        let product = try Product.get(in: store, id: 1)
        expectOutput(product?.name ?? "none", product?.price ?? 0, is: #"Lamp 900"#, at: "Docs/Cookbook.md:1371")
        // Docs/Cookbook.md:1379
        let page = #"{"id": "oslo", "products": [{"id": 1, "price": 800}]}"#
        var shop = try JSONDecoder().decode(Shop.self, from: Data(page.utf8))
        shop.$products = .appending(fragment: shop.products ?? [])
        try shop.save(to: store)
        expectOutput(try Product.get(in: store, id: 1)?.name ?? "none", is: #"Lamp"#, at: "Docs/Cookbook.md:1383")

        try shop.delete(\.$products, from: store)  // the links were kept
        expectOutput(try Product.query().count(in: store), is: #"0"#, at: "Docs/Cookbook.md:1386")
        _ = store
        _ = json
        _ = fragment
        _ = product
        _ = page
        _ = shop
    }
}
