// An order by scores, which conditions of the filter give to the records.

/// The order of a query's matches by scores, such as the relevance of texts.
protocol ScoreOrder: Sendable {
    /// The order in a plan.
    var text: String { get }
    /// The order as Swift.
    var swift: String { get }
    /// Whether the order names properties, which its source knows.
    var namesProperties: Bool { get }

    /// Throws the error of the order, if it has any.
    func check() throws

    /// Returns the source that orders the matches of a query.
    ///
    /// - Parameter filters: The parts of the query's normalized filter that must all match.
    func source<Record: IndexKeyRecord>(of query: Query<Record>, _ filters: [FilterTree]) -> any ScoreSource
}

/// A source of keys in an order by scores.
protocol ScoreSource: KeySource {
    /// The positions of the filters that all records with a score pass.
    var places: Set<Int> { get }
    /// Whether a walk over the source finds all matches.
    var listsMatches: Bool { get }
}

extension FilterTree {
    /// The order by the scores that the filter gives; nil if it gives none. Conditions under `not` give no scores.
    var scoreOrder: (any ScoreOrder)? { scoreOrder(isNegated: false) }

    private func scoreOrder(isNegated: Bool) -> (any ScoreOrder)? {
        switch self {
        case .keys: return isNegated ? nil : keyCondition?.scoreOrder
        case .condition, .closure: return nil
        case .and(let parts), .or(let parts):
            for part in parts.all {
                if let order = part.scoreOrder(isNegated: isNegated) { return order }
            }
            return nil
        case .not(let part): return part.scoreOrder(isNegated: !isNegated)
        }
    }
}
