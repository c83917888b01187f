// The digits of a decimal number, and a decimal number of digits: both by way of its key bytes (Decimal+Key.swift),
// since Foundation's significand is not public everywhere.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A decimal number as an integer and a power of ten.
struct DecimalDigits {
    private(set) var isNegative = false
    /// The digits up to the last that is not 0, as an integer; nil for NaN.
    private(set) var digits: UInt128? = 0
    /// The power of ten.
    private(set) var exponent = 0

    init(_ number: Decimal) { self = ByteView.with(KeyWriter.bytes(of: number)) { DecimalDigits(key: $0) } }

    /// Creates the digits of a number by its key bytes.
    init(key: ByteView) {
        var reader = KeyReader(key)
        do throws(CodingError) {
            let sign = try reader.readByte()
            if sign == DecimalKey.nan { digits = nil }
            guard sign == DecimalKey.negative || sign == DecimalKey.positive else { return }
            isNegative = sign == DecimalKey.negative
            let mask: UInt8 = isNegative ? 0xFF : 0
            let power = try reader.readInteger(Int16.self)
            exponent = Int(isNegative ? ~power : power)
            var number: UInt128 = 0
            while case let byte = try reader.readByte() ^ mask, byte != DecimalKey.end {
                number = number &* 10 &+ UInt128((byte - 1) / 10)
                exponent -= 1
                let second = (byte - 1) % 10
                // The pair after a last single digit ends with 0, and no number ends with 0.
                if second == 0, reader.remaining == 1 { continue }
                number = number &* 10 &+ UInt128(second)
                exponent -= 1
            }
            digits = number
        } catch {
            digits = nil
        }
    }

    /// Returns a number, rounded to the digits of a `Decimal`; of two, the number whose last digit is even. Nil if it
    /// is beyond the greatest number.
    static func decimal(isNegative: Bool, _ number: BigNatural, exponent: Int) -> Decimal? {
        var (number, exponent) = (number, exponent)
        var last: UInt32 = 0
        var isMore = false
        while number.bitCount > 128 {
            isMore = isMore || last != 0
            last = number.divide(by: 10)
            exponent += 1
        }
        if last > 5 || last == 5 && (isMore || number.isOdd) {
            number.add(BigNatural(0, 1))
            if number.bitCount > 128 {
                last = number.divide(by: 10)
                exponent += 1
                if last >= 5 { number.add(BigNatural(0, 1)) }
            }
        }
        var digits: [UInt8] = []
        while !number.isZero { digits.append(UInt8(number.divide(by: 10))) }
        digits = digits.reversed()
        let power = digits.count + exponent
        while digits.last == 0 { digits.removeLast() }
        guard !digits.isEmpty else { return 0 }
        if digits.count % 2 == 1 { digits.append(0) }
        guard let exactPower = Int16(exactly: power) else { return nil }
        let key = KeyWriter.bytes { writer in
            writer.writeInteger(exactPower)
            for place in stride(from: 0, to: digits.count, by: 2) {
                writer.writeByte(1 + 10 * digits[place] + digits[place + 1])
            }
            writer.writeByte(DecimalKey.end)
        }
        do throws(CodingError) {
            return try KeyReader.decode(
                Decimal.self,
                from: [isNegative ? DecimalKey.negative : DecimalKey.positive] + (isNegative ? key.map { ~$0 } : key))
        } catch {
            return nil
        }
    }
}
