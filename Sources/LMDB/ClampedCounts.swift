// Sums and products of counts, which a damaged file can make larger than any number.

extension Int {
    /// Returns the sum of two counts, which are not negative; the greatest number if the sum is greater.
    package func addingClamped(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// Adds a count, which is not negative; the sum is at most the greatest number.
    package mutating func addClamped(_ other: Int) { self = addingClamped(other) }

    /// Returns the product of two counts, which are not negative; the greatest number if the product is greater.
    package func multipliedClamped(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}

extension Sequence<Int> {
    /// Returns the sum of counts, which are not negative; the greatest number if the sum is greater.
    package func clampedSum() -> Int { reduce(0) { $0.addingClamped($1) } }
}
