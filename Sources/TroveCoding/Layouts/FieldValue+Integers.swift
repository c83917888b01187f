// Integers of every width, by their bits: the generic code of their Swift types costs ten times as much where the type is
// known at run time alone.

/// Which integers a layout's type has.
struct IntegerRange: Hashable {
    /// 8, 16, 32, 64 or 128.
    let bits: Int
    let isSigned: Bool

    init(_ bits: Int, isSigned: Bool) {
        self.bits = bits
        self.isSigned = isSigned
    }

    /// Whether a value is an integer in the range.
    func contains(_ value: FieldValue) -> Bool {
        switch value {
        case .integer(let number):
            guard bits < 128 else { return isSigned || number >= 0 }
            let end = Int128(1) << (isSigned ? bits - 1 : bits)
            return number < end && number >= (isSigned ? -end : 0)
        case .unsigned: return bits == 128 && !isSigned
        default: return false
        }
    }

    /// The value whose lowest bits these are.
    private func value(_ pattern: UInt128) -> FieldValue {
        let unused = 128 - bits
        if isSigned { return .integer((Int128(truncatingIfNeeded: pattern) << unused) >> unused) }
        return Int128(exactly: pattern).map { .integer($0) } ?? .unsigned(pattern)
    }

    /// The bits of a value.
    private func pattern(of value: FieldValue) throws(CodingError) -> UInt128 {
        guard contains(value) else {
            let isInteger =
                IntegerRange(128, isSigned: true).contains(value) || IntegerRange(128, isSigned: false).contains(value)
            throw CodingError(
                .unencodable(
                    isInteger
                        ? "the number is out of the range of \(LayoutType.integer(bits: bits, isSigned: isSigned))"
                        : "the value is not of its layout's type"))
        }
        switch value {
        case .integer(let number): return UInt128(truncatingIfNeeded: number)
        case .unsigned(let number): return number
        default: return 0
        }
    }

    // MARK: Fields

    func read(from reader: inout ValueReader) throws(CodingError) -> FieldValue {
        switch bits {
        case 8: value(UInt128(try reader.readInteger() as UInt8))
        case 16: value(UInt128(try reader.readInteger() as UInt16))
        case 32: value(UInt128(try reader.readInteger() as UInt32))
        case 64: value(UInt128(try reader.readInteger() as UInt64))
        default: value(try reader.readInteger())
        }
    }

    func write(_ value: FieldValue, to bytes: inout [UInt8]) throws(CodingError) {
        let pattern = try pattern(of: value).littleEndian
        unsafe withUnsafeBytes(of: pattern) { unsafe bytes.append(contentsOf: $0.prefix(bits / 8)) }
    }

    // MARK: Key components

    /// In keys the sign bit is flipped.
    private var flipped: UInt128 { isSigned ? 1 << (bits - 1) : 0 }

    func read(key reader: inout KeyReader) throws(CodingError) -> FieldValue {
        switch bits {
        case 8: value(UInt128(try reader.readInteger() as UInt8) ^ flipped)
        case 16: value(UInt128(try reader.readInteger() as UInt16) ^ flipped)
        case 32: value(UInt128(try reader.readInteger() as UInt32) ^ flipped)
        case 64: value(UInt128(try reader.readInteger() as UInt64) ^ flipped)
        default: value(try reader.readInteger() ^ flipped)
        }
    }

    func write(_ value: FieldValue, key writer: inout KeyWriter) throws(CodingError) {
        let pattern = try pattern(of: value) ^ flipped
        switch bits {
        case 8: writer.writeInteger(UInt8(truncatingIfNeeded: pattern))
        case 16: writer.writeInteger(UInt16(truncatingIfNeeded: pattern))
        case 32: writer.writeInteger(UInt32(truncatingIfNeeded: pattern))
        case 64: writer.writeInteger(UInt64(truncatingIfNeeded: pattern))
        default: writer.writeInteger(pattern)
        }
    }

    // MARK: Text

    /// The integer of a text; nil where it is none of the range.
    func value(of text: String) -> FieldValue? {
        let value = Int128(text).map { FieldValue.integer($0) } ?? UInt128(text).map { .unsigned($0) }
        return value.flatMap { contains($0) ? $0 : nil }
    }
}
