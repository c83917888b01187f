// Data and [UInt8] as key components: their bytes, escaped (EscapedBytes.swift). They sort as their bytes do; a
// beginning sorts before what it begins.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
