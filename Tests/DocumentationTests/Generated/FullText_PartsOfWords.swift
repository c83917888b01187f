// The Swift samples of Docs/FullText.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/FullText.md:657
@IndexKeyRecord("id")
private struct Plant {
    #FullTextIndex<Plant>(\.name, \.note, analyzer: .trigrams)

    let id: Int
    var name: String
    var note: String?
}

enum FullText_PartsOfWords {
    @Sendable static func run() throws {
        // Docs/FullText.md:657

        let plants = try Store.temporary()
        try plants.insert(contentsOf: [
            Plant(id: 1, name: "Banana", note: nil), Plant(id: 2, name: "Pineapple", note: "Ananas comosus"),
            Plant(id: 3, name: "Apple", note: "A tree."),
        ])
        expectOutput(try Plant.filter(.string(\.name, contains: "nan")).keys(in: plants), is: #"[1]"#, at: "Docs/FullText.md:671")
        expectOutput(try Plant.filter(.string(\.name, \.note, contains: "anana")).keys(in: plants), is: #"[1, 2]"#, at: "Docs/FullText.md:672")
        expectOutput(try Plant.filter(.string(\.name, \.note, matches: "ananass")).keys(in: plants), is: #"[2, 1]"#, at: "Docs/FullText.md:673")
        expectOutput(try Plant.matching("nana").keys(in: plants).sorted(), is: #"[1, 2]"#, at: "Docs/FullText.md:674")
        // Docs/FullText.md:684
        print(try Plant.filter(.string(\.name, hasPrefix: "Pineap")).explain(in: plants))
        // candidates by fullText(name,note by trigrams/1) of Plant: name:(pin and ine and nea and eap)
        // filter: name hasPrefix "Pineap"
        // order: keys sorted
        // trigrams: pin 1 record, ine 1, nea 1, eap 1; rows to read: at most 1
        _ = plants
    }
}
