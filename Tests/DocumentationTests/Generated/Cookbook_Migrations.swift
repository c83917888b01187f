// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:658
@IndexKeyRecord(keyPrefix: 2, "id")
private struct FirstPerson {
    let id: Int
    var name: String
    var score: Int
    var remarks: String
}

// Docs/Cookbook.md:675
@IndexKeyRecord(keyPrefix: 2, "id")
private struct Person {
    let id: Int
    @Renamed("name") var fullName: String  // has the values of the old field
    var nickname: String?  // is new: nil in old records
    var score: Double  // was an Int: the same numbers
    var isActive: Bool = true  // is new: true in old records
}

enum Cookbook_Migrations {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:658

        do {
            let store = try Store(path: samplePath("people.trove"))
            try store.insert(FirstPerson(id: 1, name: "Korben Dallas", score: 7, remarks: "drives a taxi"))
        }
        // Docs/Cookbook.md:675

        let store = try Store(path: samplePath("people.trove"))
        var korben = try Person.get(in: store, id: 1)
        expectOutput(korben?.fullName ?? "", is: #"Korben Dallas"#, at: "Docs/Cookbook.md:686")
        expectOutput(korben?.nickname ?? "none", is: #"none"#, at: "Docs/Cookbook.md:687")
        expectOutput(korben?.score ?? 0, is: #"7.0"#, at: "Docs/Cookbook.md:688")
        expectOutput(korben?.isActive ?? false, is: #"true"#, at: "Docs/Cookbook.md:689")

        korben?.score = 7.5
        if let korben { try store.insert(korben) }
        expectOutput(try Person.query().select(\.score, in: store), is: #"[7.5]"#, at: "Docs/Cookbook.md:693")
        _ = store
        _ = korben
    }
}
