// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:269
@IndexKeyRecord("airline", "number", "day")
private struct Flight {
    let airline: String
    let number: Int
    let day: Int
    var delay: Int?
}

enum Queries_HowAQueryIsRun {
    @Sendable static func run() throws {
        // Docs/Queries.md:269

        let store = try Store.temporary()
        let united = Flight.filter(\.airline == "UA")
        expectOutput(try united.and(\.number < 100).explain(in: store).split(separator: "\n")[0], is: #"scan Flight, 1 range: airline == "UA" and number < 100"#, at: "Docs/Queries.md:279")
        expectOutput(try united.or(\.airline == "AA").explain(in: store).split(separator: "\n")[0], is: #"scan Flight, 2 ranges: airline == "UA" or airline == "AA""#, at: "Docs/Queries.md:280")
        expectOutput(try Flight.filter(\.delay > 30).explain(in: store).split(separator: "\n"), is: #"["scan Flight, all records", "filter: delay > 30", "rows to read: 0"]"#, at: "Docs/Queries.md:281")
        expectOutput(try united.sorted(by: \.number).explain(in: store).split(separator: "\n")[1], is: #"order: number; as stored"#, at: "Docs/Queries.md:282")
        _ = store
        _ = united
    }
}
