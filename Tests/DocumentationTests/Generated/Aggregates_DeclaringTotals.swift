// The Swift samples of Docs/Aggregates.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Aggregates.md:22
@IndexKeyRecord("id")
private struct Order {
    #Totals<Order>(by: \.city, \.year, of: \.cents)
    #Totals<Order>(where: { $0.isOpen })

    let id: Int
    var city: String
    var year: Int
    var cents: Int
    var isOpen: Bool = false
}

enum Aggregates_DeclaringTotals {
    @Sendable static func run() throws {
        // Docs/Aggregates.md:20


        let store = try Store.temporary(records: [Order.self])
        for id in 1...8 {
            let city = id % 2 == 0 ? "Oslo" : "Rome"
            try store.insert(Order(id: id, city: city, year: id % 4 < 2 ? 2023 : 2024, cents: id * 100, isOpen: id > 6))
        }

        let oslo = Order.filter(\.city == "Oslo")
        expectOutput(try oslo.sum(of: \.cents).resolve(in: store), is: #"2000"#, at: "Docs/Aggregates.md:41")
        expectOutput(try oslo.filter(\.year == 2024).count(in: store), is: #"2"#, at: "Docs/Aggregates.md:42")
        expectOutput(try oslo.average(of: \.cents).resolve(in: store) ?? 0, is: #"500.0"#, at: "Docs/Aggregates.md:43")
        expectOutput(try Order.filter(\.isOpen).count(in: store), is: #"2"#, at: "Docs/Aggregates.md:44")

        for (year, sum) in try oslo.grouped(by: \.year).sum(of: \.cents).resolve(in: store) { print(year, sum) }
        // 2023 1200
        // 2024 800

        print(try oslo.sum(of: \.cents).explain(in: store))
        // scan totals(city,year of cents) of Order, 1 range: city == "Oslo"
        // sum: from the totals; no record is read
        // entries to read: 2
        _ = store
        _ = oslo
    }
}
