// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:448
@IndexKeyRecord("lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
    var age: Int
}

enum Queries_WhereTheContextGoes {
    @Sendable static func run() throws {
        // Docs/Queries.md:448

        let store = try Store.temporary()
        try store.insert(contentsOf: [
            Person(lastName: "Dallas", firstName: "Korben", age: 45), Person(lastName: "Dallas", firstName: "Lisa", age: 16),
            Person(lastName: "Rhod", firstName: "Ruby", age: 30),
        ])
        try store.read { context in
            expectOutput(try Person.query(in: context).sorted(by: \.age.desc).resolve().map(\.age), is: #"[45, 30, 16]"#, at: "Docs/Queries.md:461")
            let some = try Person.filter(\.age == 16, in: context).or(\.age == 30).resolve()
            expectOutput(some.map(\.firstName), is: #"["Lisa", "Ruby"]"#, at: "Docs/Queries.md:463")
            let counts = try Person.filter(\.age > 20, in: context).grouped(by: \.lastName).count()
            expectOutput(counts.map(\.value), is: #"[1, 1]"#, at: "Docs/Queries.md:465")
            expectOutput(try Person.query(Tuple("Rhod", "Ruby"), in: context).resolve()?.age ?? 0, is: #"30"#, at: "Docs/Queries.md:466")
            expectOutput(try Person.query(Tuple("Rhod", "Ruby")).exists(in: context), is: #"true"#, at: "Docs/Queries.md:467")
        }
        // Docs/Queries.md:476
        let dallas = Person.query(lastName: "Dallas")
        let (oldest, count) = try store.fetch(dallas.sorted(by: \.age.desc).first, dallas.count)
        expectOutput(oldest?.firstName ?? "nobody", count, is: #"Korben 2"#, at: "Docs/Queries.md:478")
        // Docs/Queries.md:486
        let adults = Person.query(lastName: "Dallas").filter(\.age >= 18)
        expectOutput(try adults.select(\.firstName).resolve(in: store), is: #"["Korben"]"#, at: "Docs/Queries.md:487")
        _ = store
        _ = dallas
        _ = oldest
        _ = count
        _ = adults
    }
}
