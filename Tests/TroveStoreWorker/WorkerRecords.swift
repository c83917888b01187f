// The records that tests and their child processes share.

import Trove

@IndexKeyRecord("writer", "number")
public struct Line: Hashable {
    public let writer: String
    public let number: Int
    public var text: String

    public init(writer: String, number: Int, text: String = "") {
        self.writer = writer
        self.number = number
        self.text = text
    }
}

@IndexKeyRecord("number")
public struct Left: Hashable {
    public let number: Int

    public init(number: Int) { self.number = number }
}

@IndexKeyRecord("number")
public struct Right: Hashable {
    public let number: Int

    public init(number: Int) { self.number = number }
}
