// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:285
@IndexKeyRecord("number")
private struct Order {
    #Index<Order>(\.customer, \.placed.desc)
    #Index<Order>(\.placed, where: { $0.shipped == nil })

    let number: Int
    var customer: String
    var placed: Date
    var shipped: Date?
}

enum Cookbook_FindByAnotherProperty {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:285

        let store = try Store(path: samplePath("orders.trove"), records: [Order.self])
        let start = Date(timeIntervalSinceReferenceDate: 0)
        try store.insert(contentsOf: (1...9).map { number in
            Order(
                number: number, customer: ["Zoe", "Al"][number % 2], placed: start.addingTimeInterval(Double(number)),
                shipped: number < 7 ? start : nil)
        })

        // The last three of one customer.
        let latest = Order.filter(\.customer == "Al").sorted(by: \.placed.desc).limit(3)
        expectOutput(try latest.keys(in: store), is: #"[9, 7, 5]"#, at: "Docs/Cookbook.md:306")

        // The longest waiting orders: the partial index has no others.
        let waiting = Order.filter(\.shipped == nil).sorted(by: \.placed)
        expectOutput(try waiting.keys(in: store), is: #"[7, 8, 9]"#, at: "Docs/Cookbook.md:310")
        _ = store
        _ = start
        _ = latest
        _ = waiting
    }
}
