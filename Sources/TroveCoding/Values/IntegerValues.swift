// Integers as fields: little-endian, as many bytes as they are wide. `Int` and `UInt` are 64 bits wide everywhere.
//
//     Int32(-2)   FE FF FF FF

extension Int8: RecordValue {
    /// `Int8`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Int8") }

    /// One byte.
    @inlinable
    public static var fixedSize: Int? { 1 }

    /// One byte.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 1 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(Int8.self)
    }
}

extension Int16: RecordValue {
    /// `Int16`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Int16") }

    /// Two bytes.
    @inlinable
    public static var fixedSize: Int? { 2 }

    /// Two bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 2 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(Int16.self)
    }
}

extension Int32: RecordValue {
    /// `Int32`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Int32") }

    /// Four bytes.
    @inlinable
    public static var fixedSize: Int? { 4 }

    /// Four bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 4 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(Int32.self)
    }
}

extension Int64: RecordValue {
    /// `Int64`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Int64") }

    /// Eight bytes.
    @inlinable
    public static var fixedSize: Int? { 8 }

    /// Eight bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 8 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(Int64.self)
    }
}

extension Int128: RecordValue {
    /// `Int128`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("Int128") }

    /// Sixteen bytes.
    @inlinable
    public static var fixedSize: Int? { 16 }

    /// Sixteen bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 16 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(Int128.self)
    }
}

extension UInt8: RecordValue {
    /// `UInt8`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("UInt8") }

    /// One byte.
    @inlinable
    public static var fixedSize: Int? { 1 }

    /// One byte.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 1 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(UInt8.self)
    }
}

extension UInt16: RecordValue {
    /// `UInt16`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("UInt16") }

    /// Two bytes.
    @inlinable
    public static var fixedSize: Int? { 2 }

    /// Two bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 2 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(UInt16.self)
    }
}

extension UInt32: RecordValue {
    /// `UInt32`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("UInt32") }

    /// Four bytes.
    @inlinable
    public static var fixedSize: Int? { 4 }

    /// Four bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 4 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(UInt32.self)
    }
}

extension UInt64: RecordValue {
    /// `UInt64`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("UInt64") }

    /// Eight bytes.
    @inlinable
    public static var fixedSize: Int? { 8 }

    /// Eight bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 8 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(UInt64.self)
    }
}

extension UInt128: RecordValue {
    /// `UInt128`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append("UInt128") }

    /// Sixteen bytes.
    @inlinable
    public static var fixedSize: Int? { 16 }

    /// Sixteen bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 16 }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(self) }

    /// Reads the bytes.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self = try reader.readInteger(UInt128.self)
    }
}

extension Int: RecordValue {
    /// `Int64`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { Int64.describe(in: &layout) }

    /// Eight bytes.
    @inlinable
    public static var fixedSize: Int? { 8 }

    /// Eight bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 8 }

    /// Writes the bytes of the `Int64`.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(Int64(self)) }

    /// Reads the bytes of the `Int64`.
    ///
    /// - Throws: `malformed` where `Int` is too narrow for the number.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let value = Int(exactly: try reader.readInteger(Int64.self))
        self = try reader.require(value, "a number that Int holds", at: reader.offset)
    }
}

extension UInt: RecordValue {
    /// `UInt64`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { UInt64.describe(in: &layout) }

    /// Eight bytes.
    @inlinable
    public static var fixedSize: Int? { 8 }

    /// Eight bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { 8 }

    /// Writes the bytes of the `UInt64`.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(UInt64(self)) }

    /// Reads the bytes of the `UInt64`.
    ///
    /// - Throws: `malformed` where `UInt` is too narrow for the number.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let value = UInt(exactly: try reader.readInteger(UInt64.self))
        self = try reader.require(value, "a number that UInt holds", at: reader.offset)
    }
}
