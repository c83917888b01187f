// The types of numbers that queries add up.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// MARK: Integers

extension SummableNumber where Self: StoredInteger {
    /// Adds a number.
    @inlinable
    public static func _add(_ number: Self, to total: inout _IntegerSum) { total.add(number) }

    /// Returns the sum; nil if it is beyond the greatest number.
    @inlinable
    public static func _sum(_ total: _IntegerSum) -> Self? { total.integer() }

    /// Returns the average of a sum, which is rounded before the division.
    @inlinable
    public static func _average(_ total: _IntegerSum, count: Int) -> Double? { total.double / Double(count) }

    /// Writes a number into the column of an index of totals.
    public static func _writeSummand(_ number: Self, into writer: inout KeyWriter) {
        SumColumn.encode(integer: number, into: &writer)
    }
}

extension SummableNumber where Average == Double {
    /// Not a number.
    @inlinable public static var _noAverage: Double { .nan }
}

// MARK: Floating-point numbers

extension SummableNumber where Self: StoredFloatingPoint {
    /// Adds a number.
    @inlinable
    public static func _add(_ number: Self, to total: inout _FloatingPointSum) { total.add(Double(number)) }

    /// Returns the sum, rounded once.
    @inlinable
    public static func _sum(_ total: _FloatingPointSum) -> Self? { total.number() }

    /// Returns the average of a sum, which is rounded before the division.
    @inlinable
    public static func _average(_ total: _FloatingPointSum, count: Int) -> Double? {
        total.number(as: Double.self) / Double(count)
    }

    /// Writes a number into the column of an index of totals.
    public static func _writeSummand(_ number: Self, into writer: inout KeyWriter) {
        SumColumn.encode(floatingPoint: Double(number), into: &writer)
    }
}

extension Int: SummableNumber {}
extension Int8: SummableNumber {}
extension Int16: SummableNumber {}
extension Int32: SummableNumber {}
extension Int64: SummableNumber {}
extension Int128: SummableNumber {}
extension UInt: SummableNumber {}
extension UInt8: SummableNumber {}
extension UInt16: SummableNumber {}
extension UInt32: SummableNumber {}
extension UInt64: SummableNumber {}
extension UInt128: SummableNumber {}
extension Float: SummableNumber {}
extension Double: SummableNumber {}

// MARK: Decimal numbers

extension Decimal: SummableNumber {
    /// Adds a number. NaN makes the sum NaN.
    public static func _add(_ number: Decimal, to total: inout _DecimalSum) { total.add(number) }

    /// Returns the sum, rounded to 128 bits, which are 38 or 39 digits; nil if it is beyond the greatest number.
    public static func _sum(_ total: _DecimalSum) -> Decimal? { total.decimal }

    /// Returns the average of a sum; nil if the sum is beyond the greatest number.
    public static func _average(_ total: _DecimalSum, count: Int) -> Decimal? {
        total.decimal.map { $0 / Decimal(count) }
    }

    /// Not a number.
    public static var _noAverage: Decimal { .nan }

    /// Writes a number into the column of an index of totals.
    public static func _writeSummand(_ number: Decimal, into writer: inout KeyWriter) {
        SumColumn.encode(decimal: number, into: &writer)
    }
}
