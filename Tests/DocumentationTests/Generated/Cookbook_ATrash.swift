// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1769
@EntityModel
private struct Folder {
    let id: Int
    @Relationship(deleteRule: .cascade, inverse: \.folder) var memos: [Memo]?
}

// Docs/Cookbook.md:1775
@EntityModel(keepsMetadata: true, keepsDeleted: true)
private struct Memo {
    let id: Int
    var text: String
    @Relationship(inverse: \.memos) var folder: Folder?
}

enum Cookbook_ATrash {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1769


        let store = try Store.temporary(records: [Folder.self])
        let memos = [Memo(id: 1, text: "Milk"), Memo(id: 2, text: "Bread"), Memo(id: 3, text: "Tea")]
        try Folder(id: 1, memos: .relation(memos)).save(to: store)
        expectOutput(try memos[0].updatedAt(in: store) != nil, is: #"true"#, at: "Docs/Cookbook.md:1785")

        try Memo.filter(\.id < 3).delete(in: store)
        let trash = try Deleted<Memo>.query().sorted(by: \.deletedAt.desc, \.id).resolve(in: store)
        expectOutput(trash.count, trash[0].entity.$folder.id ?? 0, is: #"2 1"#, at: "Docs/Cookbook.md:1789")

        try Deleted<Memo>.query(1).resolve(in: store)?.restore(in: store)
        expectOutput(try Memo.query().select(\.text).resolve(in: store), is: #"["Milk", "Tea"]"#, at: "Docs/Cookbook.md:1792")

        let monthAgo = Date(timeIntervalSinceNow: -30 * 86_400)
        expectOutput(try Deleted<Memo>.filter(\.deletedAt < monthAgo).delete(in: store), is: #"0"#, at: "Docs/Cookbook.md:1795")
        expectOutput(try Deleted<Memo>.filter(\.entity.text == "Bread").delete(in: store), is: #"1"#, at: "Docs/Cookbook.md:1796")
        _ = store
        _ = memos
        _ = trash
        _ = monthAgo
    }
}
