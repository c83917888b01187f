// The records of the killed migrations: a type in its old layout, and in two new layouts.

import Foundation
import Trove

@IndexKeyRecord(keyPrefix: 4_100_001, "number")
package struct OldParcel: Hashable {
    package let number: Int
    package var size: Int32
    package var shelf: Int32
    package var label: String

    /// - Parameter labelSize: The length of the label in bytes, so that the records take several transactions.
    package init(number: Int, labelSize: Int) {
        self.number = number
        size = Int32(truncatingIfNeeded: number &* 7919)
        // Spread over the new order, so that each transaction writes everywhere.
        shelf = Int32(truncatingIfNeeded: number &* 2_654_435_761 >> 8)
        label = String(repeating: Character(Unicode.Scalar(UInt8(97 + number % 26))), count: labelSize)
    }

    /// Creates a store with so many parcels.
    package static func fill(_ path: String, count: Int, labelSize: Int) throws {
        let store = try Store(path: path, options: StoreOptions(durability: .noSync))
        for start in stride(from: 0, to: count, by: 50_000) {
            try store.write { context in
                for number in start..<min(count, start + 50_000) {
                    try context.insert(OldParcel(number: number, labelSize: labelSize))
                }
            }
        }
    }
}

/// The same key, with longer and additional fields.
@IndexKeyRecord(keyPrefix: 4_100_001, "number")
package struct WideParcel: Hashable {
    package let number: Int
    package var label: String
    package var note: String?
    package var size: Int
    package var shelf: Int32
    package var weight: Double = 1.5
}

/// Another key order.
@IndexKeyRecord(keyPrefix: 4_100_001, "shelf", "number")
package struct ShelvedParcel: Hashable {
    package let shelf: Int32
    package let number: Int
    package var size: Int32
    package var label: String
}
