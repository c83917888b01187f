// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:986
@IndexKeyRecord("id")
private struct Sender {
    let id: Int
    var name: String
}

// Docs/Cookbook.md:992
@IndexKeyRecord("id")
private struct Letter {
    #FullTextIndex<Letter>("Everything", gathering: { keys, context in
        var texts: [Int: String] = [:]
        for letter in try context.get(Letter.self, keys: keys) {
            let sender = try context.get(Sender.self, key: letter.sender)
            texts[letter.id] = [sender?.name ?? "", letter.text].joined(separator: " ")
        }
        return texts
    })
    #Index<Letter>(\.sender)

    let id: Int
    var sender: Int
    var text: String
}

// Docs/Cookbook.md:1018
private func rename(_ sender: Sender, in context: TransactionContext) throws {
    try context.insert(sender, onConflict: .replace)
    try Letter.filter(\.sender == sender.id).regather(in: context)
}

enum Cookbook_SearchInWhatRecordsReferTo {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:986


        let letters = try Store(path: samplePath("letters.trove"), records: [Sender.self, Letter.self])
        try letters.write { context in
            try context.insert(contentsOf: [Sender(id: 1, name: "Ada"), Sender(id: 2, name: "Bo")])
            try context.insert(contentsOf: [
                Letter(id: 1, sender: 1, text: "The boat is ready."), Letter(id: 2, sender: 2, text: "Which boat?"),
            ])
        }
        expectOutput(try Letter.matching("bo boat").keys(in: letters), is: #"[2]"#, at: "Docs/Cookbook.md:1016")

        try letters.write { try rename(Sender(id: 2, name: "Bob Ek"), in: $0) }
        expectOutput(try Letter.matching("ek").keys(in: letters), try letters.check(gathering: true), is: #"[2] []"#, at: "Docs/Cookbook.md:1023")
        _ = letters
    }
}
