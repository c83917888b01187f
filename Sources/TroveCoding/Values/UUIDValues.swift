// UUID as a field: its sixteen bytes, in the order in which they are printed.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension UUID: RecordValue {
    /// `UUID`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("UUID") }

    /// Sixteen bytes.
    @inlinable
    public static var fixedSize: Int? { 16 }

    /// Sixteen bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 16 }

    /// Writes the bytes.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        unsafe withUnsafeBytes(of: uuid) { unsafe writer.writeBytes($0) }
    }

    /// Reads the bytes.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self.init(
            uuid: try unsafe reader.withUnsafeBytes(count: 16) { bytes in unsafe bytes.loadUnaligned(as: uuid_t.self) })
    }
}
