// The Swift samples of Docs/ComingFrom.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove
import TroveSpellings

// Docs/ComingFrom.md:233
@EntityModel
private struct Note: Codable {
    let id: String
    var text: String?
    @Relationship(inverse: \.notes) var folder: Folder?

    mutating func willSave(to context: TransactionContext) throws { text = text?.trimmingCharacters(in: .whitespaces) }
}

// Docs/ComingFrom.md:242
@EntityModel
private struct Folder: Codable {
    let id: String
    @Relationship(deleteRule: .cascade, inverse: \.folder) var notes: [Note]?
}

enum ComingFrom_SwiftletModel {
    @Sendable static func run() throws {
        // Docs/ComingFrom.md:233


        let store = try Store(path: samplePath("notes.trove"), records: [Folder.self])
        var folder = Folder(id: "1", notes: .relation([Note(id: "1", text: " Tea ")]))
        try folder.save(to: store)
        folder.$notes = .appending(fragment: [Note(id: "1"), Note(id: "2", text: "Milk")])
        try folder.save(to: store, merging: .fragment)
        expectOutput(try Note.query().resolve(in: store).map { $0.text ?? "none" }, is: #"["Tea", "Milk"]"#, at: "Docs/ComingFrom.md:253")
        expectOutput(try Note.get(in: store, id: "1")?.text ?? "none", is: #"Tea"#, at: "Docs/ComingFrom.md:254")
        // Docs/ComingFrom.md:260

        var context = Context()
        try folder.save(to: &context)
        expectOutput(try Note.filter(\.text != nil).and(\.id == "2").count(in: context), is: #"1"#, at: "Docs/ComingFrom.md:264")
        _ = store
        _ = folder
        _ = context
    }
}
