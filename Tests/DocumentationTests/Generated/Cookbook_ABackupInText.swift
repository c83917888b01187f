// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2445
@IndexKeyRecord("name")
private struct Person {
    let name: String
    var age: Int?
}

enum Cookbook_ABackupInText {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2445

        let store = try Store(path: samplePath("people.trove"))
        try store.insert(contentsOf: [Person(name: "Korben", age: 45), Person(name: "Leeloo", age: nil)])

        var lines: [String] = []
        try store.read { context in
            try context.forEachDumpLine(of: context.storedTypes()) { line in lines.append(line) }
        }
        expectOutput(lines[lines.count - 2], is: #"{"name":"Leeloo","age":null}"#, at: "Docs/Cookbook.md:2458")
        expectOutput(lines.last ?? "", is: #"["end",2]"#, at: "Docs/Cookbook.md:2459")

        var iterator = lines.makeIterator()
        let report = try Store.create(at: store.path + ".restored") { iterator.next() }
        expectOutput(report.records, is: #"2"#, at: "Docs/Cookbook.md:2463")
        _ = store
        _ = lines
        _ = iterator
        _ = report
    }
}
