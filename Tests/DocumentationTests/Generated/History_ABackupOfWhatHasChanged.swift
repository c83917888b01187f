// The Swift samples of Docs/History.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/History.md:292
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var title: String
}

enum History_ABackupOfWhatHasChanged {
    @Sendable static func run() throws {
        // Docs/History.md:289


        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = { (name: String) in folder.appending(path: name).path }

        let options = StoreOptions(history: .keep(days: 30))
        let store = try Store(path: path("notes.trove"), records: [Note.self], options: options)
        try store.insert(Note(id: 1, title: "Milk"))
        try store.insert(Note(id: 2, title: "Bread"))

        // Sunday: the whole store. The copy has a token of its own.
        try store.copy(to: path("backup.trove"))

        // Monday: what has changed since.
        try store.delete(Note.self, key: 1)
        try store.insert(Note(id: 3, title: "Salt"))
        let backup = try Store(path: path("backup.trove"), options: StoreOptions(isReadOnly: true))
        let token = try backup.read { try $0.historyToken }
        try backup.close()
        try store.copyChanges(since: token, to: path("monday.changes"))
        let applied = try Store.applyChanges(from: path("monday.changes"), to: path("backup.trove"))
        expectOutput(applied.stored, applied.removed, is: #"1 1"#, at: "Docs/History.md:318")
        try store.close()

        let restored = try Store(path: path("backup.trove"), records: [Note.self], options: options)
        expectOutput(try Note.query().resolve(in: restored).map(\.title), is: #"["Bread", "Salt"]"#, at: "Docs/History.md:322")
        try restored.close()
        try FileManager.default.removeItem(at: folder)
        _ = folder
        _ = path
        _ = options
        _ = store
        _ = backup
        _ = token
        _ = applied
        _ = restored
    }
}
