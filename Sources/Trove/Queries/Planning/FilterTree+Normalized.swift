// The form of a filter that the planner reads: `not` over single properties only, and no nested `and` or `or`.
//
//     not (age > 3 or name == "x")       not age > 3 and not name == "x"
//     a or (b or c)                      a or b or c

extension FilterTree {
    /// The tree with the same meaning, whose parts the planner finds.
    ///
    /// A `not` over comparisons of a single property stays: its complement has byte ranges.
    var normalized: FilterTree {
        switch self {
        case .condition, .keys, .closure: self
        case .and(let parts): parts.all.reduce(.everything) { $0.and($1.normalized) }
        case .or(let parts): Self.union(parts.all.map(\.normalized))
        case .not(let part): part.negated
        }
    }

    /// The normalized tree of the records that do not match this tree.
    private var negated: FilterTree {
        switch self {
        case .not(let part): return part.normalized
        case .and(let parts) where isOfSeveralProperties: return Self.union(parts.all.map(\.negated))
        case .or(let parts) where isOfSeveralProperties: return parts.all.reduce(.everything) { $0.and($1.negated) }
        case .condition, .keys, .closure, .and, .or: return .not(self)
        }
    }

    /// Whether a `not` or a nested part keeps the planner from reading the tree.
    var isNormalized: Bool {
        switch self {
        case .condition, .keys, .closure: true
        case .and(let parts): parts.all.allSatisfy { part in if case .and = part { false } else { part.isNormalized } }
        case .or(let parts): parts.all.allSatisfy { part in if case .or = part { false } else { part.isNormalized } }
        case .not(.condition), .not(.keys), .not(.closure): true
        case .not: false
        }
    }

    private var isOfSeveralProperties: Bool { propertyBits.nonzeroBitCount > 1 || hasKeyConditions || hasClosures }

    /// Returns the union of trees, without nested unions.
    private static func union(_ parts: [FilterTree]) -> FilterTree {
        .or(FilterParts(parts.flatMap { part in if case .or(let inner) = part { inner.all } else { [part] } }))
    }
}
