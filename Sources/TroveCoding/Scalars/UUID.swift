// UUID: its sixteen bytes, in the order in which they are printed. Keys sort in that order.

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

extension UUID: StoredScalar {
    var fieldValue: FieldValue { .uuid(self) }

    init?(fieldValue: FieldValue) {
        guard case .uuid(let uuid) = fieldValue else { return nil }
        self = uuid
    }

    init?(text: String) { self.init(uuidString: text) }

    var jsonToken: JSONToken { .string(uuidString) }
}

extension UUID: DistinctBytes {}

extension LayoutType {
    /// A UUID.
    public static var uuid: LayoutType { LayoutType(UUID.self) }
}
