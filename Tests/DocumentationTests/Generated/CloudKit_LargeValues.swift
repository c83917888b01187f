// The Swift samples of Docs/CloudKit.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/CloudKit.md:214
@CloudKitRecord(assets: "photo")
@IndexKeyRecord("id")
private struct Portrait {
    let id: Int
    var photo: Data?
}

enum CloudKit_LargeValues {
    @Sendable static func run() throws {
    }
}
