// Strings as fields.
//
//     value = length UTF-8      the length in bytes

extension String: RecordValue {
    /// `String`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("String") }

    /// The size of the UTF-8 and of its length.
    @inlinable
    public var encodedSize: Int {
        let count = utf8.count
        return ValueWriter.size(ofLength: count) &+ count
    }

    /// Writes the UTF-8 behind its length.
    @inlinable
    public func encode(into writer: inout ValueWriter) {
        let isContiguous: Void? = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            writer.writeLength(bytes.count)
            unsafe writer.writeBytes(UnsafeRawBufferPointer(bytes))
        }
        if isContiguous == nil {
            let bytes = [UInt8](utf8)
            writer.writeLength(bytes.count)
            writer.writeBytes(bytes)
        }
    }

    /// Reads the UTF-8.
    ///
    /// - Throws: `malformed` when it is none. It is never repaired.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let length = try reader.readLength()
        self = try reader.readUTF8(count: length)
    }

    /// Moves past the string.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try reader.skip(reader.readLength()) }
}

extension ValueReader {
    /// Reads `count` bytes of UTF-8.
    ///
    /// - Throws: `malformed` when they are none. They are never repaired.
    @inlinable
    @inline(__always)
    public mutating func readUTF8(count: Int) throws(CodingError) -> String {
        let start = position
        try skip(count)
        guard let string = unsafe String(validUTF8: UnsafeRawBufferPointer(start: base + start, count: count)) else {
            try failMalformed("valid UTF-8", at: start)
        }
        return string
    }
}
