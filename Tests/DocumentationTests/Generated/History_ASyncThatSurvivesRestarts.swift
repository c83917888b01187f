// The Swift samples of Docs/History.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/History.md:148
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var title: String
}

// Docs/History.md:154
@IndexKeyRecord("name")
private struct Position {
    let name: String
    var token: HistoryToken
}

// Docs/History.md:164
private func copyAll(of source: ReadContext, into copy: Store) throws {
    try copy.write { copy in
        try Note.query().delete(in: copy)
        try copy.insert(contentsOf: Note.query().resolve(in: source))
        try copy.insert(Position(name: "notes", token: source.historyToken), onConflict: .replace)
    }
}

// Docs/History.md:172
private func follow(_ source: Store, into copy: Store) throws {
    let token = try Position.get(in: copy, name: "notes")?.token
    try source.read { source in
        guard let token else { return try copyAll(of: source, into: copy) }
        for commit in try source.history(after: token) where commit.author != "copy" {
            let changes = try commit.changes(of: Note.self)
            if changes.contains(.any) { return try copyAll(of: source, into: copy) }
            try copy.write { copy in
                for id in changes.compactMap(\.key) {
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
        // Docs/History.md:146



        let source = try Store.temporary(records: [Note.self], options: StoreOptions(history: .keep(days: 30)))
        let copy = try Store.temporary(records: [Note.self, Position.self])

        /// The first run, and whenever any note may have changed.


        try source.insert(Note(id: 1, title: "Milk"))
        try follow(source, into: copy)
        try source.insert(Note(id: 2, title: "Bread"))
        try source.delete(Note.self, key: 1)
        try follow(source, into: copy)
        expectOutput(try Note.query().resolve(in: copy).map(\.title), is: #"["Bread"]"#, at: "Docs/History.md:198")
        _ = source
        _ = copy
    }
}
