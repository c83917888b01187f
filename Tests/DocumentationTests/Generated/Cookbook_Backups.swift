// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:2030
@IndexKeyRecord("id")
private struct Invoice {
    let id: Int
    var total: Int
}

enum Cookbook_Backups {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:2030

        let store = try Store(path: samplePath("invoices.trove"), records: [Invoice.self])
        try store.insert(Invoice(id: 1, total: 250))

        let backup = store.path + ".backup"
        let report = try store.copy(to: backup, compacting: true)
        expectOutput(report.records, is: #"1"#, at: "Docs/Cookbook.md:2041")
        let copied = try Store(path: backup, records: [Invoice.self], options: StoreOptions(isReadOnly: true))
        expectOutput(try Invoice.get(in: copied, id: 1)?.total ?? 0, is: #"250"#, at: "Docs/Cookbook.md:2043")
        _ = store
        _ = backup
        _ = report
        _ = copied
    }
}
