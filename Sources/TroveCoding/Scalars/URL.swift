// URL as a field: its text, and the text of its base.
//
//     value = string 0x00             the text, no base
//           | string 0x01 string      the text relative to a base, and the base's absolute text

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension URL: RecordValue {
    /// `URL`.
    public static func describe(in layout: inout LayoutBuilder) { layout.append("URL") }

    /// The sizes of the texts and the tag.
    ///
    /// - Throws: `unencodable` if Foundation would create another URL from the same texts.
    public var encodedSize: Int {
        get throws(CodingError) {
            let parts = parts
            guard URL(parts: parts) != nil else {
                throw CodingError(.unencodable("the URL <\(parts.text)> is not the URL of its text"))
            }
            return parts.text.encodedSize + (try parts.base.encodedSize)
        }
    }

    /// Writes the texts.
    public func encode(into writer: inout ValueWriter) {
        let parts = parts
        parts.text.encode(into: &writer)
        parts.base.encode(into: &writer)
    }

    /// Reads the texts.
    ///
    /// - Throws: `malformed` if the texts are not a URL, or not in the form in which it is written.
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let start = reader.offset
        let parts = (text: try String(decoding: &reader), base: try String?(decoding: &reader))
        guard let url = URL(parts: parts) else { throw reader.malformed("a URL", at: start) }
        self = url
    }

    /// Moves past the texts.
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        try String.skip(in: &reader)
        try String?.skip(in: &reader)
    }

    private var parts: (text: String, base: String?) { (relativeString, baseURL?.absoluteString) }

    /// Creates the URL of these parts; nil if there is none, or if its own parts differ.
    private init?(parts: (text: String, base: String?)) {
        let base = parts.base.flatMap { URL(string: $0) }
        guard let url = URL(string: parts.text, relativeTo: base), url.parts == parts else { return nil }
        self = url
    }
}

extension URL: StoredScalar {
    var fieldValue: FieldValue { .url(self) }

    init?(fieldValue: FieldValue) {
        guard case .url(let url) = fieldValue else { return nil }
        self = url
    }

    /// Creates the URL of a text, or of `text <base>`.
    init?(text: String) {
        guard text.hasSuffix(">"), let gap = text.firstRange(of: " <") else {
            self.init(string: text)
            return
        }
        self.init(parts: (String(text[..<gap.lowerBound]), String(text[gap.upperBound...].dropLast())))
    }

    /// The text; with a base `text <base>`. Neither has a space or angle brackets.
    var jsonToken: JSONToken {
        let parts = parts
        return .string(parts.base.map { "\(parts.text) <\($0)>" } ?? parts.text)
    }
}

extension LayoutType {
    /// A URL.
    public static var url: LayoutType { LayoutType(URL.self) }
}
