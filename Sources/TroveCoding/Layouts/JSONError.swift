// The error of reading JSON by a layout: the field, the place and the expected value.

/// An error of reading JSON: the place, and the value expected there.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset in the text's UTF-8.
    public var offset: Int
    /// The property with the value, such as `home.tags[2]`; empty for the record itself.
    public var field = ""
    /// A description of the expected value.
    public var expected: String

    /// The field, and the expected value.
    public var description: String {
        "\(field.isEmpty ? "" : field + ": ")expected \(expected), at column \(offset + 1)"
    }
}
