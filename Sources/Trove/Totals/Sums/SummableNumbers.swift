// The types of numbers that queries add up.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// MARK: Integers

extension SummableNumber where Self: StoredInteger {
    /// Adds a number, unless the sum is beyond the greatest number.
    @inlinable
    public static func _add(_ number: Self, to total: inout Self) -> Bool {
        let (sum, overflow) = total.addingReportingOverflow(number)
        if !overflow { total = sum }
        return !overflow
    }

    /// The sum itself.
    @inlinable
    public static func _sum(_ total: Self) -> Self { total }

    /// Adds a number.
    @inlinable
    public static func _add(_ number: Self, toAverage sum: inout Double) -> Bool {
        sum += Double(number)
        return true
    }
}

extension SummableNumber where Average == Double {
    /// Returns the average of a sum.
    @inlinable
    public static func _average(_ sum: Double, count: Int) -> Double { sum / Double(count) }

    /// Not a number.
    @inlinable public static var _noAverage: Double { .nan }
}

// MARK: Floating-point numbers

extension SummableNumber where Self: StoredFloatingPoint {
    /// Adds a number as a `Double`.
    @inlinable
    public static func _add(_ number: Self, to total: inout Double) -> Bool {
        total += Double(number)
        return true
    }

    /// The sum, rounded.
    @inlinable
    public static func _sum(_ total: Double) -> Self { Self(total) }

    /// Adds a number.
    @inlinable
    public static func _add(_ number: Self, toAverage sum: inout Double) -> Bool {
        sum += Double(number)
        return true
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
    /// Adds a number as `Decimal` adds: exactly up to 38 digits. NaN makes the sum NaN.
    public static func _add(_ number: Decimal, to total: inout Decimal) -> Bool {
        let sum = total + number
        // A sum beyond the greatest number is NaN.
        if sum.isNaN, !number.isNaN, !total.isNaN { return false }
        total = sum
        return true
    }

    /// The sum itself.
    public static func _sum(_ total: Decimal) -> Decimal { total }

    /// Adds a number.
    public static func _add(_ number: Decimal, toAverage sum: inout Decimal) -> Bool { _add(number, to: &sum) }

    /// Returns the average of a sum.
    public static func _average(_ sum: Decimal, count: Int) -> Decimal { sum / Decimal(count) }

    /// Not a number.
    public static var _noAverage: Decimal { .nan }
}
