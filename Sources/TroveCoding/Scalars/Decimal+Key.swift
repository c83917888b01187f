// Decimal as a key component: the sign, the power of ten, and the digits without zeros at either end.
//
//     component = 0x02                            zero
//               | 0x03 power pair* 0x00           a positive number
//               | 0x01 and the same, complemented a negative number
//               | 0x04                            NaN, which sorts last
//     power     = Int16                           of the number 0.d₁d₂…dₙ × 10^power, d₁ and dₙ not 0
//     pair      = 1 + 10 × dᵢ + dᵢ₊₁              two digits; a last single digit is followed by 0
//
//     -12.5   01 7F FD F2 CC FF         0.125 × 10²: the pairs 12 and 50
//     0.01    03 7F FF 0B 00            0.1 × 10⁻¹: the pair 10
//     1, 1.0  03 80 01 0B 00            equal numbers have equal bytes
//
// Order: of two positive numbers, the number with the greater power is greater, since d₁ is not 0. With equal powers
// the first different pair decides, and the end (0x00) sorts before every pair. No component is a prefix of another
// component, since 0x00, or 0xFF when complemented, occurs among the pairs only at their end.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Decimal: KeyComponent {
    /// Writes the sign, the power of ten and the digits.
    public func encodeKey(into writer: inout KeyWriter) {
        if isNaN { return writer.writeByte(DecimalKey.nan) }
        let digits = DecimalKey.Digits(of: description)
        if digits.all.isEmpty { return writer.writeByte(DecimalKey.zero) }
        writer.writeByte(isSignMinus ? DecimalKey.negative : DecimalKey.positive)
        let start = writer.offset
        writer.writeInteger(Int16(truncatingIfNeeded: digits.power))
        for index in stride(from: 0, to: digits.all.count, by: 2) {
            let second = index + 1 < digits.all.count ? digits.all[index + 1] : 0
            writer.writeByte(1 + 10 * digits.all[index] + second)
        }
        writer.writeByte(DecimalKey.end)
        if isSignMinus { writer.complement(from: start) }
    }

    /// Reads the sign, the power of ten and the digits.
    ///
    /// - Throws: `malformed` if the bytes are not those of a number.
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let start = reader.offset
        let sign = try reader.readByte()
        switch sign {
        case DecimalKey.zero: self = 0
        case DecimalKey.nan: self = .nan
        case DecimalKey.negative, DecimalKey.positive:
            let isNegative = sign == DecimalKey.negative
            if isNegative { reader.mask = ~reader.mask }
            defer { if isNegative { reader.mask = ~reader.mask } }
            let digits = try DecimalKey.Digits(decoding: &reader)
            let text = digits.flatMap { $0.text(isNegative: isNegative) }
            self = try reader.require(text.flatMap(Decimal.init(shortest:)), "a decimal number", at: start)
        default: throw reader.malformed("the sign of a decimal number", at: start)
        }
    }

    /// Moves past the bytes.
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) {
        switch try reader.readByte() {
        case DecimalKey.negative: try skipDigits(in: &reader, end: ~DecimalKey.end)
        case DecimalKey.positive: try skipDigits(in: &reader, end: DecimalKey.end)
        default: break
        }
    }

    private static func skipDigits(in reader: inout KeyReader, end: UInt8) throws(CodingError) {
        try reader.skip(2)
        while try reader.readByte() != end {}
    }
}

/// The parts of a decimal number in a key.
package enum DecimalKey {
    package static var negative: UInt8 { 1 }
    package static var zero: UInt8 { 2 }
    package static var positive: UInt8 { 3 }
    package static var nan: UInt8 { 4 }
    /// The byte after the last pair of digits.
    package static var end: UInt8 { 0 }

    /// The digits of a number without its sign: 0.d₁d₂…dₙ × 10^power, d₁ and dₙ not 0. Zero has none.
    fileprivate struct Digits {
        private(set) var all: [UInt8] = []
        private(set) var power = 0

        /// The maximum number of digits: those of the greatest significand, 2¹²⁸ - 1.
        private static let limit = 39
        /// The powers of the least and of the greatest number.
        private static let powers = -127...166

        /// Finds the digits in the description of a number: digits, perhaps with a point and a sign.
        init(of description: String) {
            var leading = true
            var isFraction = false
            for byte in description.utf8 {
                switch byte {
                case UInt8(ascii: "."): isFraction = true
                case UInt8(ascii: "0") where leading: if isFraction { power -= 1 }
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    leading = false
                    all.append(byte - UInt8(ascii: "0"))
                    if !isFraction { power += 1 }
                default: break
                }
            }
            while all.last == 0 { all.removeLast() }
        }

        /// Reads the power and the digits; nil if no number has them.
        init?(decoding reader: inout KeyReader) throws(CodingError) {
            power = Int(try reader.readInteger(Int16.self))
            while true {
                let byte = try reader.readByte()
                if byte == DecimalKey.end { break }
                guard byte <= 100, all.count < Self.limit else { return nil }
                all.append((byte - 1) / 10)
                all.append((byte - 1) % 10)
            }
            if all.last == 0 { all.removeLast() }
            guard Self.powers.contains(power), let first = all.first, first != 0, all.last != 0 else { return nil }
        }

        /// Returns the number in plain digits; nil if it has more digits than a number can have.
        func text(isNegative: Bool) -> String? {
            guard all.count <= Self.limit else { return nil }
            let digits = all.map { $0 + UInt8(ascii: "0") }
            let zeros = { (count: Int) in [UInt8](repeating: UInt8(ascii: "0"), count: Swift.max(0, count)) }
            let whole = digits.prefix(Swift.max(0, power)) + zeros(power - digits.count)
            let fraction = zeros(-power) + digits.dropFirst(Swift.max(0, power))
            return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self))
                + (fraction.count > Swift.max(0, -power) ? "." + String(decoding: fraction, as: UTF8.self) : "")
        }
    }
}
