// Float and Double: their bit pattern.
//
//     field       little-endian; every value is read back bit for bit, also -0.0 and the payload of a NaN
//
//     component   big-endian, flipped so that bytes sort as numbers do: a positive number's sign bit, all bits of a
//                 negative one
//
//                 -infinity   00 7F FF FF          Float; a Double has eight bytes
//                 -1.0        40 7F FF FF
//                 0.0, -0.0   80 00 00 00          -0.0 is stored as 0.0: the two are equal
//                 1.0         BF 80 00 00
//                 infinity    FF 80 00 00
//                 NaN         FF C0 00 00          every NaN; it sorts last

/// A floating-point number of the standard library, as a field and as a key component. Other types do not conform.
public protocol StoredFloatingPoint: KeyComponent, BinaryFloatingPoint, LosslessStringConvertible {
    /// The stored bits.
    associatedtype Bits: FixedWidthInteger & UnsignedInteger & BitwiseCopyable & Sendable

    /// The bits of the number.
    var bitPattern: Bits { get }

    /// Creates the number with these bits.
    init(bitPattern: Bits)

    /// The type's name in a layout.
    static var layoutName: String { get }
}

extension StoredFloatingPoint {
    /// The type's name.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append(layoutName) }

    /// The width of the type in bytes.
    @inlinable
    @inline(__always)
    public static var fixedSize: Int? { MemoryLayout<Bits>.size }

    /// The width of the type in bytes.
    @inlinable
    @inline(__always)
    public var encodedSize: Int { MemoryLayout<Bits>.size }

    /// Writes the bit pattern.
    @inlinable
    @inline(__always)
    public func encode(into writer: inout ValueWriter) { writer.writeInteger(bitPattern) }

    /// Reads the bit pattern.
    @inlinable
    @inline(__always)
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        self.init(bitPattern: try reader.readInteger(Bits.self))
    }
}

// MARK: Key components

extension StoredFloatingPoint {
    /// The highest bit. It is set in the component of a number that is not negative.
    @inlinable
    @inline(__always)
    static var signBit: Bits { 1 << (Bits.bitWidth - 1) }

    /// Writes the flipped bit pattern.
    @inlinable
    @inline(__always)
    public func encodeKey(into writer: inout KeyWriter) {
        let bits = (isNaN ? Self.nan : self == 0 ? 0 : self).bitPattern
        writer.writeInteger(bits & Self.signBit == 0 ? bits | Self.signBit : ~bits)
    }

    /// Reads the flipped bit pattern.
    ///
    /// - Throws: `malformed` for the bits of -0.0, and of a NaN in another form.
    @inlinable
    @inline(__always)
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let start = reader.offset
        let bits = try reader.readInteger(Bits.self)
        let value = Self(bitPattern: bits & Self.signBit == 0 ? ~bits : bits & ~Self.signBit)
        let isOneForm = !value.isNaN && bits != ~Self.signBit || bits == Self.nan.bitPattern | Self.signBit
        self = try reader.require(isOneForm ? value : nil, "0.0 or NaN in canonical form", at: start)
    }

    /// Moves past the bytes.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) {
        try reader.skip(MemoryLayout<Bits>.size)
    }
}

// MARK: The types

extension Float: StoredFloatingPoint {
    /// `Float`.
    public static var layoutName: String { "Float" }
}

extension Double: StoredFloatingPoint {
    /// `Double`.
    public static var layoutName: String { "Double" }
}

// MARK: Scalars

extension StoredScalar where Self: StoredFloatingPoint & TextOutputStreamable {
    /// A string for infinities and NaN, which JSON lacks. A NaN of other bits than ``nan`` has its bits in the text.
    var jsonToken: JSONToken {
        if isFinite { return .plain("\(self)") }
        if !isNaN || bitPattern == Self.nan.bitPattern { return .string("\(self)") }
        return .string(Self.nanPrefix + String(bitPattern, radix: 16) + ")")
    }

    static var isPlainInJSON: Bool { true }

    private static var nanPrefix: String { "nan(0x" }

    /// Creates the number of a text. A number beyond the largest of the type is refused.
    init?(text: String) {
        if text.hasPrefix(Self.nanPrefix), text.hasSuffix(")"),
            let bits = Bits(text.dropFirst(Self.nanPrefix.count).dropLast(), radix: 16)
        {
            self.init(bitPattern: bits)
            if isNaN { return }
            return nil
        }
        self.init(text)
        if isInfinite, text.contains(where: \.isNumber) { return nil }
    }
}

extension Float: StoredScalar {
    var fieldValue: FieldValue { .float(self) }

    init?(fieldValue: FieldValue) {
        guard case .float(let number) = fieldValue else { return nil }
        self = number
    }
}

extension Double: StoredScalar {
    var fieldValue: FieldValue { .double(self) }

    init?(fieldValue: FieldValue) {
        guard case .double(let number) = fieldValue else { return nil }
        self = number
    }
}

extension LayoutType {
    /// A single-precision number.
    public static var float: LayoutType { LayoutType(Float.self) }

    /// A double-precision number.
    public static var double: LayoutType { LayoutType(Double.self) }
}
