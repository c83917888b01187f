// The Swift samples of Docs/CloudKit.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/CloudKit.md:26
@CloudKitRecord
@IndexKeyRecord("id")
private struct Person {
    let id: UUID
    var name: String
    var age: Int?
}

enum CloudKit_ConvertARecord {
    @Sendable static func run() throws {
        // Docs/CloudKit.md:24


        expectOutput(Person.ckRecordType, is: #"Person"#, at: "Docs/CloudKit.md:34")
    }
}
