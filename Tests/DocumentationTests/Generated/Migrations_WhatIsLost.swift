// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:125
@IndexKeyRecord(keyPrefix: 7, "id")
private struct FirstGuest {
    let id: Int
    var name: String
    var phone: String?
}

// Docs/Migrations.md:132
@IndexKeyRecord(keyPrefix: 7, "id")
private struct Guest {
    let id: Int
    var name: String
}

enum Migrations_WhatIsLost {
    @Sendable static func run() throws {
        // Docs/Migrations.md:125


        do {
            let store = try Store(path: samplePath("guests.trove"), records: [FirstGuest.self])
            try store.insert(FirstGuest(id: 1, name: "Ruby Rhod", phone: "555-1234"))
        }
        do {
            _ = try Store(path: samplePath("guests.trove"), records: [Guest.self], migrations: .onOpen.refusingLoss)
        } catch StoreError.schema(.valuesWouldBeLost(_, let losses)) {
            expectOutput(losses[0].field, losses[0].records, is: #"phone 1"#, at: "Docs/Migrations.md:145")
        }
    }
}
