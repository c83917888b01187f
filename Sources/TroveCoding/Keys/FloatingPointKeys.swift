// Float and Double as key components: the bit pattern big-endian, flipped so that bytes sort as numbers do: a positive
// number's sign bit, all bits of a negative one.
//
//     -infinity   00 7F FF FF          Float; a Double has eight bytes
//     -1.0        40 7F FF FF
//     0.0, -0.0   80 00 00 00          -0.0 is stored as 0.0: the two are equal
//     1.0         BF 80 00 00
//     infinity    FF 80 00 00
//     NaN         FF C0 00 00          every NaN, and it sorts last

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
