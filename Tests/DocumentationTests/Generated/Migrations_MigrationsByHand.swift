// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:448
@IndexKeyRecord(keyPrefix: 4, fieldsVersion: 1, "id")
private struct FirstContact {
    let id: Int
    var name: String
    var phone: String
}

// Docs/Migrations.md:455
@IndexKeyRecord(keyPrefix: 4, fieldsVersion: 2, "id")
private struct SecondContact {
    let id: Int
    var name: String
    var phones: [String]
    var age: Int
}

// Docs/Migrations.md:477
@IndexKeyRecord(keyPrefix: 4, fieldsVersion: 3, "id")
private struct Contact {
    let id: Int
    var firstName: String
    var lastName: String
    var phones: [String]
    var age: Double?
    var isActive: Bool = true
}

// Docs/Migrations.md:487
extension Contact {
    static func migrate(_ old: StoredFields, from version: UInt32) throws -> Contact {
        var fields = old
        if version < 2 {
            try fields.setValue([old.value("phone", as: String.self)], for: "phones")
        }
        if version < 3 {
            let names = try old.value("name", as: String.self).split(separator: " ", maxSplits: 1).map(String.init)
            fields["firstName"] = .string(names.first ?? "")
            fields["lastName"] = .string(names.last ?? "")
        }
        return try Contact(converting: fields)
    }
}

enum Migrations_MigrationsByHand {
    @Sendable static func run() throws {
        // Docs/Migrations.md:448


        do {
            let store = try Store(path: samplePath("contacts.trove"))
            try store.insert(FirstContact(id: 1, name: "Korben Dallas", phone: "555-1234"))
        }
        do {
            let store = try Store(path: samplePath("contacts.trove"))
            try store.insert(SecondContact(id: 2, name: "Ruby Rhod", phones: [], age: 30))
        }
        // Docs/Migrations.md:477


        let store = try Store(path: samplePath("contacts.trove"), records: [Contact.self])
        expectOutput(try Contact.query().select(\.lastName).resolve(in: store), is: #"["Dallas", "Rhod"]"#, at: "Docs/Migrations.md:503")
        expectOutput(try Contact.get(in: store, id: 1)?.phones ?? [], is: #"["555-1234"]"#, at: "Docs/Migrations.md:504")
        expectOutput(try Contact.get(in: store, id: 1)?.age ?? -1, is: #"-1.0"#, at: "Docs/Migrations.md:505")
        expectOutput(try Contact.get(in: store, id: 2)?.age ?? -1, is: #"30.0"#, at: "Docs/Migrations.md:506")
        _ = store
    }
}
