// Descending key components: the largest value sorts first.
//
//     component = the bytes of the value, each complemented (0x00 ↔ 0xFF)
//     fields    = the value as a field
//
// The first different byte decides the order of two components, and complementing reverses it. There always is such a
// byte, since no component is a prefix of another component.

/// A key component in descending order: the largest value sorts first.
public struct Descending<Base> {
    /// The value.
    public var value: Base

    /// Creates a component that sorts `value` in descending order.
    @inlinable
    public init(_ value: Base) { self.value = value }
}

extension Descending: Sendable where Base: Sendable {}
extension Descending: Equatable where Base: Equatable {}
extension Descending: Hashable where Base: Hashable {}

extension Descending: RecordValue where Base: KeyComponent {
    /// `desc<layout>`.
    public static func describe(in layout: inout LayoutBuilder) {
        layout.append("desc<")
        Base.describe(in: &layout)
        layout.append(">")
    }

    /// The value's size.
    @inlinable
    public static var fixedSize: Int? { Base.fixedSize }

    /// The value's size.
    @inlinable
    public var encodedSize: Int { get throws(CodingError) { try value.encodedSize } }

    /// Writes the value as a field, not complemented.
    @inlinable
    public func encode(into writer: inout ValueWriter) { value.encode(into: &writer) }

    /// Reads the value as a field.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) { value = try Base(decoding: &reader) }

    /// Moves past the value as a field.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try Base.skip(in: &reader) }
}

extension Descending: KeyComponent where Base: KeyComponent {
    /// Writes the value complemented.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) {
        let start = writer.offset
        value.encodeKey(into: &writer)
        writer.complement(from: start)
    }

    /// Reads the value complemented.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        reader.mask = ~reader.mask
        defer { reader.mask = ~reader.mask }
        value = try Base(decodingKey: &reader)
    }

    /// Moves past the value.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) {
        reader.mask = ~reader.mask
        defer { reader.mask = ~reader.mask }
        try Base.skipKey(in: &reader)
    }

    /// The components of values that are not nil. Nil sorts last.
    public static var rangeWithoutNil: KeyRange? {
        Base.rangeWithoutNil?.descending
    }
}

extension Descending: Comparable where Base: Comparable {
    /// Returns whether the left value is the greater of the two: it sorts first.
    @inlinable
    public static func < (left: Self, right: Self) -> Bool { right.value < left.value }
}

extension KeyComponent {
    /// The value in descending order: `\.age.desc`.
    @inlinable
    public var desc: Descending<Self> { Descending(self) }
}
