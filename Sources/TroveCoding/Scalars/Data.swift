// Data and [UInt8], which have the same bytes. `ArrayValues.swift` holds [UInt8] as a field.
//
//     value     = length byte*
//     component = the bytes, escaped (EscapedBytes.swift); they sort as the plain bytes, a prefix first

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Data: RecordValue {
    /// `Data`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Data") }

    /// The number of bytes and the size of their length.
    @inlinable
    public var encodedSize: Int { ValueWriter.size(ofLength: count) &+ count }

    /// Writes the length, then the bytes.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        writer.writeLength(count)
        unsafe withUnsafeBytes { unsafe writer.writeBytes($0) }
    }

    /// Reads the bytes.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let length = try reader.readLength()
        self = try unsafe reader.withUnsafeBytes(count: length) { bytes in unsafe Data(bytes) }
    }

    /// Moves past the bytes.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try reader.skip(reader.readLength()) }
}

extension Data: PrefixKeyComponent {
    /// Writes the bytes, escaped and closed.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) {
        unsafe withUnsafeBytes { unsafe writer.writeEscaped($0, isPrefix: false) }
    }

    /// Writes the bytes, escaped and open.
    @inlinable
    public func encodeKeyPrefix(into writer: inout KeyWriter) {
        unsafe withUnsafeBytes { unsafe writer.writeEscaped($0, isPrefix: true) }
    }

    /// Reads the bytes.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try unsafe reader.withEscaped { (bytes) throws(CodingError) in unsafe Data(bytes) }
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skipEscaped() }
}

extension Array: KeyComponent where Element == UInt8 {
    /// Writes the bytes, escaped and closed.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) {
        unsafe withUnsafeBytes { unsafe writer.writeEscaped($0, isPrefix: false) }
    }

    /// Reads the bytes.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) { self = try reader.readEscaped() }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skipEscaped() }
}

extension Array: PrefixKeyComponent where Element == UInt8 {
    /// Writes the bytes, escaped and open.
    @inlinable
    public func encodeKeyPrefix(into writer: inout KeyWriter) {
        unsafe withUnsafeBytes { unsafe writer.writeEscaped($0, isPrefix: true) }
    }
}

extension Array: StoredScalar where Element == UInt8 {
    var fieldValue: FieldValue { .data(self) }

    init?(fieldValue: FieldValue) {
        guard case .data(let bytes) = fieldValue else { return nil }
        self = bytes
    }

    init?(text: String) {
        guard let data = Data(base64Encoded: text) else { return nil }
        self.init(data)
    }

    var jsonToken: JSONToken { .string(Data(self).base64EncodedString()) }

    static var extent: ScalarExtent { .counted }
}

extension Data: DistinctBytes {}

extension LayoutType {
    /// Bytes.
    public static var data: LayoutType { LayoutType([UInt8].self) }
}
