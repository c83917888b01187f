// Date as a field: its timeIntervalSinceReferenceDate as a Double. Every Date comes back bit for bit, those at
// infinity too.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Date: RecordValue {
    /// `Date`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Date") }

    /// Eight bytes.
    @inlinable
    public static var fixedSize: Int? { 8 }

    /// Eight bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 8 }

    /// Writes the seconds since the reference date.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { timeIntervalSinceReferenceDate.encode(into: &writer) }

    /// Reads the seconds since the reference date.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self.init(timeIntervalSinceReferenceDate: try Double(decoding: &reader))
    }
}
