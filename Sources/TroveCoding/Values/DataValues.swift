// Data as a field; [UInt8] has the same bytes (ArrayValues.swift).
//
//     value = length byte*

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

    /// Writes the bytes behind their length.
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
