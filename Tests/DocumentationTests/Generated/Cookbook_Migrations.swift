// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:659
@IndexKeyRecord(keyPrefix: 2, fieldsVersion: 1, "lastName", "firstName")
private struct FirstPerson {
    let lastName: String
    let firstName: String
}

// Docs/Cookbook.md:674
@IndexKeyRecord(keyPrefix: 2, fieldsVersion: 2, "lastName", "firstName")
private struct Person {
    let lastName: String
    let firstName: String
    var age: Int
}

// Docs/Cookbook.md:681
extension Person {
    init(decoding reader: inout RecordReader, version: UInt32) throws {
        switch version {
        case 1:
            self.lastName = try String(decodingKey: &reader.key)
            self.firstName = try String(decodingKey: &reader.key)
            self.age = 0
        default:
            throw Self.unsupportedMigration(from: version)
        }
    }
}

enum Cookbook_Migrations {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:659

        do {
            let store = try Store(path: samplePath("people.trove"))
            try store.insert(FirstPerson(lastName: "Dallas", firstName: "Korben"))
        }
        // Docs/Cookbook.md:674


        let store = try Store(path: samplePath("people.trove"))
        var korben = try Person.get(in: store, lastName: "Dallas", firstName: "Korben")
        expectOutput(korben?.age ?? -1, is: #"0"#, at: "Docs/Cookbook.md:696")

        korben?.age = 45
        if let korben { try store.insert(korben) }
        expectOutput(try Person.get(in: store, lastName: "Dallas", firstName: "Korben")?.age ?? -1, is: #"45"#, at: "Docs/Cookbook.md:700")
        _ = store
        _ = korben
    }
}
