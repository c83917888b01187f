// The condition of an index, for the generators.

/// The condition for a record to be in an index.
struct ConditionDescription: Equatable {
    /// The closure in one line, the same for every format of the source: it distinguishes conditions.
    var text: String
    /// The closure in its source spelling.
    var closure: String
    /// A filter of the same meaning; nil if no filter has the closure's meaning.
    var filter: ConditionFilterDescription?
}
