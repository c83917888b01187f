// The numbers that queries add up.
//
//     Summable           a number, or an optional number: the type of a property
//     SummableNumber     a number: how it is added, and the type of its average

/// A number, or an optional number, whose sum and average a query can compute: an integer, a floating-point number or a
/// `Decimal`. Nil counts as 0 in a sum, and not at all in an average.
public protocol Summable: KeyComponent {
    /// The type of the number, and of sums.
    associatedtype Number: SummableNumber
    /// The type of the average of a group: an optional for optional numbers, since a group can have none.
    associatedtype GroupAverage: Sendable

    /// Returns the number; nil for nil.
    static func _number(_ value: Self) -> Number?
    /// Returns the average of a group; an average of nil is the average of a group without numbers.
    static func _groupAverage(_ average: Number.Average?) -> GroupAverage
}

/// A number whose sum and average a query can compute.
///
/// A type of a program that is a ``/TroveCoding/StoredInteger`` or a ``/TroveCoding/StoredFloatingPoint`` needs only
/// the declaration: `extension Cents: SummableNumber {}`.
public protocol SummableNumber: Summable where Number == Self, GroupAverage == Average {
    /// The type of averages: `Double`, and `Decimal` for decimal numbers.
    associatedtype Average: Sendable
    /// The type in which numbers are added.
    associatedtype _Total: _ExactSum

    /// Adds a number to a sum.
    static func _add(_ number: Self, to total: inout _Total)
    /// Returns the sum; nil if it is beyond the greatest number.
    static func _sum(_ total: _Total) -> Self?
    /// Returns the average of a sum; nil if the sum is beyond the greatest number.
    static func _average(_ total: _Total, count: Int) -> Average?
    /// The average of no numbers: not a number.
    static var _noAverage: Average { get }
    /// Writes a number into the column of an index of totals.
    static func _writeSummand(_ number: Self, into writer: inout KeyWriter)
}

extension SummableNumber {
    /// The number itself.
    @inlinable
    public static func _number(_ value: Self) -> Self? { value }

    /// The average. A group has at least one number.
    @inlinable
    public static func _groupAverage(_ average: Average?) -> Average { average ?? _noAverage }
}

extension Optional: Summable where Wrapped: SummableNumber {
    /// The type of the number, and of sums.
    public typealias Number = Wrapped
    /// The type of the average of a group.
    public typealias GroupAverage = Wrapped.Average?

    /// The number; nil for nil.
    @inlinable
    public static func _number(_ value: Self) -> Wrapped? { value }

    /// The average; nil for a group without numbers.
    @inlinable
    public static func _groupAverage(_ average: Wrapped.Average?) -> Wrapped.Average? { average }
}

/// The exact sum of numbers, and how many they are.
@usableFromInline
struct RunningTotal<Number: SummableNumber>: Sendable {
    @usableFromInline var sum = Number._Total.zero
    @usableFromInline var count = 0

    @inlinable
    init() {}

    /// Adds a number.
    @inlinable
    @inline(__always)
    mutating func add(_ number: Number) {
        count += 1
        Number._add(number, to: &sum)
    }
}
