// Date, as a field and in keys: its timeIntervalSinceReferenceDate as a Double (StoredFloatingPoint.swift). As a field,
// every Date is read back bit for bit, also at infinity.

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

extension Date: StoredScalar {
    var fieldValue: FieldValue { .date(self) }

    init?(fieldValue: FieldValue) {
        guard case .date(let date) = fieldValue else { return nil }
        self = date
    }

    /// Creates the date of an ISO 8601 text, or of the seconds since the reference date.
    init?(text: String) {
        guard let seconds = Double(text: text) ?? ISO8601Text.seconds(text) else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }

    /// ISO 8601 for the years that it covers, else the seconds since the reference date.
    var jsonToken: JSONToken {
        let seconds = timeIntervalSinceReferenceDate
        return ISO8601Text.text(seconds).map { .string($0) } ?? seconds.jsonToken
    }

    static var isPlainInJSON: Bool { true }
}

extension LayoutType {
    /// A moment.
    public static var date: LayoutType { LayoutType(Date.self) }
}
