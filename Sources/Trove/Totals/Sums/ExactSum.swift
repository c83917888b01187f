// Exact sums: numbers are added and taken away again, and nothing is rounded before the end.
//
//     _IntegerSum         integers, in 192 bits
//     _FloatingPointSum   floating-point numbers, as a fixed-point number with a bit for each power of two
//     _DecimalSum         decimal numbers, as an integer for each power of ten
//
// Equal multisets of numbers have equal sums, in any order, and also after other numbers came and went. So a stored sum
// never drifts, and a scan of the records returns the same bits.

import TroveCoding

/// An exact sum of numbers of a family.
///
/// A sum can be negative in each of its parts: it then takes numbers away from another sum.
public protocol _ExactSum: Hashable, Sendable {
    /// The sum of no numbers.
    static var zero: Self { get }
    /// Whether the sum is that of no numbers, or of numbers that cancel each other out.
    var isZero: Bool { get }
    /// Adds another sum.
    mutating func add(_ other: Self)
    /// Takes another sum away.
    mutating func subtract(_ other: Self)
}

extension ValueReader {
    /// Reads and returns a number of records of a group. No store has so many that their sum overflows.
    mutating func readRecordCount() throws(CodingError) -> Int {
        Int(try readNumber(atMost: UInt64(GroupTotals.countLimit)))
    }
}
