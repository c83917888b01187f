// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:657
@IndexKeyRecord(keyPrefix: 9, "id")
private struct FirstPerson {
    let id: UUID
    var name: String
    var score: Int
}

// Docs/Migrations.md:664
@IndexKeyRecord(keyPrefix: 9, "id")
private struct Person {
    let id: UUID
    @Renamed("name") var fullName: String
    var score: Double
}

enum Migrations_AChangedLayoutInReview {
    @Sendable static func run() throws {
        // Docs/Migrations.md:653
        let lock = try Store(path: samplePath("lock.trove")).path + ".json"
        // Docs/Migrations.md:657


        try SchemaLock.write([FirstPerson.self], at: lock)  // an absolute path stands for itself
        try SchemaLock.check([FirstPerson.self], at: lock)

        do {
            try SchemaLock.check([Person.self], at: lock)
        } catch SchemaLockError.changed(_, let changes) {
            expectOutput(changes[1].kind, is: #"fullName was named name"#, at: "Docs/Migrations.md:677")
            expectOutput(changes.contains(where: \.isMistake), is: #"false"#, at: "Docs/Migrations.md:678")
        }
        _ = lock
    }
}
