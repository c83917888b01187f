// The Swift samples of Docs/Migrations.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Migrations.md:188
@IndexKeyRecord(keyPrefix: 8, "id")
private struct FirstTicket {
    #Index<FirstTicket>(\.gate)

    let id: Int
    var gate: String
    var seat: Int
}

// Docs/Migrations.md:197
@IndexKeyRecord(keyPrefix: 8, "id")
private struct Ticket {
    #Index<Ticket>(\.seat)  // in place of the gate

    let id: Int
    var gate: String
    var seat: Int
    var note: String?
}

// Docs/Migrations.md:229
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var text: String
}

enum Migrations_WhenRecordsAreRewritten {
    @Sendable static func run() throws {
        // Docs/Migrations.md:188


        do {
            let store = try Store(path: samplePath("tickets.trove"), records: [FirstTicket.self])
            try store.insert(FirstTicket(id: 1, gate: "B", seat: 12))
        }
        do {
            let store = try Store(path: samplePath("tickets.trove"))
            expectOutput(try store.migrationPlan(for: [Ticket.self]).types[0].undeclaredIndexes, is: #"["index(gate)"]"#, at: "Docs/Migrations.md:213")
        }
        do {
            let store = try Store(
                path: samplePath("tickets.trove"), records: [Ticket.self], migrations: .onOpen.droppingUndeclaredIndexes)
            expectOutput(try Ticket.filter(\.seat == 12).keys(in: store), is: #"[1]"#, at: "Docs/Migrations.md:218")
        }
        // Docs/Migrations.md:229

        let notes = try Store(path: samplePath("notes.trove"), records: [Note.self], migrations: .background) { step in
            print("\(step.type), \(step.phase): \(step.done) of \(step.total)")
        }
        try notes.finishMigrations()  // waits until nothing is left
        _ = notes
    }
}
