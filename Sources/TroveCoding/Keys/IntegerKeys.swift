// Integers as key components: big-endian, the sign bit flipped, so that bytes sort as numbers do. `Int` and `UInt` are
// 64 bits wide everywhere.
//
//     Int16.min   00 00            UInt16.min  00 00
//     Int16(-1)   7F FF            UInt16(1)   00 01
//     Int16(0)    80 00            UInt16.max  FF FF

extension Int8: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(Int8.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(1) }
}

extension Int16: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(Int16.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(2) }
}

extension Int32: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(Int32.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(4) }
}

extension Int64: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(Int64.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(8) }
}

extension Int128: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(Int128.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(16) }
}

extension UInt8: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(UInt8.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(1) }
}

extension UInt16: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(UInt16.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(2) }
}

extension UInt32: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(UInt32.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(4) }
}

extension UInt64: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(UInt64.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(8) }
}

extension UInt128: KeyComponent {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readInteger(UInt128.self)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(16) }
}

extension Int: KeyComponent {
    /// Writes the bytes of the `Int64`.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(Int64(self)) }

    /// Reads the bytes of the `Int64`.
    ///
    /// - Throws: `malformed` where `Int` is too narrow for the number.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let value = Int(exactly: try reader.readInteger(Int64.self))
        self = try reader.require(value, "a number that Int holds", at: reader.offset)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(8) }
}

extension UInt: KeyComponent {
    /// Writes the bytes of the `UInt64`.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(UInt64(self)) }

    /// Reads the bytes of the `UInt64`.
    ///
    /// - Throws: `malformed` where `UInt` is too narrow for the number.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let value = UInt(exactly: try reader.readInteger(UInt64.self))
        self = try reader.require(value, "a number that UInt holds", at: reader.offset)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(8) }
}
