// The filter that says the same as the condition of an index, for the generators.

/// A filter that matches only records for which a condition holds.
struct ConditionFilterDescription: Equatable {
    /// The filter as code.
    var code: String
    /// Whether it matches all records for which the condition holds.
    var isExact: Bool
}
