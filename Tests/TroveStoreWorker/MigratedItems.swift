// A record type in the versions of several programs, for the tests of migrations between processes.

import Foundation
import Trove

/// The type of the old program.
@IndexKeyRecord(keyPrefix: 4_000_004, "number")
package struct OldItem: Hashable {
    package let number: Int
    package var size: Int8
    package var body: Data

    package init(number: Int) {
        self.number = number
        size = Int8(number % 100)
        body = Data(repeating: UInt8(truncatingIfNeeded: number), count: 1000)
    }

    package static func all(_ count: Int) -> [OldItem] { (0..<count).map { OldItem(number: $0) } }
}

/// A layout readable by the old program.
@IndexKeyRecord(keyPrefix: 4_000_004, "number")
package struct NewItem: Hashable {
    package let number: Int
    package var note: String?
    package var size: Int
    package var body: Data

    package init(number: Int) {
        let old = OldItem(number: number)
        self.number = number
        size = Int(old.size)
        body = old.body
    }
}

/// A layout unreadable by the old program: it does not know the new name of the field.
@IndexKeyRecord(keyPrefix: 4_000_004, "number")
package struct RenamedItem: Hashable {
    package let number: Int
    @Renamed("size") package var length: Int8
    package var body: Data

    package init(number: Int) {
        let old = OldItem(number: number)
        self.number = number
        length = old.size
        body = old.body
    }
}

/// The same records in another order.
@IndexKeyRecord(keyPrefix: 4_000_004, "size", "number")
package struct SortedItem: Hashable {
    package let size: Int8
    package let number: Int
    package var body: Data

    package init(number: Int) {
        let old = OldItem(number: number)
        size = old.size
        self.number = number
        body = old.body
    }
}

/// A type whose texts may be numbers.
@IndexKeyRecord(keyPrefix: 4_000_005, "number")
package struct TextItem: Hashable {
    package let number: Int
    package var text: String
    package var body: Data

    package init(number: Int, text: String) {
        self.number = number
        self.text = text
        body = OldItem(number: number).body
    }
}
