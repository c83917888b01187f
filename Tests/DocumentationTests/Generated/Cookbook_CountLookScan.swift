// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:214
@IndexKeyRecord("city", "date")
private struct Reading {
    let city: String
    let date: Date
    let temperature: Double
    let note: String?
}

enum Cookbook_CountLookScan {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:214

        let start = Date(timeIntervalSinceReferenceDate: 0)
        let store = try Store.temporary()
        try store.write { context in
            try context.insert(contentsOf: (0..<48).map { hour in
                Reading(
                    city: "Oslo", date: start.addingTimeInterval(Double(hour) * 3_600), temperature: Double(hour % 24),
                    note: nil)
            })
        }

        try store.read { context in
            let oslo = Reading.query(city: "Oslo")

            // No record is decoded for these two.
            expectOutput(try oslo.count(in: context), is: #"48"#, at: "Docs/Cookbook.md:236")
            expectOutput(try oslo.exists(in: context), is: #"true"#, at: "Docs/Cookbook.md:237")

            // The first and the last.
            expectOutput(try oslo.first(in: context)?.temperature ?? 0, is: #"0.0"#, at: "Docs/Cookbook.md:240")
            expectOutput(try oslo.order(.descending).first(in: context)?.temperature ?? 0, is: #"23.0"#, at: "Docs/Cookbook.md:241")

            // A property, or two: nothing else is decoded.
            let highest = try oslo.select(\.temperature).resolve(in: context).max() ?? 0
            expectOutput(highest, is: #"23.0"#, at: "Docs/Cookbook.md:245")
            let pairs = try oslo.limit(2).select(\.date, \.temperature).resolve(in: context)
            expectOutput(pairs.map(\.1), is: #"[0.0, 1.0]"#, at: "Docs/Cookbook.md:247")
        }
        // Docs/Cookbook.md:254
        try store.read { context in
            var sum = 0.0
            try Reading.query(city: "Oslo").forEach(in: context) { reading in
                sum += reading.temperature
            }
            expectOutput(sum, is: #"552.0"#, at: "Docs/Cookbook.md:259")

            var hours = 0
            try Reading.query().forEach(in: context) { reading in
                hours += 1
                return reading.temperature < 10 ? .continue : .stop
            }
            expectOutput(hours, is: #"11"#, at: "Docs/Cookbook.md:266")
        }
        // Docs/Cookbook.md:273
        let keys = [Tuple("Oslo", start), Tuple("Bergen", start)]
        let found = try store.read { context in
            try context.get(Reading.self, keys: keys)
        }
        expectOutput(found.count, is: #"1"#, at: "Docs/Cookbook.md:277")
        _ = start
        _ = store
        _ = keys
        _ = found
    }
}
