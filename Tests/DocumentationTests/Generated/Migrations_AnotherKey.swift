// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:317
@IndexKeyRecord(keyPrefix: 6, "title")
private struct FirstFilm {
    let title: String
    var year: Int16
}

// Docs/Migrations.md:323
@IndexKeyRecord(keyPrefix: 6, "year", "title")
private struct Film {
    let year: Int
    let title: String
}

enum Migrations_AnotherKey {
    @Sendable static func run() throws {
        // Docs/Migrations.md:317


        do {
            let store = try Store(path: samplePath("films.trove"), records: [FirstFilm.self])
            try store.insert(contentsOf: [FirstFilm(title: "Alien", year: 1979), FirstFilm(title: "Metropolis", year: 1927)])
        }
        do {
            let store = try Store(path: samplePath("films.trove"), records: [Film.self])
            expectOutput(try Film.query().resolve(in: store).map(\.title), is: #"["Metropolis", "Alien"]"#, at: "Docs/Migrations.md:335")
        }
    }
}
