// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2200
@RecordValue
private struct Address: Hashable {
    let street: String
    let city: String
}

// Docs/Cookbook.md:2206
@RecordValue
private enum Contact: Hashable {
    case none
    case mail(String)
    case phone(country: Int, number: String)
}

// Docs/Cookbook.md:2213
private enum Size: String, RecordValue {
    case small, large
}

// Docs/Cookbook.md:2217
@IndexKeyRecord("id")
private struct Customer {
    let id: UUID
    var address: Address
    var contacts: [Contact]
    var sizes: Set<Size>
    var notes: [String: Date]
}

// Docs/Cookbook.md:2239
private struct Legacy: Codable, Hashable {
    var flags: [String: Bool]
}

// Docs/Cookbook.md:2243
@IndexKeyRecord("name")
private struct Imported {
    let name: String
    let legacy: Legacy
}

enum Cookbook_FieldsNestedValuesEnumsAnythingCodable {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2200




        let customer = Customer(
            id: UUID(), address: Address(street: "Main Street 1", city: "Springfield"),
            contacts: [.mail("a@example.com"), .phone(country: 1, number: "555")], sizes: [.large], notes: [:])
        let store = try Store.temporary()
        try store.insert(customer)
        let stored = try Customer.get(in: store, id: customer.id)
        expectOutput(stored?.contacts.count ?? 0, is: #"2"#, at: "Docs/Cookbook.md:2232")
        // Docs/Cookbook.md:2239


        try store.insert(Imported(name: "x", legacy: Legacy(flags: ["a": true])))
        expectOutput(try Imported.get(in: store, name: "x")?.legacy.flags ?? [:], is: #"["a": true]"#, at: "Docs/Cookbook.md:2250")
        _ = customer
        _ = store
        _ = stored
    }
}
