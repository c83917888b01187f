// The Swift samples of README.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// README.md:111
@IndexKeyRecord("station", "time")
private struct Reading {
    let station: String
    let time: Date
    var celsius: Double
    var remarks: String?
}

enum README_FourSteps {
    @Sendable static func run() async throws {
        try await begin()()
    }

    private static func begin() throws -> () async throws -> Void {
        // README.md:128
        let store = try Store(path: samplePath("weather.trove"))
        let start = Date(timeIntervalSinceReferenceDate: 0)
        try store.write { context in
            for hour in 0..<48 {
                let time = start.addingTimeInterval(Double(hour) * 3600)
                try context.insert(Reading(station: "JFK", time: time, celsius: Double(hour % 24), remarks: nil))
            }
        }
        // README.md:142
        try store.read { context in
            let day = start..<start.addingTimeInterval(86_400)
            let readings = try Reading.select(in: context, station: "JFK", time: .range(day))
            expectOutput(readings.count, is: #"24"#, at: "README.md:145")

            let last = try Reading.query(station: "JFK").order(.descending).first(in: context)
            expectOutput(last?.celsius ?? 0, is: #"23.0"#, at: "README.md:148")

            let temperatures = try Reading.query(station: "JFK", time: .range(day)).select(\.celsius).resolve(in: context)
            expectOutput(temperatures.max() ?? 0, is: #"23.0"#, at: "README.md:151")

            expectOutput(try Reading.query().count(in: context), is: #"48"#, at: "README.md:153")
        }
        // README.md:160
        try store.read { context in
            let page = try Reading.select(in: context, limit: 20, station: "JFK")
            let next = try Reading.select(in: context, limit: 20, after: page.last?.indexKey, station: "JFK")
            expectOutput(next.count, is: #"20"#, at: "README.md:163")
        }
        return {
            // README.md:172
            let count = try await store.write { context in
                try context.insert(Reading(station: "LGA", time: start, celsius: 11.5, remarks: "fog"))
                return try Reading.query().count(in: context)
            }
            expectOutput(count, is: #"49"#, at: "README.md:176")
            _ = count
        }
    }
}
