// UUID as a key component: its sixteen bytes, in the order in which they are printed, by which it sorts.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension UUID: KeyComponent {
    /// Writes the bytes.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) {
        unsafe withUnsafeBytes(of: uuid) { unsafe writer.writeBytes($0) }
    }

    /// Reads the bytes.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let high = try reader.readInteger(UInt64.self).bigEndian
        let low = try reader.readInteger(UInt64.self).bigEndian
        self.init(uuid: unsafe unsafeBitCast((high, low), to: uuid_t.self))
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(16) }
}
