// Integers as fields: little-endian, as many bytes as they are wide. `Int` and `UInt` are 64 bits wide everywhere.
//
//     Int32(-2)   FE FF FF FF

/// An integer of the standard library, as a field and as a key component. Its conformances are all there are.
public protocol StoredInteger: KeyComponent, FixedWidthInteger, BitwiseCopyable {
    /// The integer whose bytes are stored: the type itself, but for `Int` and `UInt`.
    associatedtype Stored: FixedWidthInteger & BitwiseCopyable & Sendable

    /// The name of ``Stored`` in a layout.
    static var layoutName: String { get }
}

extension StoredInteger {
    /// The name of the integer that is stored.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append(layoutName) }

    /// As many bytes as the stored integer is wide.
    @inlinable
    @inline(__always)
    public static var fixedSize: Int? { MemoryLayout<Stored>.size }

    /// As many bytes as the stored integer is wide.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { MemoryLayout<Stored>.size }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(Stored(truncatingIfNeeded: self)) }

    /// Reads the bytes.
    ///
    /// - Throws: `malformed` where `Int` or `UInt` is too narrow for the number.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let value = Self(exactly: try reader.readInteger(Stored.self))
        self = try reader.require(value, "a number that the type holds", at: reader.offset)
    }
}

extension Int8: StoredInteger {
    /// The type itself.
    public typealias Stored = Int8
    /// `Int8`.
    public static var layoutName: String { "Int8" }
}

extension Int16: StoredInteger {
    /// The type itself.
    public typealias Stored = Int16
    /// `Int16`.
    public static var layoutName: String { "Int16" }
}

extension Int32: StoredInteger {
    /// The type itself.
    public typealias Stored = Int32
    /// `Int32`.
    public static var layoutName: String { "Int32" }
}

extension Int64: StoredInteger {
    /// The type itself.
    public typealias Stored = Int64
    /// `Int64`.
    public static var layoutName: String { "Int64" }
}

extension Int128: StoredInteger {
    /// The type itself.
    public typealias Stored = Int128
    /// `Int128`.
    public static var layoutName: String { "Int128" }
}

extension Int: StoredInteger {
    /// `Int64`, whatever the width of `Int`.
    public typealias Stored = Int64
    /// `Int64`.
    public static var layoutName: String { "Int64" }
}

extension UInt8: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt8
    /// `UInt8`.
    public static var layoutName: String { "UInt8" }
}

extension UInt16: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt16
    /// `UInt16`.
    public static var layoutName: String { "UInt16" }
}

extension UInt32: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt32
    /// `UInt32`.
    public static var layoutName: String { "UInt32" }
}

extension UInt64: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt64
    /// `UInt64`.
    public static var layoutName: String { "UInt64" }
}

extension UInt128: StoredInteger {
    /// The type itself.
    public typealias Stored = UInt128
    /// `UInt128`.
    public static var layoutName: String { "UInt128" }
}

extension UInt: StoredInteger {
    /// `UInt64`, whatever the width of `UInt`.
    public typealias Stored = UInt64
    /// `UInt64`.
    public static var layoutName: String { "UInt64" }
}
