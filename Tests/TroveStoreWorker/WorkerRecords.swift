// The records shared by tests and their child processes.

import Trove

@IndexKeyRecord("writer", "number")
package struct Line: Hashable {
    package let writer: String
    package let number: Int
    package var text: String

    package init(writer: String, number: Int, text: String = "") {
        self.writer = writer
        self.number = number
        self.text = text
    }

    /// Returns the expected text of a line.
    package static func text(of number: Int) -> String { String(repeating: "\(number) ", count: number * 37 % 1000) }
}

@IndexKeyRecord("number")
package struct Left: Hashable {
    package let number: Int

    package init(number: Int) { self.number = number }
}

@IndexKeyRecord("number")
package struct Right: Hashable {
    package let number: Int

    package init(number: Int) { self.number = number }
}

/// The other layout of the tests' `OldMark`, under the same version.
@IndexKeyRecord(keyPrefix: 4_000_003, fieldsVersion: 1, "number")
package struct NewMark: Hashable {
    package let number: Int
    package var value: String

    package init(number: Int, value: String) {
        self.number = number
        self.value = value
    }
}
