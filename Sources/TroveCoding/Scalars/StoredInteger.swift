// Integers: as many bytes as they are wide, `Int` and `UInt` 64 bits everywhere.
//
//     field       little-endian                           Int32(-2)   FE FF FF FF
//
//     component   big-endian, the sign bit flipped, so that bytes sort as numbers do
//                 Int16.min   00 00            UInt16.min  00 00
//                 Int16(-1)   7F FF            UInt16(1)   00 01
//                 Int16(0)    80 00            UInt16.max  FF FF

/// An integer of the standard library, as a field and as a key component. Other types do not conform.
public protocol StoredInteger: KeyComponent, FixedWidthInteger, BitwiseCopyable {
    /// The stored integer: the type itself, except for `Int` and `UInt`.
    associatedtype Stored: FixedWidthInteger & BitwiseCopyable & Sendable

    /// The name of ``Stored`` in a layout.
    static var layoutName: String { get }
}

extension StoredInteger {
    /// The name of the stored integer.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append(layoutName) }

    /// The width of the stored integer in bytes.
    @inlinable
    @inline(__always)
    public static var fixedSize: Int? { MemoryLayout<Stored>.size }

    /// The width of the stored integer in bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { MemoryLayout<Stored>.size }

    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(Stored(truncatingIfNeeded: self)) }

    /// Reads the bytes.
    ///
    /// - Throws: `malformed` if `Int` or `UInt` is too narrow for the number.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let value = Self(exactly: try reader.readInteger(Stored.self))
        self = try reader.require(value, "a number in the range of the type", at: reader.offset)
    }
}

// MARK: Key components

extension StoredInteger {
    /// Writes the bytes.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) { writer.writeInteger(Stored(truncatingIfNeeded: self)) }

    /// Reads the bytes.
    ///
    /// - Throws: `malformed` if `Int` or `UInt` is too narrow for the number.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let value = Self(exactly: try reader.readInteger(Stored.self))
        self = try reader.require(value, "a number in the range of the type", at: reader.offset)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) {
        try reader.skip(MemoryLayout<Stored>.size)
    }
}

// MARK: Scalars

extension StoredScalar where Self: StoredInteger {
    var fieldValue: FieldValue {
        Int128(exactly: self).map { .integer($0) } ?? .unsigned(UInt128(truncatingIfNeeded: self))
    }

    init?(fieldValue: FieldValue) {
        switch fieldValue {
        case .integer(let number): self.init(exactly: number)
        case .unsigned(let number): self.init(exactly: number)
        default: return nil
        }
    }

    /// A string beyond 53 bits: a program that reads JSON numbers as Double would lose digits.
    var jsonToken: JSONToken { UInt128(magnitude) <= 1 << 53 ? .plain("\(self)") : .string("\(self)") }

    static var isPlainInJSON: Bool { true }

    static func mismatch(_ value: FieldValue) -> CodingError {
        guard Int128.contains(value) || UInt128.contains(value) else { return .otherType }
        return CodingError(.unencodable("the number is out of the range of \(layoutName)"))
    }
}

extension LayoutType {
    /// An integer of 8, 16, 32, 64 or 128 bits.
    public static func integer(bits: Int, isSigned: Bool) -> LayoutType {
        let name = (isSigned ? "Int" : "UInt") + "\(bits)"
        return ScalarLayout.named[name].map { .scalar($0) } ?? .other(name)
    }
}
