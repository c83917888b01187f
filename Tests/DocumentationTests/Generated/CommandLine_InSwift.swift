// The Swift samples of Docs/CommandLine.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/CommandLine.md:771
@IndexKeyRecord("name")
private struct Person {
    let name: String
}

enum CommandLine_InSwift {
    @Sendable static func run() throws {
        // Docs/CommandLine.md:771
        do { try Store(path: samplePath("people.trove")).insert(Person(name: "Zoe")) }
        let path = try Store(path: samplePath("people.trove")).path
        // Docs/CommandLine.md:780
        let report = try Store.verify(path: path)
        expectOutput(report.isSound, report.records, is: #"true 1"#, at: "Docs/CommandLine.md:781")

        let salvaged = try Store.salvage(from: path, to: path + ".saved")
        expectOutput(salvaged.isComplete, salvaged.copied, is: #"true 1"#, at: "Docs/CommandLine.md:784")
        _ = path
        _ = report
        _ = salvaged
    }
}
