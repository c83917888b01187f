// Decimal as a field: its description, the shortest decimal text, as a String. NaN is "NaN". Decimal+Key.swift has its
// bytes in keys.

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
    /// - Throws: `malformed` if the text is not the description of a number.
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let start = reader.offset
        let text = try String(decoding: &reader)
        guard let value = Decimal(shortest: text) else {
            throw reader.malformed("a decimal number in its shortest form", at: start)
        }
        self = value
    }

    /// Creates the number with the description `text`. Foundation also accepts exponents, blanks, and a number before
    /// other text: such texts are rejected first.
    init?(shortest text: String) {
        let isPlain = text.utf8.count <= 256 && text.utf8.allSatisfy { (0x2D...0x39).contains($0) }
        guard let value = text == "NaN" ? .nan : isPlain ? Decimal(string: text) : nil, value.description == text
        else { return nil }
        self = value
    }

    /// Moves past the text.
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try String.skip(in: &reader) }
}

extension Decimal: StoredScalar {
    var fieldValue: FieldValue { .decimal(self) }

    init?(fieldValue: FieldValue) {
        guard case .decimal(let number) = fieldValue else { return nil }
        self = number
    }

    /// Creates the number of a text:
    ///
    ///     text = "NaN" | sign? digits ("." digits)? (("e" | "E") sign? digits)?
    ///
    /// Foundation also accepts a number before other text: such texts are rejected first.
    init?(text: String) {
        if text == "NaN" {
            self = .nan
        } else if Self.isNumber(text) {
            self.init(string: text)
        } else {
            return nil
        }
    }

    private static func isNumber(_ text: String) -> Bool {
        var cursor = DigitCursor(text)
        _ = cursor.takeSign()
        return cursor.skipDigits() && cursor.skipFractionAndExponent() && cursor.isAtEnd
    }

    var jsonToken: JSONToken { .string(description) }

    static var isPlainInJSON: Bool { true }

    static var extent: ScalarExtent { .counted }
}

extension LayoutType {
    /// A decimal number.
    public static var decimal: LayoutType { LayoutType(Decimal.self) }
}
