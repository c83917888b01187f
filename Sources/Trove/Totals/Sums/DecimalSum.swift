// The exact sum of decimal numbers: for each power of ten, the sum of the integers with that power.
//
//     bytes = NaNs count part*        NaNs and count are LEB128
//     part  = exponent sum            the power of ten: Int16, little-endian; the integer as in IntegerSum.swift
//
// The parts are in the order of their powers, and none is 0. A number is its digits up to the last that is not 0, so
// equal numbers have the same part.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An exact sum of decimal numbers. It is rounded to 128 bits once, when its value is read: to 38 or 39 digits.
public struct _DecimalSum: _ExactSum {
    private struct Part: Hashable {
        var exponent: Int
        var sum: _IntegerSum
    }

    /// No number has a power of ten beyond.
    private static let exponentLimit = 255

    /// The parts, in the order of their exponents.
    private var parts: [Part] = []
    private var nans = 0

    /// The sum of no numbers.
    public static var zero: _DecimalSum { _DecimalSum() }

    init() {}

    /// Whether the sum is 0, of numbers alone.
    public var isZero: Bool { parts.isEmpty && nans == 0 }

    /// Returns whether a number of numbers can have the sum.
    func isPossible(count: Int) -> Bool { nans >= 0 && nans <= count }

    // MARK: Adding

    /// Adds a number.
    mutating func add(_ number: Decimal) { add(DecimalDigits(number), 1) }

    /// Adds a number, or takes it away.
    ///
    /// - Parameter sign: 1 or -1.
    mutating func add(_ number: DecimalDigits, _ sign: Int) {
        guard let digits = number.digits else { return nans &+= sign }
        if digits == 0 { return }
        var sum = _IntegerSum.zero
        if number.isNegative == (sign < 0) { sum.add(digits) } else { sum.subtract(digits) }
        add(sum, at: number.exponent)
    }

    private mutating func add(_ sum: _IntegerSum, at exponent: Int) {
        let place = parts.firstIndex { $0.exponent >= exponent } ?? parts.endIndex
        guard place < parts.endIndex, parts[place].exponent == exponent else {
            if !sum.isZero { parts.insert(Part(exponent: exponent, sum: sum), at: place) }
            return
        }
        parts[place].sum.add(sum)
        if parts[place].sum.isZero { parts.remove(at: place) }
    }

    /// Adds another sum.
    public mutating func add(_ other: _DecimalSum) {
        for part in other.parts { add(part.sum, at: part.exponent) }
        nans &+= other.nans
    }

    /// Takes another sum away.
    public mutating func subtract(_ other: _DecimalSum) {
        for part in other.parts {
            var opposite = _IntegerSum.zero
            opposite.subtract(part.sum)
            add(opposite, at: part.exponent)
        }
        nans &-= other.nans
    }

    // MARK: Values

    /// The sum, rounded to the digits of a `Decimal`; of two, the number whose last digit is even. Nil if it is beyond
    /// the greatest number.
    var decimal: Decimal? {
        if nans > 0 { return .nan }
        guard let first = parts.first else { return 0 }
        var (positive, negative) = (BigNatural(), BigNatural())
        var exponent = parts.last?.exponent ?? 0
        for part in parts.reversed() {
            positive.multiply(byTenTo: exponent - part.exponent)
            negative.multiply(byTenTo: exponent - part.exponent)
            exponent = part.exponent
            let magnitude = part.sum.magnitude
            if magnitude.isNegative {
                negative.add(BigNatural(magnitude.high, magnitude.low))
            } else {
                positive.add(BigNatural(magnitude.high, magnitude.low))
            }
        }
        let isNegative = positive.isLess(than: negative)
        if isNegative { swap(&positive, &negative) }
        positive.subtract(negative)
        return DecimalDigits.decimal(isNegative: isNegative, positive, exponent: first.exponent)
    }

    // MARK: Bytes

    /// Appends the bytes of the sum. The count of NaNs is not negative in a stored sum.
    func append(to bytes: inout [UInt8]) {
        LEB128.append(UInt64(bitPattern: Int64(nans)), to: &bytes)
        LEB128.append(parts.count, to: &bytes)
        for part in parts {
            let exponent = UInt16(bitPattern: Int16(truncatingIfNeeded: part.exponent))
            bytes.append(UInt8(truncatingIfNeeded: exponent))
            bytes.append(UInt8(truncatingIfNeeded: exponent >> 8))
            part.sum.append(to: &bytes)
        }
    }

    init(decoding reader: inout ValueReader) throws(CodingError) {
        nans = try reader.readRecordCount()
        for _ in 0..<(try reader.readCount(minimumSize: 3)) {
            let exponent = Int(try reader.readInteger(Int16.self))
            guard abs(exponent) <= Self.exponentLimit, parts.last.map({ $0.exponent < exponent }) ?? true else {
                throw reader.malformed("powers of ten in order")
            }
            parts.append(Part(exponent: exponent, sum: try _IntegerSum(decoding: &reader)))
        }
    }
}
