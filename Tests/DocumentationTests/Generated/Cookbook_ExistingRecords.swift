// The Swift samples of Docs/Cookbook.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/Cookbook.md:1098
@IndexKeyRecord("name")
private struct Setting: Hashable {
    let name: String
    var value: Int
}

enum Cookbook_ExistingRecords {
    @Sendable static func run() throws {
        // Docs/Cookbook.md:1098

        let store = try Store.temporary()
        try store.write { context in
            try context.insert(Setting(name: "volume", value: 3))

            var volume = try Setting.get(in: context, name: "volume")
            volume?.value += 1
            if let volume { try context.insert(volume) }

            // Keep the stored record.
            try context.insert(Setting(name: "volume", value: 100), onConflict: .ignore)
        }
        expectOutput(try Setting.get(in: store, name: "volume")?.value ?? 0, is: #"4"#, at: "Docs/Cookbook.md:1115")
        // Docs/Cookbook.md:1123
        try store.write { context in
            do {
                try context.insert(Setting(name: "volume", value: 100), onConflict: .throw)
            } catch {
                try context.insert(Setting(name: "refused", value: 1))
            }
        }
        expectOutput(try Setting.query().keys(in: store).map(\.description), is: #"["refused", "volume"]"#, at: "Docs/Cookbook.md:1130")
        _ = store
    }
}
