// Integers as key components: big-endian, the sign bit flipped, so that bytes sort as numbers do. `Int` and `UInt` are
// 64 bits wide everywhere.
//
//     Int16.min   00 00            UInt16.min  00 00
//     Int16(-1)   7F FF            UInt16(1)   00 01
//     Int16(0)    80 00            UInt16.max  FF FF

extension StoredInteger {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(Stored(truncatingIfNeeded: self)) }

    /// Reads the bytes.
    ///
    /// - Throws: `malformed` where `Int` or `UInt` is too narrow for the number.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let value = Self(exactly: try reader.readInteger(Stored.self))
        self = try reader.require(value, "a number that the type holds", at: reader.offset)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) {
        try reader.skip(MemoryLayout<Stored>.size)
    }
}
