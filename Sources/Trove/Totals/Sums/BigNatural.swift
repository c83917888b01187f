// Natural numbers of any size, for the rounding of decimal sums.

/// A natural number: its digits of 32 bits, the lowest first, without zeros at the end.
struct BigNatural {
    private var digits: [UInt32] = []

    init() {}

    init(_ high: UInt64, _ low: UInt128) {
        for shift in stride(from: UInt128(0), to: 128, by: 32) {
            digits.append(UInt32(truncatingIfNeeded: low >> shift))
        }
        digits.append(UInt32(truncatingIfNeeded: high))
        digits.append(UInt32(truncatingIfNeeded: high >> 32))
        trim()
    }

    var isZero: Bool { digits.isEmpty }

    var isOdd: Bool { digits.first.map { $0 & 1 == 1 } ?? false }

    var bitCount: Int { digits.last.map { digits.count * 32 - $0.leadingZeroBitCount } ?? 0 }

    func isLess(than other: BigNatural) -> Bool {
        if digits.count != other.digits.count { return digits.count < other.digits.count }
        return digits.reversed().lexicographicallyPrecedes(other.digits.reversed())
    }

    mutating func add(_ other: BigNatural) {
        var carry: UInt64 = 0
        for place in 0..<max(digits.count, other.digits.count) {
            if place == digits.count { digits.append(0) }
            let sum = UInt64(digits[place]) + (place < other.digits.count ? UInt64(other.digits[place]) : 0) + carry
            digits[place] = UInt32(truncatingIfNeeded: sum)
            carry = sum >> 32
        }
        if carry > 0 { digits.append(UInt32(carry)) }
    }

    /// Takes away a number that is not greater.
    mutating func subtract(_ other: BigNatural) {
        var borrow: Int64 = 0
        for place in digits.indices {
            let difference =
                Int64(digits[place]) - (place < other.digits.count ? Int64(other.digits[place]) : 0) - borrow
            digits[place] = UInt32(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        trim()
    }

    mutating func multiply(byTenTo power: Int) {
        for _ in 0..<power {
            var carry: UInt64 = 0
            for place in digits.indices {
                let product = UInt64(digits[place]) * 10 + carry
                digits[place] = UInt32(truncatingIfNeeded: product)
                carry = product >> 32
            }
            if carry > 0 { digits.append(UInt32(carry)) }
        }
    }

    /// Divides the number, and returns the remainder.
    mutating func divide(by divisor: UInt32) -> UInt32 {
        var remainder: UInt64 = 0
        for place in digits.indices.reversed() {
            let part = remainder << 32 | UInt64(digits[place])
            digits[place] = UInt32(part / UInt64(divisor))
            remainder = part % UInt64(divisor)
        }
        trim()
        return UInt32(remainder)
    }

    private mutating func trim() { while digits.last == 0 { digits.removeLast() } }
}
