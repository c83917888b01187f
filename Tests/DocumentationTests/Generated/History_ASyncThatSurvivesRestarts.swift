// The Swift samples of Docs/History.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/History.md:136
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var title: String
}

// Docs/History.md:142
@IndexKeyRecord("name")
private struct Position {
    let name: String
    var token: HistoryToken
}

// Docs/History.md:151
private func follow(_ source: Store, into copy: Store) throws {
    let token = try Position.get(in: copy, name: "notes")?.token
    try source.read { source in
        for commit in try source.history(after: token) where commit.author != "copy" {
            try copy.write { copy in
                for change in try commit.changes(of: Note.self) {
                    guard let id = change.key else { continue }
                    if let note = try Note.get(in: source, id: id) {
                        try copy.insert(note, onConflict: .replace)
                    } else {
                        try copy.delete(Note.self, key: id)
                    }
                }
                try copy.insert(Position(name: "notes", token: commit.token), onConflict: .replace)
            }
        }
    }
}

enum History_ASyncThatSurvivesRestarts {
    @Sendable static func run() throws {
        // Docs/History.md:134



        let source = try Store.temporary(records: [Note.self], options: StoreOptions(history: .keep(days: 30)))
        let copy = try Store.temporary(records: [Note.self, Position.self])


        try source.insert(Note(id: 1, title: "Milk"))
        try source.insert(Note(id: 2, title: "Bread"))
        try follow(source, into: copy)
        try source.delete(Note.self, key: 1)
        try follow(source, into: copy)
        expectOutput(try Note.query().resolve(in: copy).map(\.title), is: #"["Bread"]"#, at: "Docs/History.md:175")
        _ = source
        _ = copy
    }
}
