// Float and Double as fields: their bit pattern, little-endian. Every value comes back bit for bit: -0.0 and the
// payload of a NaN too.

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
