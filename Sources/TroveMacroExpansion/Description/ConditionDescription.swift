// The condition of an index, for the generators.

/// The condition for a record to be in an index.
struct ConditionDescription: Equatable {
    /// The closure in one line, the same for every format of the source: it distinguishes conditions.
    var text: String
    /// The closure as it is written.
    var closure: String
    /// A filter that says the same; nil for a closure that no filter can say.
    var filter: ConditionFilterDescription?
}
