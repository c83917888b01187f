// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1487
private struct LoopInTree: Error {}

// Docs/Cookbook.md:1489
@EntityModel
private struct Folder {
    let id: Int
    var name: String
    @Relationship(inverse: \.children) var parent: Folder?
    @Relationship(deleteRule: .cascade, inverse: \.parent) var children: [Folder]?

    mutating func willSave(to context: TransactionContext) throws {
        var path = [id]
        var next = try $parent.isNone ? Folder.parent(of: id, in: context) : $parent.id
        while let above = next {
            if path.contains(above) { throw LoopInTree() }
            path.append(above)
            next = try Folder.parent(of: above, in: context)
        }
        if $children.ids.contains(where: path.contains) { throw LoopInTree() }
    }
}

// Docs/Cookbook.md:1508
extension Folder {
    static func parent(of id: Int, in context: ReadContext) throws -> Int? {
        try query(id).related(\.$parent).keys(in: context).first
    }

    /// The folders below a folder, level by level: a query for each level.
    static func descendants(of id: Int, in context: ReadContext) throws -> [Int] {
        var found: [Int] = []
        var level = [id]
        while !level.isEmpty {
            level = try query(level).related(\.$children).keys(in: context)
            found += level
        }
        return found
    }
}

enum Cookbook_ATree {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1487



        let store = try Store.temporary(records: [Folder.self])
        try Folder(
            id: 1, name: "All",
            children: .relation([
                Folder(id: 2, name: "Work", children: .relation([Folder(id: 4, name: "2026")])), Folder(id: 3, name: "Home"),
            ])
        ).save(to: store)
        expectOutput(try store.read { try Folder.descendants(of: 1, in: $0) }, is: #"[2, 3, 4]"#, at: "Docs/Cookbook.md:1532")
        expectOutput(try Folder.filter(.hasNone(\.$parent)).select(\.name).resolve(in: store), is: #"["All"]"#, at: "Docs/Cookbook.md:1533")

        for loop in [
            Folder(id: 2, name: "Work", parent: .id(4)), Folder(id: 4, name: "2026", children: .appending(ids: [1])),
        ] {
            do {
                try loop.save(to: store)
            } catch is LoopInTree {
                expectOutput("refused", is: #"refused"#, at: "Docs/Cookbook.md:1541")
            }
        }
        try Folder(id: 4, name: "2026", parent: .id(3)).save(to: store)
        expectOutput(try store.read { try Folder.descendants(of: 3, in: $0) }, is: #"[4]"#, at: "Docs/Cookbook.md:1545")
        _ = store
    }
}
