// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:145
@IndexKeyRecord("name")
private struct City {
    let name: String
    var country: String?
}

enum Queries_Strings {
    @Sendable static func run() throws {
        // Docs/Queries.md:145

        let store = try Store.temporary()
        try store.insert(contentsOf: [
            City(name: "Alma-Ata", country: "Kazakhstan"), City(name: "Oslo", country: "Norway"),
            City(name: "alcatraz", country: nil),
        ])
        let names = { (filter: Filter<City>) in try City.filter(filter).select(\.name).resolve(in: store) }

        expectOutput(try names(.string(\.name, hasPrefix: "al")), is: #"["Alma-Ata", "alcatraz"]"#, at: "Docs/Queries.md:158")
        expectOutput(try names(.string(\.name, hasPrefix: "al", caseSensitive: true)), is: #"["alcatraz"]"#, at: "Docs/Queries.md:159")
        expectOutput(try names(.contains(\.name, "al")), is: #"["alcatraz"]"#, at: "Docs/Queries.md:160")
        expectOutput(try names(.hasPrefix(\.name, "Al")), is: #"["Alma-Ata"]"#, at: "Docs/Queries.md:161")
        expectOutput(try names(.string(\.name, contains: "SL")), is: #"["Oslo"]"#, at: "Docs/Queries.md:162")
        expectOutput(try names(.string(\.name, hasSuffix: "lo")), is: #"["Oslo"]"#, at: "Docs/Queries.md:163")
        expectOutput(try names(.string(\.name, notContains: "a")), is: #"["Oslo"]"#, at: "Docs/Queries.md:164")
        expectOutput(try names(.string(\.country, notHasPrefix: "n")), is: #"["Alma-Ata", "alcatraz"]"#, at: "Docs/Queries.md:165")
        expectOutput(try names(.string(\.name, \.country, contains: "ka")), is: #"["Alma-Ata"]"#, at: "Docs/Queries.md:166")
        expectOutput(try names(.string(\.name, \.country, matches: "alma")), is: #"["Alma-Ata"]"#, at: "Docs/Queries.md:167")
        expectOutput(try names(.regex(\.name) { /^[a-z]/ }), is: #"["alcatraz"]"#, at: "Docs/Queries.md:168")
        _ = store
        _ = names
    }
}
