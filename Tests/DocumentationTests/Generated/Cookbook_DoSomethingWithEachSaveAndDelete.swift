// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1863
private struct EmptyTitle: Error {}

// Docs/Cookbook.md:1865
@IndexKeyRecord("page", "number")
private struct Revision {
    let page: String
    let number: Int
    let title: String
}

// Docs/Cookbook.md:1872
@EntityModel
private struct Page {
    let id: String
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \.parent) var children: [Page]?
    @Relationship(inverse: \.children) var parent: Page?

    mutating func willSave(to context: TransactionContext) throws {
        title = title.trimmingCharacters(in: .whitespaces)
        if title.isEmpty { throw EmptyTitle() }
    }

    func didSave(to context: TransactionContext) throws {
        let number = try Revision.query(page: id).count(in: context)
        try context.insert(Revision(page: id, number: number, title: title))
    }

    func didDelete(from context: TransactionContext) throws {
        try Revision.delete(in: context, page: id)
    }
}

enum Cookbook_DoSomethingWithEachSaveAndDelete {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1863



        let store = try Store.temporary(records: [Page.self, Revision.self])
        try Page(id: "1", title: " Home ", children: .relation([Page(id: "2", title: "News")])).save(to: store)
        try store.insert(Page(id: "2", title: "The news"))
        expectOutput(try Revision.query().select(\.title).resolve(in: store), is: #"["Home", "News", "The news"]"#, at: "Docs/Cookbook.md:1897")

        do {
            try Page(id: "3", title: "About", children: .relation([Page(id: "4", title: " ")])).save(to: store)
        } catch is EmptyTitle {
            expectOutput(try Page.query().count(in: store), is: #"2"#, at: "Docs/Cookbook.md:1902")
        }

        try Page.delete(id: "1", from: store)
        expectOutput(try Revision.query().count(in: store), is: #"0"#, at: "Docs/Cookbook.md:1906")
        _ = store
    }
}
