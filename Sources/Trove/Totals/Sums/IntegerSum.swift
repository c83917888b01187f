// The exact sum of integers, in 192 bits.
//
//     bytes = size byte*      two's complement, little-endian, in as few bytes as possible; zero has none
//
// 2⁶³ numbers of 128 bits are less than 2¹⁹¹: the sum of the records of a store never overflows.

import LMDB
import TroveCoding

/// An exact sum of integers.
public struct _IntegerSum: _ExactSum {
    /// The lower bits, and the upper bits with the sign: two's complement.
    @usableFromInline var low: UInt128 = 0
    @usableFromInline var high: Int64 = 0

    @inlinable
    init() {}

    init(high: Int64, low: UInt128) { (self.high, self.low) = (high, low) }

    /// The sum of no numbers.
    @inlinable public static var zero: _IntegerSum { _IntegerSum() }

    /// Whether the sum is 0.
    public var isZero: Bool { low == 0 && high == 0 }

    /// Adds a number.
    @inlinable
    mutating func add(_ number: some FixedWidthInteger) {
        add(UInt128(truncatingIfNeeded: number), number < 0 ? -1 : 0)
    }

    /// Takes a number away.
    mutating func subtract(_ number: some FixedWidthInteger) {
        subtract(UInt128(truncatingIfNeeded: number), number < 0 ? -1 : 0)
    }

    /// Adds another sum.
    public mutating func add(_ other: _IntegerSum) { add(other.low, other.high) }

    /// Takes another sum away.
    public mutating func subtract(_ other: _IntegerSum) { subtract(other.low, other.high) }

    @inlinable
    @inline(__always)
    mutating func add(_ low: UInt128, _ high: Int64) {
        let (sum, carries) = self.low.addingReportingOverflow(low)
        self.low = sum
        self.high = self.high &+ high &+ (carries ? 1 : 0)
    }

    private mutating func subtract(_ low: UInt128, _ high: Int64) {
        let (difference, borrows) = self.low.subtractingReportingOverflow(low)
        self.low = difference
        self.high = self.high &- high &- (borrows ? 1 : 0)
    }
}

// MARK: Values

extension _IntegerSum {
    /// Returns the sum as an integer; nil if it is beyond the least or the greatest number of the type.
    @inlinable
    func integer<Integer: FixedWidthInteger>(as type: Integer.Type = Integer.self) -> Integer? {
        if high == 0 { return Integer(exactly: low) }
        let number = Int128(truncatingIfNeeded: low)
        return high == -1 && number < 0 ? Integer(exactly: number) : nil
    }

    /// Whether the sum is less than 0, and its distance from 0.
    var magnitude: (isNegative: Bool, high: UInt64, low: UInt128) {
        guard high < 0 else { return (false, UInt64(high), low) }
        var opposite = _IntegerSum.zero
        opposite.subtract(self)
        return (true, UInt64(bitPattern: opposite.high), opposite.low)
    }

    /// The nearest `Double`; of two, the number whose last bit is 0.
    @usableFromInline var double: Double {
        let (isNegative, high, low) = magnitude
        let shift = UInt64.bitWidth - high.leadingZeroBitCount
        var bits = shift == 0 ? low : UInt128(high) << UInt128(128 - shift) | low >> UInt128(shift)
        // A bit for all that is cut off: it decides between two numbers only.
        if shift > 0, low << UInt128(128 - shift) != 0 { bits |= 1 }
        let number = Double(bits) * Double(bitPattern: UInt64(1_023 + shift) << 52)
        return isNegative ? -number : number
    }
}

// MARK: Bytes

extension _IntegerSum {
    private static let sizeLimit = 24

    /// Appends the bytes of the sum.
    func append(to bytes: inout [UInt8]) {
        let filler: UInt8 = high < 0 ? 0xFF : 0
        var size = Self.sizeLimit
        while size > 0, byte(at: size - 1) == filler, (size > 1 ? byte(at: size - 2) : 0) & 0x80 == filler & 0x80 {
            size -= 1
        }
        bytes.append(UInt8(size))
        for place in 0..<size { bytes.append(byte(at: place)) }
    }

    /// Returns a byte of the sum; 0 is the lowest.
    private func byte(at place: Int) -> UInt8 {
        place < 16
            ? UInt8(truncatingIfNeeded: low >> UInt128(8 * place))
            : UInt8(truncatingIfNeeded: high >> Int64(8 * (place - 16)))
    }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        let size = Int(try reader.readByte())
        guard size <= Self.sizeLimit else { throw reader.malformed("at most \(Self.sizeLimit) bytes") }
        self = try reader.withBytes(count: size) { (bytes) throws(CodingError) in
            ByteView.with(bytes) { Self(bytes: $0) }
        }
    }

    /// Creates a sum from its bytes: at most 24.
    private init(bytes: ByteView) {
        var last: UInt8 = 0
        for place in 0..<bytes.count {
            last = bytes.integer(at: place, as: UInt8.self)
            if place < 16 {
                low |= UInt128(last) << UInt128(8 * place)
            } else {
                high |= Int64(bitPattern: UInt64(last) << UInt64(8 * (place - 16)))
            }
        }
        guard last & 0x80 != 0 else { return }
        // The sign is in all bits above. A shift by the width of a number or more leaves no bit.
        low |= .max << UInt128(8 * bytes.count)
        high |= -1 << Int64(max(0, 8 * (bytes.count - 16)))
    }
}
