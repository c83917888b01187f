// The Swift samples of Docs/CloudKit.md, written by scripts/update-doc-samples: change the document, not this file.
// swift-format-ignore-file

import Foundation
import Trove

// Docs/CloudKit.md:130
@CloudKitRecord
@IndexKeyRecord("lastName", "number")
private struct Seat {
    let lastName: String
    let number: Int
}

enum CloudKit_NamesOfRecords {
    @Sendable static func run() throws {
        // Docs/CloudKit.md:128


        let seat = Seat(lastName: "Dallas", number: 7)
        expectOutput(Seat.ckRecordName(for: seat.indexKey), is: #"Seat(lastName: "Dallas", number: 7)"#, at: "Docs/CloudKit.md:138")
        expectOutput(Seat.indexKey(ofRecordNamed: "Seat(lastName: \"Dallas\", number: 7)") == seat.indexKey, is: #"true"#, at: "Docs/CloudKit.md:139")
        _ = seat
    }
}
