// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:222
@IndexKeyRecord("number")
private struct Order: Hashable {
    let number: Int
    var customer: String
    var total: Int
}

enum Queries_OrderAndPages {
    @Sendable static func run() throws {
        // Docs/Queries.md:222

        let store = try Store.temporary()
        try store.insert(contentsOf: (1...9).map { Order(number: $0, customer: ["Zoe", "Al"][$0 % 2], total: $0 * 7 % 4) })

        let query = Order.filter(\.total > 0).sorted(by: \.customer, \.total.desc)
        expectOutput(try query.keys(in: store), is: #"[1, 5, 9, 3, 7, 2, 6]"#, at: "Docs/Queries.md:233")

        // The next page continues after the last record seen, even if it is no longer stored.
        let first = try query.limit(3).resolve(in: store)
        let second = try query.limit(3).after(first.last).resolve(in: store)
        expectOutput(second.map(\.number), is: #"[3, 7, 2]"#, at: "Docs/Queries.md:238")

        // An offset finds as many records, and skips them.
        expectOutput(try query.limit(3).offset(3).keys(in: store), is: #"[3, 7, 2]"#, at: "Docs/Queries.md:241")
        // Docs/Queries.md:248
        let property: KeyPath<Order, Int> = \.total
        expectOutput(try Order.filter(.everything).sorted(by: [SortKey(property).desc]).limit(2).keys(in: store), is: #"[1, 5]"#, at: "Docs/Queries.md:249")
        // Docs/Queries.md:257
        expectOutput(try query.last(in: store)?.number ?? 0, is: #"6"#, at: "Docs/Queries.md:257")
        expectOutput(try query.first.filter(\.total == 3).resolve(in: store)?.number ?? 0, is: #"1"#, at: "Docs/Queries.md:258")
        _ = store
        _ = query
        _ = first
        _ = second
        _ = property
    }
}
