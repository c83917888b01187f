// The condition of a partial index.

/// The condition for a record to have entries in an index.
public struct IndexCondition<Record: IndexKeyRecord>: Sendable {
    let text: String
    /// A filter that matches no record outside the condition. It is created when a query needs it: a filter needs the
    /// type's schema.
    let filter: (@Sendable () -> Filter<Record>)?
    /// Whether the filter matches every record that fulfills the condition.
    let isExact: Bool
    @usableFromInline let holds: @Sendable (Record) -> Bool

    /// Creates a condition without a filter: no query uses the index.
    ///
    /// - Parameters:
    ///   - text: The condition's text. A new text means a new index.
    ///   - holds: Returns whether a record has entries. The result depends on the record only.
    public init(_ text: String, _ holds: @escaping @Sendable (Record) -> Bool) {
        self.text = text
        filter = nil
        isExact = false
        self.holds = holds
    }

    /// Creates a condition with a filter of the same meaning.
    ///
    /// - Parameters:
    ///   - text: The condition's text. A new text means a new index.
    ///   - filter: A filter that matches no record outside the condition. If it compares an optional by order, it
    ///     counts as not exact; below `not`, as unknown.
    ///   - isExact: Whether the filter matches every record that fulfills the condition. Then queries do not test it on
    ///     the index's records, and a build tests it in place of the closure.
    ///   - holds: Returns whether a record has entries. The result depends on the record only.
    public init(
        _ text: String, filter: @autoclosure @escaping @Sendable () -> Filter<Record>, isExact: Bool = false,
        _ holds: @escaping @Sendable (Record) -> Bool
    ) {
        self.text = text
        self.filter = filter
        self.isExact = isExact
        self.holds = holds
    }
}

extension IndexCondition {
    /// A filter that matches no record outside the condition; nil if only the closure decides.
    ///
    /// A comparison by order of an optional once matched nil, and the closure of a condition written by hand may still
    /// do so. Below `not` such a comparison would match nil now, perhaps outside the condition.
    var safeFilter: FilterTree? {
        guard let filter = filter?(), filter.failure == nil, !filter.tree.ordersOptionals(belowNot: true) else {
            return nil
        }
        return filter.tree
    }

    /// The condition as a filter with exactly the same records; nil if only the closure decides.
    var exactFilter: FilterTree? {
        guard isExact, let filter = safeFilter, !filter.hasKeyConditions, !filter.ordersOptionals() else { return nil }
        return filter
    }
}
