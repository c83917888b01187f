// Decimal as a field: its description, the shortest decimal text, as a String; "NaN" for the one that is no number.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Decimal: RecordValue {
    /// `Decimal`.
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Decimal") }

    /// The size of the text and of its length.
    public var encodedSize: Int { description.encodedSize }

    /// Writes the text.
    public func encode(into writer: inout ValueWriter) { description.encode(into: &writer) }

    /// Reads the text.
    ///
    /// - Throws: `malformed` when it is not the one that a number is written as.
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let start = reader.offset
        let text = try String(decoding: &reader)
        guard let value = text == "NaN" ? .nan : Decimal(string: text), value.description == text else {
            throw reader.malformed("a decimal number in its shortest form", at: start)
        }
        self = value
    }

    /// Moves past the text.
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try String.skip(in: &reader) }
}
