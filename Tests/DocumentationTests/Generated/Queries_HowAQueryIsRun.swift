// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:498
@IndexKeyRecord("airline", "number", "day")
private struct Flight {
    #Index<Flight>(\.tail, \.delay.desc)
    #Index<Flight>(\.delay)

    let airline: String
    let number: Int
    let day: Int
    var delay: Int?
    var tail: String
}

enum Queries_HowAQueryIsRun {
    @Sendable static func run() throws {
        // Docs/Queries.md:498

        let store = try Store.temporary()
        try store.insert(contentsOf: (0..<1000).map { number in
            Flight(airline: number < 700 ? "UA" : "AA", number: number, day: 1, delay: number % 60, tail: "N\(number % 50)")
        })
        let lines = { (query: Query<Flight>) in try query.explain(in: store).split(separator: "\n") }

        let united = Flight.filter(\.airline == "UA")
        expectOutput(try lines(united.filter(\.number < 100))[0], is: #"scan Flight, 1 range: airline == "UA" and number < 100"#, at: "Docs/Queries.md:517")
        expectOutput(try lines(united.or(\.airline == "AA"))[0], is: #"scan Flight, 2 ranges: airline == "UA" or airline == "AA""#, at: "Docs/Queries.md:518")

        let late = try lines(Flight.filter(\.tail == "N7" && \.delay > 50 && \.day == 1))
        expectOutput(late[0], is: #"scan index(tail,delay desc) of Flight, 1 range: tail == "N7" and delay > 50"#, at: "Docs/Queries.md:521")
        expectOutput(late[1], is: #"filter: day == 1"#, at: "Docs/Queries.md:522")
        expectOutput(late[2], is: #"entries to read: 4"#, at: "Docs/Queries.md:523")

        let worst = try lines(Flight.filter(.everything).sorted(by: \.delay.desc).limit(10))
        expectOutput(worst[0], is: #"scan index(delay) of Flight, all entries"#, at: "Docs/Queries.md:526")
        expectOutput(worst[1], is: #"order: delay desc; as stored, groups backwards"#, at: "Docs/Queries.md:527")

        let tails = try lines(Flight.filter(.everything).sorted(by: \.tail).limit(10))
        expectOutput(tails[0], is: #"scan index(tail,delay desc) of Flight, all entries"#, at: "Docs/Queries.md:530")
        expectOutput(tails[1], is: #"order: tail; as stored, ties sorted"#, at: "Docs/Queries.md:531")

        let either = try lines(Flight.filter(\.tail == "N7").or(\.delay == 3).filter(\.airline == "AA"))
        expectOutput(either[0], is: #"fetch Flight by the keys that any of these has"#, at: "Docs/Queries.md:534")
        expectOutput(either[1], is: #"  scan index(tail,delay desc) of Flight, 1 range: tail == "N7""#, at: "Docs/Queries.md:535")
        expectOutput(either[2], is: #"  scan index(delay) of Flight, 1 range: delay == 3"#, at: "Docs/Queries.md:536")
        expectOutput(either[3], is: #"filter: airline == "AA""#, at: "Docs/Queries.md:537")
        _ = store
        _ = lines
        _ = united
        _ = late
        _ = worst
        _ = tails
        _ = either
    }
}
