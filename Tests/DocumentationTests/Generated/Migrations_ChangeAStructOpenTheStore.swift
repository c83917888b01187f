// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:26
@RecordValue
private struct FirstAddress {
    var road: String
}

// Docs/Migrations.md:31
@IndexKeyRecord(keyPrefix: 2, "id")
private struct FirstPerson {
    let id: Int
    var name: String
    var score: Int
    var remarks: String
    var homes: [FirstAddress]
}

// Docs/Migrations.md:50
@RecordValue
private struct Address {
    @Renamed("road") var street: String  // the rules hold inside values, too
    var city: String = "New York"
}

// Docs/Migrations.md:56
@IndexKeyRecord(keyPrefix: 2, "id")
private struct Person {
    let id: Int
    @Renamed("name") var fullName: String  // has the values of the old field
    var nickname: String?  // is new: nil in old records
    var score: Double  // was an Int: the same numbers
    var isActive: Bool = true  // is new: true in old records
    var homes: [Address]
}

enum Migrations_ChangeAStructOpenTheStore {
    @Sendable static func run() throws {
        // Docs/Migrations.md:26


        do {
            let store = try Store(path: samplePath("people.trove"), records: [FirstPerson.self])
            let homes = [FirstAddress(road: "Elm Street")]
            try store.insert(FirstPerson(id: 1, name: "Korben Dallas", score: 7, remarks: "drives a taxi", homes: homes))
        }
        // Docs/Migrations.md:50


        let store = try Store(path: samplePath("people.trove"), records: [Person.self])
        let korben = try Person.get(in: store, id: 1)
        expectOutput(korben?.fullName ?? "", is: #"Korben Dallas"#, at: "Docs/Migrations.md:68")
        expectOutput(korben?.nickname ?? "none", is: #"none"#, at: "Docs/Migrations.md:69")
        expectOutput(korben?.score ?? 0, is: #"7.0"#, at: "Docs/Migrations.md:70")
        expectOutput(korben?.isActive ?? false, is: #"true"#, at: "Docs/Migrations.md:71")
        expectOutput(korben?.homes.first?.street ?? "", korben?.homes.first?.city ?? "", is: #"Elm Street New York"#, at: "Docs/Migrations.md:72")
        _ = store
        _ = korben
    }
}
