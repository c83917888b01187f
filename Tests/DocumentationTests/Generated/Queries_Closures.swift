// The Swift samples of Docs/Queries.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Queries.md:268
@IndexKeyRecord("id")
private struct Note {
    let id: Int
    var day: Int
    var text: String
}

enum Queries_Closures {
    @Sendable static func run() throws {
        // Docs/Queries.md:268

        let store = try Store.temporary()
        try store.insert(contentsOf: ["Tea", "Milk", "Rye bread", "Eggs"].enumerated().map { id, text in
            Note(id: id, day: id / 2, text: text)
        })

        let long = Note.filter { $0.text.count > 3 }
        expectOutput(try long.keys(in: store), try long.limit(1, offset: 1).keys(in: store), is: #"[1, 2, 3] [2]"#, at: "Docs/Queries.md:281")
        expectOutput(try Note.filter(\.day == 1 && .where { $0.text.contains(" ") }).count(in: store), is: #"1"#, at: "Docs/Queries.md:282")
        let byLength = Note.query().sorted { $0.text.count < $1.text.count }
        expectOutput(try byLength.select(\.text).resolve(in: store), is: #"["Tea", "Milk", "Eggs", "Rye bread"]"#, at: "Docs/Queries.md:284")

        print(try long.sorted { $0.text.count < $1.text.count }.explain(in: store))
        // scan Note, all records
        // filter: a closure
        // closure: decodes each record that passes the other conditions; no index serves it
        // order: a closure; all matches decoded and sorted
        // entries to read: 4
        _ = store
        _ = long
        _ = byLength
    }
}
