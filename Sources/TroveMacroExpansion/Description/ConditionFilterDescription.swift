// The filter with the meaning of an index's condition, for the generators.

/// A filter that matches no record outside a condition.
struct ConditionFilterDescription: Equatable {
    /// The filter as code.
    var code: String
    /// Whether it matches every record that fulfills the condition.
    var isExact: Bool
}
