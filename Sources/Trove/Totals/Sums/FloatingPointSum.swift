// The exact sum of floating-point numbers: a small superaccumulator (Radford M. Neal, "Fast exact summation using small
// and large superaccumulators", 2015).
//
// The sum is a fixed-point number: a multiple of 2⁻¹⁰⁷⁴, the least positive `Double`. Its digits have 32 bits, in
// chunks of 64 bits, so that 1,024 numbers can be added before digits are carried into the next chunk. The sum of 2⁶³
// numbers of the greatest magnitude has fewer than 68 digits.
//
// A sum keeps the chunks from the lowest to the highest digit of its numbers: two or three for numbers of one
// magnitude. So the sums of a million groups need few bytes each.
//
//     bytes  = flags first count digit* [ NaNs infinities negativeInfinities ]
//     flags  = 1 if the sum is negative, + 2 if there are numbers that are not finite
//     first  = the position of the first digit that is not 0     count = the number of digits from there to the last
//     digit  = 4 bytes, little-endian                            the counts of other numbers are LEB128

import LMDB
import TroveCoding

/// An exact sum of floating-point numbers. It is rounded once, when its value is read.
public struct _FloatingPointSum: _ExactSum {
    /// The greatest number of digits in stored bytes.
    private static let digitLimit = 68
    private static let digitBits = 32
    /// The numbers to add between two carries.
    private static let additionLimit = 1_024

    /// The position of the first chunk.
    private var first: UInt8 = 0
    /// The chunks, the lowest first; empty for 0. The chunks below and above are 0.
    private var chunks: [Int64] = []
    private var additions: UInt16 = 0
    private var nans = 0
    private var infinities = 0
    private var negativeInfinities = 0

    /// The sum of no numbers.
    public static var zero: _FloatingPointSum { _FloatingPointSum() }

    @usableFromInline
    init() {}

    // MARK: Adding

    /// Adds a number.
    @usableFromInline
    mutating func add(_ number: Double) {
        guard number.isFinite else { return count(number, 1) }
        addFinite(number)
    }

    /// Takes a number away.
    mutating func subtract(_ number: Double) {
        guard number.isFinite else { return count(number, -1) }
        addFinite(-number)
    }

    private mutating func count(_ number: Double, _ change: Int) {
        if number.isNaN {
            nans &+= change
        } else if number > 0 {
            infinities &+= change
        } else {
            negativeInfinities &+= change
        }
    }

    private mutating func addFinite(_ number: Double) {
        let significand = number.significandBitPattern | (number.exponentBitPattern == 0 ? 0 : 1 << 52)
        if significand == 0 { return }
        // A number is its significand, shifted by this number of bits.
        let shift = max(Int(number.exponentBitPattern), 1) - 1
        let digit = shift / Self.digitBits
        if digit < Int(first) || digit + 2 > Int(first) + chunks.count { reserve(digit..<digit + 2) }
        let place = digit - Int(first)
        let offset = UInt64(shift % Self.digitBits)
        let low = Int64((significand << offset) & 0xFFFF_FFFF)
        let high = Int64(significand >> (UInt64(Self.digitBits) - offset))
        if number.bitPattern >> 63 == 0 {
            chunks[place] += low
            chunks[place + 1] += high
        } else {
            chunks[place] -= low
            chunks[place + 1] -= high
        }
        additions += 1
        if additions >= Self.additionLimit { carry() }
    }

    /// Adds chunks of 0 at the ends, up to the digits of a range.
    private mutating func reserve(_ digits: Range<Int>) {
        if chunks.isEmpty { first = UInt8(digits.lowerBound) }
        if digits.lowerBound < Int(first) {
            chunks.insert(contentsOf: repeatElement(0, count: Int(first) - digits.lowerBound), at: 0)
            first = UInt8(digits.lowerBound)
        }
        let missing = digits.upperBound - Int(first) - chunks.count
        if missing > 0 { chunks += repeatElement(0, count: missing) }
    }

    /// Adds another sum.
    public mutating func add(_ other: _FloatingPointSum) { combine(other, 1) }

    /// Takes another sum away.
    public mutating func subtract(_ other: _FloatingPointSum) { combine(other, -1) }

    private mutating func combine(_ other: _FloatingPointSum, _ sign: Int64) {
        nans &+= Int(sign) &* other.nans
        infinities &+= Int(sign) &* other.infinities
        negativeInfinities &+= Int(sign) &* other.negativeInfinities
        guard !other.chunks.isEmpty else { return }
        var other = other
        other.carry()
        carry()
        reserve(Int(other.first)..<Int(other.first) + other.chunks.count)
        let offset = Int(other.first) - Int(first)
        for (place, chunk) in other.chunks.enumerated() { chunks[offset + place] += sign * chunk }
        carry()
    }

    /// Carries digits: then all chunks but the last have 32 bits. The last has the sign, and one bit more.
    private mutating func carry() {
        additions = 0
        // A sum that is read from a row is carried, unless it is negative: then its chunks are not copied.
        if isCarried { return }
        var carry: Int64 = 0
        for place in chunks.indices.dropLast() {
            let sum = chunks[place] + carry
            carry = sum >> Int64(Self.digitBits)
            chunks[place] = sum & 0xFFFF_FFFF
        }
        var last = chunks.count - 1
        chunks[last] += carry
        while case let rest = chunks[last] >> Int64(Self.digitBits), rest != 0, rest != -1 {
            chunks[last] &= 0xFFFF_FFFF
            chunks.append(rest)
            last += 1
        }
    }

    /// Whether a carry changes nothing.
    private var isCarried: Bool {
        guard let last = chunks.last else { return true }
        for place in 0..<chunks.count - 1 where chunks[place] >> Int64(Self.digitBits) != 0 { return false }
        let rest = last >> Int64(Self.digitBits)
        return rest == 0 || rest == -1
    }

    // MARK: Values

    /// Whether the sum is 0, of finite numbers alone.
    public var isZero: Bool { !hasOthers && digits.isEmpty }

    /// Returns whether a number of numbers can have the sum.
    func isPossible(count: Int) -> Bool {
        nans >= 0 && infinities >= 0 && negativeInfinities >= 0 && nans &+ infinities &+ negativeInfinities <= count
    }

    private var hasOthers: Bool { nans != 0 || infinities != 0 || negativeInfinities != 0 }

    /// The sign, and all digits from the lowest place up to the last that is not 0.
    private var signedDigits: (isNegative: Bool, digits: [UInt32]) {
        guard !chunks.isEmpty else { return (false, []) }
        var sum = self
        sum.carry()
        let isNegative = sum.chunks.last.map { $0 < 0 } ?? false
        if isNegative {
            for place in sum.chunks.indices { sum.chunks[place].negate() }
            sum.carry()
        }
        var digits = [UInt32](repeating: 0, count: Int(first))
        digits += sum.chunks.map { UInt32(truncatingIfNeeded: $0) }
        while digits.last == 0 { digits.removeLast() }
        return (isNegative && !digits.isEmpty, digits)
    }

    private var digits: [UInt32] { signedDigits.digits }

    /// The nearest number; of two, the number whose last bit is 0. Infinity if the sum is beyond the greatest number.
    @usableFromInline
    func number<Number: StoredFloatingPoint>(as type: Number.Type = Number.self) -> Number {
        if nans > 0 || infinities > 0 && negativeInfinities > 0 { return .nan }
        if infinities > 0 { return .infinity }
        if negativeInfinities > 0 { return -.infinity }
        let (isNegative, digits) = signedDigits
        // Rounded to odd, a `Double` is rounded to a shorter type as the sum itself would be.
        let number = Self.magnitude(of: digits, toOdd: Number.significandBitCount < Double.significandBitCount)
        return Number(isNegative ? -number : number)
    }

    /// - Parameter toOdd: Whether a sum between two numbers becomes the number whose last bit is 1.
    private static func magnitude(of digits: [UInt32], toOdd: Bool) -> Double {
        guard let last = digits.last else { return 0 }
        let top = digits.count * digitBits - 1 - last.leadingZeroBitCount
        func bits(from start: Int) -> UInt64 {
            let (place, offset) = (start / digitBits, UInt64(start % digitBits))
            let parts = (0..<3).map { place + $0 < digits.count ? UInt64(digits[place + $0]) : 0 }
            let low = (parts[0] | parts[1] << 32) >> offset
            return offset == 0 ? low : low | parts[2] << (64 - offset)
        }
        let significandBits = Double.significandBitCount
        // Up to 53 bits are the bits of the number itself.
        guard top > significandBits else { return Double(bitPattern: bits(from: 0)) }
        let start = top - significandBits
        let exponent = UInt64(start + 1)
        guard exponent < 0x7FF else { return .infinity }
        var number = exponent << UInt64(significandBits) | bits(from: start) & ((1 << UInt64(significandBits)) - 1)
        let half = digits[(start - 1) / digitBits] >> UInt32((start - 1) % digitBits) & 1 == 1
        let place = (start - 1) / digitBits
        let isMore =
            digits[..<place].contains { $0 != 0 }
            || digits[place] & ((1 << UInt32((start - 1) % digitBits)) - 1) != 0
        if toOdd {
            if half || isMore { number |= 1 }
        } else if half, isMore || number & 1 == 1 {
            number += 1
        }
        return Double(bitPattern: number)
    }

    // MARK: Equality

    /// Returns whether two sums have the same value, and count the same numbers that are not finite.
    public static func == (left: _FloatingPointSum, right: _FloatingPointSum) -> Bool {
        left.bytes == right.bytes
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    // MARK: Bytes

    private var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Appends the bytes of the sum. The counts of numbers that are not finite are not negative in a stored sum.
    func append(to bytes: inout [UInt8]) {
        let (isNegative, digits) = signedDigits
        let first = digits.firstIndex { $0 != 0 } ?? 0
        bytes.append((isNegative ? 1 : 0) | (hasOthers ? 2 : 0))
        bytes.append(UInt8(first))
        bytes.append(UInt8(digits.count - first))
        for digit in digits[first...] {
            for shift in stride(from: UInt32(0), to: 32, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: digit >> shift))
            }
        }
        guard hasOthers else { return }
        for count in [nans, infinities, negativeInfinities] {
            LEB128.append(UInt64(bitPattern: Int64(count)), to: &bytes)
        }
    }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        let flags = try reader.readByte()
        let first = Int(try reader.readByte())
        let count = Int(try reader.readByte())
        guard flags < 4, first + count <= Self.digitLimit else { throw reader.malformed("digits of a sum") }
        if count > 0 {
            self.first = UInt8(first)
            for _ in 0..<count {
                let digit = Int64(try reader.readInteger(UInt32.self))
                chunks.append(flags & 1 == 1 ? -digit : digit)
            }
        }
        guard flags & 2 != 0 else { return }
        nans = try reader.readRecordCount()
        infinities = try reader.readRecordCount()
        negativeInfinities = try reader.readRecordCount()
    }
}
