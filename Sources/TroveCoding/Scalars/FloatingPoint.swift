// Float and Double: their bit pattern.
//
//     field       little-endian; every value comes back bit for bit, also -0.0 and the payload of a NaN
//
//     component   big-endian, flipped so that bytes sort as numbers do: a positive number's sign bit, all bits of a
//                 negative one
//
//                 -infinity   00 7F FF FF          Float; a Double has eight bytes
//                 -1.0        40 7F FF FF
//                 0.0, -0.0   80 00 00 00          -0.0 is stored as 0.0: the two are equal
//                 1.0         BF 80 00 00
//                 infinity    FF 80 00 00
//                 NaN         FF C0 00 00          every NaN, and it sorts last

extension Float: RecordValue {
    /// `Float`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Float") }

    /// Four bytes.
    @inlinable
    public static var fixedSize: Int? { 4 }

    /// Four bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 4 }

    /// Writes the bit pattern.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(bitPattern) }

    /// Reads the bit pattern.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self.init(bitPattern: try reader.readInteger(UInt32.self))
    }
}

extension Double: RecordValue {
    /// `Double`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Double") }

    /// Eight bytes.
    @inlinable
    public static var fixedSize: Int? { 8 }

    /// Eight bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 8 }

    /// Writes the bit pattern.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(bitPattern) }

    /// Reads the bit pattern.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self.init(bitPattern: try reader.readInteger(UInt64.self))
    }
}

extension Float: KeyComponent {
    /// Writes the flipped bit pattern.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) {
        let bits = (isNaN ? Float.nan : self == 0 ? 0 : self).bitPattern
        writer.writeInteger(bits >> 31 == 0 ? bits | 1 << 31 : ~bits)
    }

    /// Reads the flipped bit pattern.
    ///
    /// - Throws: `malformed` when it is that of -0.0, or of another NaN.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let start = reader.offset
        let bits = try reader.readInteger(UInt32.self)
        let value = Float(bitPattern: bits >> 31 == 0 ? ~bits : bits & ~(1 << 31))
        guard !value.isNaN && bits != 0x7FFF_FFFF || bits == 0xFFC0_0000 else {
            throw reader.malformed("0.0 or NaN in their one form", at: start)
        }
        self = value
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(4) }
}

extension Double: KeyComponent {
    /// Writes the flipped bit pattern.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) {
        let bits = (isNaN ? Double.nan : self == 0 ? 0 : self).bitPattern
        writer.writeInteger(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
    }

    /// Reads the flipped bit pattern.
    ///
    /// - Throws: `malformed` when it is that of -0.0, or of another NaN.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let start = reader.offset
        let bits = try reader.readInteger(UInt64.self)
        let value = Double(bitPattern: bits >> 63 == 0 ? ~bits : bits & ~(1 << 63))
        guard !value.isNaN && bits != 0x7FFF_FFFF_FFFF_FFFF || bits == 0xFFF8_0000_0000_0000 else {
            throw reader.malformed("0.0 or NaN in their one form", at: start)
        }
        self = value
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try reader.skip(8) }
}
