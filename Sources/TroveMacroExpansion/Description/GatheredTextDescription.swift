// The gathered text of a full-text index, for the generators.

/// The text of a full-text index that a closure returns.
struct GatheredTextDescription: Equatable {
    /// The name of the index.
    var name: String
    /// The closure in its source spelling.
    var closure: String
}
