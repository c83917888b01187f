// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:182
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var text: String
}

enum Migrations_WhenRecordsAreRewritten {
    @Sendable static func run() throws {
        // Docs/Migrations.md:182

        let notes = try Store(path: samplePath("notes.trove"), records: [Note.self], migrations: .background) { step in
            print("\(step.type), \(step.phase): \(step.done) of \(step.total)")
        }
        try notes.finishMigrations()  // waits until nothing is left
        _ = notes
    }
}
