// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:734
@IndexKeyRecord(keyPrefix: 4, fieldsVersion: 1, "id")
private struct FirstContact {
    let id: Int
    var name: String
}

// Docs/Cookbook.md:740
@IndexKeyRecord(keyPrefix: 4, fieldsVersion: 2, "id")
private struct SecondContact {
    let id: Int
    var name: String
    var age: Int
}

// Docs/Cookbook.md:758
@IndexKeyRecord(keyPrefix: 4, fieldsVersion: 3, "id")
private struct Contact {
    let id: Int
    var firstName: String
    var lastName: String
    var age: Int?
}

// Docs/Cookbook.md:766
extension Contact {
    static func migrate(_ old: StoredFields, from version: UInt32) throws -> Contact {
        guard version < 3 else { throw unsupportedMigration(from: version) }
        let names = try old.value("name", as: String.self).split(separator: " ", maxSplits: 1).map(String.init)
        return Contact(
            id: try old.value("id", as: Int.self), firstName: names.first ?? "", lastName: names.last ?? "",
            age: try old.value("age", as: Int?.self))
    }
}

// Docs/Cookbook.md:791
@IndexKeyRecord(keyPrefix: 5, fieldsVersion: 1, "lastName", "firstName")
private struct FirstMember {
    let lastName: String
    let firstName: String
    var year: Int16
}

// Docs/Cookbook.md:805
@IndexKeyRecord(keyPrefix: 5, fieldsVersion: 2, "lastName", "firstName")
private struct Member {
    let lastName: String
    let firstName: String
    var century: Int
}

// Docs/Cookbook.md:812
extension Member {
    init(decoding reader: inout RecordReader, version: UInt32) throws {
        switch version {
        case 1:
            self.lastName = try String(decodingKey: &reader.key)
            self.firstName = try String(decodingKey: &reader.key)
            self.century = Int(try Int16(decoding: &reader.fields)) / 100 + 1
        default:
            throw Self.unsupportedMigration(from: version)
        }
    }
}

enum Cookbook_MigrationsByHand {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:734


        do {
            let store = try Store(path: samplePath("contacts.trove"))
            try store.insert(FirstContact(id: 1, name: "Korben Dallas"))
        }
        do {
            let store = try Store(path: samplePath("contacts.trove"))
            try store.insert(SecondContact(id: 2, name: "Ruby Rhod", age: 30))
        }
        // Docs/Cookbook.md:758


        let store = try Store(path: samplePath("contacts.trove"))
        expectOutput(try Contact.query().select(\.lastName, in: store), is: #"["Dallas", "Rhod"]"#, at: "Docs/Cookbook.md:777")
        expectOutput(try Contact.get(in: store, id: 1)?.age ?? -1, is: #"-1"#, at: "Docs/Cookbook.md:778")
        expectOutput(try Contact.get(in: store, id: 2)?.age ?? -1, is: #"30"#, at: "Docs/Cookbook.md:779")
        // Docs/Cookbook.md:791

        do {
            let store = try Store(path: samplePath("members.trove"))
            try store.insert(FirstMember(lastName: "Dallas", firstName: "Korben", year: 1997))
        }
        // Docs/Cookbook.md:805


        let members = try Store(path: samplePath("members.trove"))
        expectOutput(try Member.get(in: members, lastName: "Dallas", firstName: "Korben")?.century ?? 0, is: #"20"#, at: "Docs/Cookbook.md:826")
        _ = store
        _ = members
    }
}
