// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:539
@IndexKeyRecord("id")
private struct Sale {
    #Totals<Sale>(by: \.shop, \.day, of: \.cents)

    let id: Int
    let shop: String
    let time: Date
    let day: Int
    var cents: Int

    init(id: Int, shop: String, time: Date, cents: Int) {
        (self.id, self.shop, self.time, self.cents) = (id, shop, time, cents)
        day = Sale.day(of: time)
    }
}

// Docs/Cookbook.md:555
extension Sale {
    /// Returns the number of days since January 1, 2001, in UTC.
    static func day(of time: Date) -> Int {
        Int((time.timeIntervalSinceReferenceDate / 86_400).rounded(.down))
    }
}

enum Cookbook_ADashboardByDay {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:539


        let store = try Store.temporary(records: [Sale.self])
        let start = Date(timeIntervalSinceReferenceDate: 0)
        try store.insert(contentsOf: (0..<240).map { hour in
            Sale(id: hour, shop: ["Oslo", "Rome"][hour % 2], time: start + Double(hour) * 3_600, cents: 100)
        })
        try store.insert(Sale(id: 240, shop: "Oslo", time: start + 12 * 86_400, cents: 500))

        // Sums and counts of a week: five rows each.
        let week = Sale.filter(\.shop == "Oslo" && \.day >= 6 && \.day < 13).grouped(by: \.day)
        let sums = try week.sum(of: \.cents).resolve(in: store)
        expectOutput(sums.map(\.key), is: #"[6, 7, 8, 9, 12]"#, at: "Docs/Cookbook.md:572")
        expectOutput(sums.map(\.value), is: #"[1200, 1200, 1200, 1200, 500]"#, at: "Docs/Cookbook.md:573")
        expectOutput(try week.count(in: store).map(\.value), is: #"[12, 12, 12, 12, 1]"#, at: "Docs/Cookbook.md:574")

        // A day without sales has no group: the chart adds its zero.
        var chart: [Int: Int] = [:]
        for (day, sum) in sums { chart[day] = sum }
        expectOutput((6..<13).map { chart[$0] ?? 0 }, is: #"[1200, 1200, 1200, 1200, 0, 0, 500]"#, at: "Docs/Cookbook.md:579")
        _ = store
        _ = start
        _ = week
        _ = sums
        _ = chart
    }
}
