// Date as a key component: its timeIntervalSinceReferenceDate as a Double (FloatingPointKeys.swift), at full precision.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date: KeyComponent {
    /// Writes the seconds since the reference date.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) { timeIntervalSinceReferenceDate.encodeKey(into: &writer) }

    /// Reads the seconds since the reference date.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self.init(timeIntervalSinceReferenceDate: try Double(decodingKey: &reader))
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(8) }
}
