// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:306
@IndexKeyRecord("number")
private struct Order: Hashable {
    let number: Int
    var total: Int
    var rebate: Int?
}

enum Queries_LessThanWholeRecords {
    @Sendable static func run() throws {
        // Docs/Queries.md:306

        let store = try Store.temporary()
        try store.insert(contentsOf: (1...9).map { Order(number: $0, total: $0 * 10, rebate: $0 > 7 ? $0 : nil) })

        let large = Order.filter(\.total >= 50)
        try store.read { context in
            expectOutput(try large.count(in: context), try large.exists(in: context), is: #"5 true"#, at: "Docs/Queries.md:318")
            expectOutput(try large.first(in: context)?.number ?? 0, is: #"5"#, at: "Docs/Queries.md:319")
            expectOutput(try large.keys(in: context), is: #"[5, 6, 7, 8, 9]"#, at: "Docs/Queries.md:320")

            // Only the properties that are named are decoded.
            expectOutput(try large.select(\.total).resolve(in: context), is: #"[50, 60, 70, 80, 90]"#, at: "Docs/Queries.md:323")
            expectOutput(try large.limit(1).select(\.number, \.rebate).resolve(in: context)[0].0, is: #"5"#, at: "Docs/Queries.md:324")

            // Sums and other aggregates are requests, and so are groups and distinct values.
            expectOutput(try large.min(of: \.total).resolve(in: context) ?? 0, is: #"50"#, at: "Docs/Queries.md:327")
            expectOutput(try large.max(of: \.rebate).resolve(in: context) ?? 0, is: #"9"#, at: "Docs/Queries.md:328")
            expectOutput(try large.sum(of: \.total).resolve(in: context), is: #"350"#, at: "Docs/Queries.md:329")
            expectOutput(try large.average(of: \.rebate).resolve(in: context) ?? 0, is: #"8.5"#, at: "Docs/Queries.md:330")

            // One record at a time, in constant memory unless it has to be sorted.
            try large.forEach(in: context) { order in
                if order.number == 7 { print(order.total) }  // 70
            }
        }
        _ = store
        _ = large
    }
}
