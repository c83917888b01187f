// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1738
@EntityModel(keepsMetadata: true)
private struct Article {
    let id: Int
    var title: String
    var isPublic: Bool = true
}

enum Cookbook_WhatWasSavedLast {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1738

        let store = try Store.temporary(records: [Article.self])
        for (id, title) in ["Owls", "Bats", "A longer title"].enumerated() { try Article(id: id, title: title).save(to: store) }
        let start = Date()
        try Article(id: 0, title: "Barn owls").save(to: store)

        let recent = Article.filter(\.isPublic).sorted(by: .updatedAt.desc).limit(2)
        expectOutput(try recent.select(\.title).resolve(in: store), is: #"["Barn owls", "A longer title"]"#, at: "Docs/Cookbook.md:1751")
        expectOutput(try Article.filter(.updated(within: start...Date())).count(in: store), is: #"1"#, at: "Docs/Cookbook.md:1752")
        expectOutput(try Article.query(1).filter(.updated(within: start...Date())).resolve(in: store) == nil, is: #"true"#, at: "Docs/Cookbook.md:1753")

        // Conditions and orders that no property has.
        let long = Article.filter { $0.title.count > 8 }.sorted { $0.title.count > $1.title.count }
        expectOutput(try long.keys(in: store), is: #"[2, 0]"#, at: "Docs/Cookbook.md:1757")
        _ = store
        _ = start
        _ = recent
        _ = long
    }
}
