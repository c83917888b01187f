// A number to add up, as the column of an index.
//
//     column  = summand size(1)                the size of the summand in bytes
//     summand = nothing                        nil
//             | 0x01 integer(24)               two's complement, big-endian
//             | 0x02 bits(8)                   the bits of a `Double`
//             | 0x03 key                       the key bytes of a `Decimal`
//
// An index of totals has no such entries: they carry the numbers of a record from the three sources of columns to the
// totals of its group. Sizes are last, so the numbers at the end of an entry's value are found without a look at the
// columns before them.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The number of a property, as the column of an index.
enum SumColumn {
    private enum Tag {
        static let integer: UInt8 = 1
        static let floatingPoint: UInt8 = 2
        static let decimal: UInt8 = 3
    }

    /// A number to add up.
    enum Summand {
        case integer(high: Int64, low: UInt128)
        case floatingPoint(Double)
        /// The key bytes.
        case decimal(ByteView)
    }

    // MARK: Writing

    /// Writes a column with a summand.
    static func write(into writer: inout KeyWriter, _ encode: (inout KeyWriter) -> Void) {
        let start = writer.offset
        encode(&writer)
        writer.writeByte(UInt8(truncatingIfNeeded: writer.offset - start))
    }

    /// Writes the summand of an integer.
    static func encode(integer: some FixedWidthInteger, into writer: inout KeyWriter) {
        writer.writeByte(Tag.integer)
        writer.writeInteger(UInt64(bitPattern: integer < 0 ? -1 : 0))
        writer.writeInteger(UInt128(truncatingIfNeeded: integer))
    }

    /// Writes the summand of a floating-point number.
    static func encode(floatingPoint: Double, into writer: inout KeyWriter) {
        writer.writeByte(Tag.floatingPoint)
        writer.writeInteger(floatingPoint.bitPattern)
    }

    /// Writes the summand of a decimal number.
    static func encode(decimal: Decimal, into writer: inout KeyWriter) {
        writer.writeByte(Tag.decimal)
        decimal.encodeKey(into: &writer)
    }

    /// Writes the summand of a value that is read by its layout; nothing for a value that is no number.
    static func encode(_ value: FieldValue?, into writer: inout KeyWriter) {
        switch value {
        case .integer(let number)?: encode(integer: number, into: &writer)
        case .unsigned(let number)?: encode(integer: number, into: &writer)
        case .float(let number)?: encode(floatingPoint: Double(number), into: &writer)
        case .double(let number)?: encode(floatingPoint: number, into: &writer)
        case .decimal(let number)?: encode(decimal: number, into: &writer)
        case .some(.some(let value)): encode(value, into: &writer)
        default: break
        }
    }

    // MARK: Reading

    /// Calls a closure with the number of each column at the end of a value, the last first; nil for nil. Returns the
    /// bytes before the columns; nil if the bytes are no columns.
    static func forEachFromEnd(
        _ count: Int, of value: ByteView, _ body: (_ column: Int, Summand?) throws -> Void
    ) rethrows -> ByteView? {
        var end = value.count
        for column in (0..<count).reversed() {
            guard end > 0 else { return nil }
            let size = Int(value.integer(at: end - 1, as: UInt8.self))
            guard size < end else { return nil }
            try body(column, summand(value[end - 1 - size..<end - 1]))
            end -= 1 + size
        }
        return value.prefix(end)
    }

    private static func summand(_ bytes: ByteView) -> Summand? {
        guard let tag = bytes.isEmpty ? nil : bytes.integer(at: 0, as: UInt8.self) else { return nil }
        switch (tag, bytes.count) {
        case (Tag.integer, 25):
            return .integer(
                high: Int64(bitPattern: bytes.integer(at: 1, as: UInt64.self).byteSwapped),
                low: bytes.integer(at: 9, as: UInt128.self).byteSwapped)
        case (Tag.floatingPoint, 9):
            return .floatingPoint(Double(bitPattern: bytes.integer(at: 1, as: UInt64.self).byteSwapped))
        case (Tag.decimal, _): return .decimal(bytes.dropFirst(1))
        default: return nil
        }
    }
}
