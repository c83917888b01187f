// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1557
@EntityModel
private struct Folder {
    let id: Int
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \.folder) var notes: [Note]?
}

// Docs/Cookbook.md:1564
@EntityModel
private struct Note {
    #Index<Note>(\.folderID)

    let id: Int
    private(set) var folderID: Int?
    @Relationship(inverse: \.notes) var folder: Folder?

    mutating func willSave(to context: TransactionContext) throws {
        folderID = try $folder.isNone ? Note.get(in: context, id: id)?.folderID : $folder.id
    }
}

enum Cookbook_CountsBesideAList {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1557


        let store = try Store.temporary(records: [Folder.self])
        try ["Home", "Work", "Ideas"].enumerated().map { Folder(id: $0, name: $1) }.save(to: store)
        try (1...60).map { Note(id: $0, folder: .id($0 % 4 == 0 ? 1 : 0)) }.save(to: store)

        try store.read { context in
            let page = try Folder.query().sorted(by: \.name).limit(20).resolve(in: context)
            let counts = try page.map { try Folder.query($0.id).linkCount(of: \.$notes).resolve(in: context) }
            expectOutput(page.map(\.name), counts, is: #"["Home", "Ideas", "Work"] [45, 0, 15]"#, at: "Docs/Cookbook.md:1584")
        }
        // Docs/Cookbook.md:1591
        let counts = try Note.grouped(by: \.folderID).count(in: store)
        let busiest = counts.filter { $0.value >= 10 }.sorted { $0.value > $1.value }
        expectOutput(busiest.map { "\($0.key ?? -1): \($0.value)" }, is: #"["0: 45", "1: 15"]"#, at: "Docs/Cookbook.md:1593")
        _ = store
        _ = counts
        _ = busiest
    }
}
