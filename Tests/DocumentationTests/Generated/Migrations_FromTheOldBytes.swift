// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:536
@IndexKeyRecord(keyPrefix: 5, fieldsVersion: 1, "lastName", "firstName")
private struct FirstMember {
    let lastName: String
    let firstName: String
    var year: Int16
}

// Docs/Migrations.md:550
@IndexKeyRecord(keyPrefix: 5, fieldsVersion: 2, "lastName", "firstName")
private struct Member {
    let lastName: String
    let firstName: String
    var century: Int
}

// Docs/Migrations.md:557
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

enum Migrations_FromTheOldBytes {
    @Sendable static func run() throws {
        // Docs/Migrations.md:536

        do {
            let store = try Store(path: samplePath("members.trove"))
            try store.insert(FirstMember(lastName: "Dallas", firstName: "Korben", year: 1997))
        }
        // Docs/Migrations.md:550


        let members = try Store(path: samplePath("members.trove"), records: [Member.self])
        expectOutput(try Member.get(in: members, lastName: "Dallas", firstName: "Korben")?.century ?? 0, is: #"20"#, at: "Docs/Migrations.md:571")
        _ = members
    }
}
