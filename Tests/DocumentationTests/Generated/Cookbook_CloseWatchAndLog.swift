// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1964
@IndexKeyRecord("number")
private struct Job {
    let number: Int
    var state: String
}

enum Cookbook_CloseWatchAndLog {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1964

        let options = StoreOptions(slowQueryThreshold: .milliseconds(100))
        let store = try Store(path: samplePath("jobs.trove"), records: [Job.self], options: options)
        for number in 0..<3 { try store.insert(Job(number: number, state: "new")) }
        expectOutput(try Job.filter(\.state == "new").count(in: store), is: #"3"#, at: "Docs/Cookbook.md:1973")

        let statistics = try store.statistics
        expectOutput(statistics.writes.commits, is: #"3"#, at: "Docs/Cookbook.md:1976")
        expectOutput(statistics.openReads, is: #"0"#, at: "Docs/Cookbook.md:1977")

        try store.copy(to: URL(filePath: store.path + ".copy"))
        try store.close()
        _ = options
        _ = store
        _ = statistics
    }
}
