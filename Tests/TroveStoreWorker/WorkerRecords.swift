// The records that tests and their child processes share.

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
