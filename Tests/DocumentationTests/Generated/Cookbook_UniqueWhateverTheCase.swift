// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:319
@EntityModel
private struct Tag {
    #Unique<Tag>(\.folded, collisions: .throw)

    let id: AutoID
    var name: String
    private(set) var folded: String = ""

    mutating func willSave(to context: TransactionContext) throws { folded = Tag.folded(name) }

    /// The name without case, accents and width, in a single spelling.
    static func folded(_ name: String) -> String {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .precomposedStringWithCanonicalMapping
    }
}

enum Cookbook_UniqueWhateverTheCase {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:319

        let store = try Store.temporary(records: [Tag.self])
        try Tag(id: AutoID(), name: "Café").save(to: store)
        do {
            try Tag(id: AutoID(), name: "CAFE\u{301}").save(to: store)
        } catch StoreError.record(.notUnique(_, let index, _, _)) {
            expectOutput(index, is: #"unique(folded)"#, at: "Docs/Cookbook.md:341")
        }
        expectOutput(try Tag.filter(\.folded == Tag.folded("cafe")).first(in: store)?.name ?? "none", is: #"Café"#, at: "Docs/Cookbook.md:343")
        _ = store
    }
}
