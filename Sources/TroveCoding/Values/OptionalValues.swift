// Optionals as fields.
//
//     value = 0x00              nil
//           | 0x01 wrapped

extension Optional: RecordValue where Wrapped: RecordValue {
    /// `layout?`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) {
        Wrapped.describe(in: &layout)
        layout.append("?")
    }

    /// The tag byte, and the wrapped value's size.
    @inlinable
    public var encodedSize: Int {
        get throws(CodingError) {
            switch self {
            case .none: 1
            case .some(let wrapped): try 1 + wrapped.encodedSize
            }
        }
    }

    /// Writes the tag byte, then the wrapped value.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        switch self {
        case .none:
            writer.writeByte(0)
        case .some(let wrapped):
            writer.writeByte(1)
            wrapped.encode(into: &writer)
        }
    }

    /// Reads the tag byte, then the wrapped value.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readTag() ? .some(try Wrapped(decoding: &reader)) : .none
    }

    /// Moves past the value.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) {
        if try reader.readTag() { try Wrapped.skip(in: &reader) }
    }
}

extension ValueReader {
    /// Reads a byte 0 or 1, and returns whether it is 1.
    @inlinable
    @inline(__always)
    public mutating func readTag() throws(CodingError) -> Bool {
        let byte = try readByte()
        guard byte <= 1 else { try failMalformed("a byte 0 or 1", at: position &- 1) }
        return byte == 1
    }
}
