// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1606
@EntityModel
private struct Folder {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.folder) var notes: [Note]?
}

// Docs/Cookbook.md:1612
@EntityModel
private struct Note {
    #Index<Note>(\.folderID, \.isPinned.desc, \.day.desc)

    let id: Int
    var isPinned: Bool = false
    var day: Int
    private(set) var folderID: Int?
    @Relationship(inverse: \.notes) var folder: Folder?

    mutating func willSave(to context: TransactionContext) throws {
        folderID = try $folder.isNone ? Note.get(in: context, id: id)?.folderID : $folder.id
    }
}

enum Cookbook_ASortedListOfOneOwner {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1606


        let store = try Store.temporary(records: [Folder.self])
        try (1...500).map { Note(id: $0, isPinned: $0 == 40, day: $0 / 10, folder: .id($0 % 2)) }.save(to: store)

        let list = Note.filter(\.folderID == 0).sorted(by: \.isPinned.desc, \.day.desc).limit(3)
        expectOutput(try list.keys(in: store), is: #"[40, 500, 490]"#, at: "Docs/Cookbook.md:1631")
        print(try list.explain(in: store))
        // scan index(folderID,isPinned desc,day desc) of Note, 1 range: folderID == 0
        // order: isPinned desc, day desc; as stored
        // limit 3
        // entries to read: 250
        _ = store
        _ = list
    }
}
