// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1807
@EntityModel(keepsDeleted: true)
private struct Letter {
    let id: Int
    var text: String
    @Relationship(deleteRule: .cascade, inverse: \.letter) var attachments: [Attachment]?
    @Relationship(inverse: \.letters) var folder: Folder?
}

// Docs/Cookbook.md:1815
@EntityModel(keepsDeleted: true)
private struct Attachment {
    let id: String
    @Relationship(.required, inverse: \.attachments) var letter: Letter?
}

// Docs/Cookbook.md:1821
@EntityModel
private struct Folder {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.folder) var letters: [Letter]?
}

// Docs/Cookbook.md:1828
private func restore(_ id: Int, in context: TransactionContext) throws {
    guard var letter = try Deleted<Letter>.query(id).resolve(in: context)?.entity else { return }
    if let folder = letter.$folder.id, try Folder.query(folder).resolve(in: context) == nil {
        letter.$folder = .relation(Folder(id: 0))
    }
    try letter.save(to: context)  // takes it out of the trash, as restore(in:) does
    for attachment in try Deleted<Attachment>.query(letter.$attachments.ids).resolve(in: context) {
        try attachment.restore(in: context)
    }
}

enum Cookbook_ATrashWithAttachments {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1807



        /// Restores a letter with its attachments. A letter whose folder is gone is put into the folder 0.

        let store = try Store.temporary(records: [Folder.self])
        try Folder(id: 5).save(to: store)
        try Letter(
            id: 1, text: "Photos", attachments: .relation([Attachment(id: "b.png"), Attachment(id: "a.png")]), folder: .id(5)
        ).save(to: store)
        try Letter.delete(id: 1, from: store)
        expectOutput(try Attachment.query().count(in: store), try Deleted<Attachment>.query().count(in: store), is: #"0 2"#, at: "Docs/Cookbook.md:1845")

        try store.write { try restore(1, in: $0) }
        expectOutput(try Letter.query(1).related(\.$attachments).keys(in: store), is: #"["b.png", "a.png"]"#, at: "Docs/Cookbook.md:1848")

        try Folder.delete(id: 5, from: store)  // with the letter and its attachments
        try store.write { try restore(1, in: $0) }
        expectOutput(try Letter.query(1).related(\.$folder).keys(in: store), try Attachment.query().count(in: store), is: #"[0] 2"#, at: "Docs/Cookbook.md:1852")
        _ = store
    }
}
