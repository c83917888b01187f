// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:349
@IndexKeyRecord("number")
private struct Order: Hashable {
    #Index<Order>(\.city, \.total)

    let number: Int
    var city: String
    var total: Int
    var rebate: Int?
}

enum Queries_GroupsAndDistinctValues {
    @Sendable static func run() throws {
        // Docs/Queries.md:349

        let store = try Store.temporary()
        try store.insert(
            contentsOf: (1...9).map { Order(number: $0, city: ["Oslo", "Rome"][$0 % 2], total: $0 * 10, rebate: nil) })

        expectOutput(try Order.distinct(\.city).resolve(in: store), is: #"["Oslo", "Rome"]"#, at: "Docs/Queries.md:363")
        expectOutput(try Order.filter(\.total < 20).distinct(\.city).resolve(in: store), is: #"["Rome"]"#, at: "Docs/Queries.md:364")

        let byCity = Order.grouped(by: \.city)
        for (city, count) in try byCity.count(in: store) { print(city, count) }  // Oslo 4, then Rome 5
        expectOutput(try byCity.sum(of: \.total).resolve(in: store).map(\.value), is: #"[200, 250]"#, at: "Docs/Queries.md:368")
        expectOutput(try byCity.max(of: \.total).resolve(in: store).map(\.value), is: #"[80, 90]"#, at: "Docs/Queries.md:369")

        // The key of a group by several properties is a tuple.
        let first = try Order.filter(\.total < 30).grouped(by: \.city, \.rebate).average(of: \.total).resolve(in: store)[0]
        expectOutput(first.key.0, first.value, is: #"Oslo 20.0"#, at: "Docs/Queries.md:373")

        print(try byCity.sum(of: \.total).explain(in: store))
        // scan index(city,total) of Order, all entries
        // groups: city; from the entries alone; min and max of total skip the rest of each group
        // entries to read: 9
        _ = store
        _ = byCity
        _ = first
    }
}
