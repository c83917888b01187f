// The values of a fixed size, for the cursor. A field and a component of a key have different bytes for them:
//
//     field       little-endian; a floating-point number by its bits
//     component   big-endian, the sign bit flipped; the bits of a floating-point number, of which a negative number has
//                 all flipped, another the sign bit. In descending order, all bits are flipped.

import LMDB
import TroveCoding

/// The bytes of values of a fixed size.
protocol FixedForm {
    /// The bits that are flipped in each byte.
    var mask: UInt8 { get }

    /// Returns an integer at an offset.
    func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: ByteView, _ offset: Int, _ type: Number.Type
    ) -> Number

    /// Returns a floating-point number at an offset.
    func double(_ bytes: ByteView, _ offset: Int) -> Double
    func float(_ bytes: ByteView, _ offset: Int) -> Float
}

/// The bytes of fields.
struct FieldForm: FixedForm {
    @inline(__always)
    var mask: UInt8 { 0 }

    @inline(__always)
    func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: ByteView, _ offset: Int, _ type: Number.Type
    ) -> Number {
        bytes.integer(at: offset, as: type)
    }

    @inline(__always)
    func double(_ bytes: ByteView, _ offset: Int) -> Double {
        Double(bitPattern: bytes.integer(at: offset, as: UInt64.self))
    }

    @inline(__always)
    func float(_ bytes: ByteView, _ offset: Int) -> Float {
        Float(bitPattern: bytes.integer(at: offset, as: UInt32.self))
    }
}

/// The bytes of components of keys and of index entries.
struct ComponentForm: FixedForm {
    let mask: UInt8

    @inline(__always)
    func integer<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: ByteView, _ offset: Int, _ type: Number.Type
    ) -> Number {
        let stored = bytes.integer(at: offset, as: type).byteSwapped
        let sortable = mask == 0 ? stored : ~stored
        return Number.isSigned ? sortable ^ Number.min : sortable
    }

    @inline(__always)
    func double(_ bytes: ByteView, _ offset: Int) -> Double {
        let bits = integer(bytes, offset, UInt64.self)
        let sign: UInt64 = 1 << 63
        return Double(bitPattern: bits & sign == 0 ? ~bits : bits & ~sign)
    }

    @inline(__always)
    func float(_ bytes: ByteView, _ offset: Int) -> Float {
        let bits = integer(bytes, offset, UInt32.self)
        let sign: UInt32 = 1 << 31
        return Float(bitPattern: bits & sign == 0 ? ~bits : bits & ~sign)
    }
}

extension RowCursor {
    /// Returns a value of a fixed size, whose bytes are there.
    @inline(__always)
    mutating func fixedCell(_ kind: ValueKind, _ bytes: ByteView, _ offset: Int, _ form: some FixedForm) -> Cell {
        switch kind {
        case .int8: return Cell(form.integer(bytes, offset, Int8.self))
        case .int16: return Cell(form.integer(bytes, offset, Int16.self))
        case .int32: return Cell(form.integer(bytes, offset, Int32.self))
        case .int64: return Cell(form.integer(bytes, offset, Int64.self))
        case .uint8: return Cell(form.integer(bytes, offset, UInt8.self))
        case .uint16: return Cell(form.integer(bytes, offset, UInt16.self))
        case .uint32: return Cell(form.integer(bytes, offset, UInt32.self))
        case .bool: return Cell(form.integer(bytes, offset, UInt8.self) == 0 ? 0 : 1)
        case .uint64: return wide(UInt128(form.integer(bytes, offset, UInt64.self)), width: 20)
        case .uint128: return wide(form.integer(bytes, offset, UInt128.self), width: 39)
        case .int128: return wide(form.integer(bytes, offset, Int128.self))
        case .double: return Cell(form.double(bytes, offset))
        case .float: return Cell(Double(form.float(bytes, offset)))
        case .date: return date(form.double(bytes, offset))
        case .uuid: return uuid(bytes[offset..<offset + 16], mask: form.mask)
        case .string, .data, .decimal, .url, .complex, .opaque, .unreadable: return Cell(.null)
        }
    }
}
