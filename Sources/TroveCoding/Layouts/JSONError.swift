// The error of reading JSON by a layout: the field, the place and the expected value.

/// An error of reading JSON: the place, and the value expected there.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset in the text's UTF-8.
    public var offset: Int
    /// The property with the value, such as `home.tags[2]`; empty for the record itself.
    public var field = ""
    /// A description of the expected value.
    public var expected: String
    /// The text of the value that is not of its type, as it is in the JSON; nil for other errors.
    public var found: String?

    /// The field, the expected value, and the value found.
    public var description: String {
        let found = found.map { ", not \(Self.shortened($0))" } ?? ""
        return "\(field.isEmpty ? "" : field + ": ")expected \(expected)\(found), at column \(offset + 1)"
    }

    /// Returns the beginning of a text, for a message.
    package static func shortened(_ text: String) -> String { text.count > 40 ? String(text.prefix(40)) + "…" : text }
}
