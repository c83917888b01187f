// The Swift samples of Docs/CloudKit.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/CloudKit.md:84
@CloudKitRecord
@IndexKeyRecord("id")
private struct Folder {
    let id: Int
    var parent: Int?

    static func ckFieldName(for property: String) -> String { property == "parent" ? "parentFolder" : property }
}

enum CloudKit_WhichFieldAPropertyBecomes {
    @Sendable static func run() throws {
        // Docs/CloudKit.md:82


        expectOutput(Folder.ckFieldName(for: "parent"), is: #"parentFolder"#, at: "Docs/CloudKit.md:93")
    }
}
