// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:358
@EntityModel
private struct Contact {
    #Index<Contact>(\.sortKey)

    let id: Int
    var name: String
    private(set) var sortKey: String = ""

    mutating func willSave(to context: TransactionContext) throws {
        sortKey = name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
}

enum Cookbook_AnOrderThatReadersExpect {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:358

        let store = try Store.temporary(records: [Contact.self])
        let names = ["Zoe", "adam", "Émile", "Eric", "Line 9", "Line 10"]
        try names.enumerated().map { Contact(id: $0, name: $1) }.save(to: store)

        let page = Contact.query().sorted(by: \.sortKey).limit(3)
        expectOutput(try page.select(\.name).resolve(in: store), is: #"["adam", "Émile", "Eric"]"#, at: "Docs/Cookbook.md:376")
        // Docs/Cookbook.md:382
        let lines = Contact.filter(.string(\.name, hasPrefix: "line")).sorted {
            $0.name.compare($1.name, options: [.caseInsensitive, .numeric]) == .orderedAscending
        }
        expectOutput(try lines.select(\.name).resolve(in: store), is: #"["Line 9", "Line 10"]"#, at: "Docs/Cookbook.md:385")
        _ = store
        _ = names
        _ = page
        _ = lines
    }
}
