// The text filters of a query, as far as they add to scores.
//
//     a and year == 3              a
//     (a and b) or c               (a and b) or c
//     (a or year == 3) and b       b, with a higher score for the matches of a
//     a and not b                  a

/// The text filters of a filter that add to scores, joined as in the filter. Other conditions do not change a score.
indirect enum ScoreTree: Sendable {
    case text(TextSource)
    /// Texts whose scores are added if a record matches all of them, and texts that add their scores if they match.
    case all([ScoreTree], preferring: [ScoreTree])
    /// Texts. The texts that a record matches add their scores.
    case any([ScoreTree])

    /// Creates the tree of a normalized filter; nil if nothing of it adds to scores.
    init?(_ filter: FilterTree) {
        switch filter {
        case .keys(let condition as TextSource): self = .text(condition)
        case .condition, .keys, .closure, .not: return nil
        case .and(let parts): self.init(all: parts.all)
        case .or(let parts): self.init(any: parts.all.compactMap(ScoreTree.init))
        }
    }

    /// Creates the tree of filters that must all match.
    init?(all filters: [FilterTree]) {
        let required = filters.filter(\.isOfTexts).compactMap(ScoreTree.init)
        let others = filters.filter { !$0.isOfTexts }.compactMap(ScoreTree.init)
        if required.isEmpty {
            self.init(any: others)
        } else if required.count == 1, others.isEmpty {
            self = required[0]
        } else {
            self = .all(required, preferring: others)
        }
    }

    private init?(any parts: [ScoreTree]) {
        guard let first = parts.first else { return nil }
        self = parts.count == 1 ? first : .any(parts)
    }

    /// The text filters, in order.
    var texts: [TextSource] {
        switch self {
        case .text(let text): [text]
        case .all(let parts, let others): (parts + others).flatMap(\.texts)
        case .any(let parts): parts.flatMap(\.texts)
        }
    }
}

extension FilterTree {
    /// Whether text filters alone decide the normalized tree, none of them under `not`.
    var isOfTexts: Bool {
        switch self {
        case .keys(let condition): condition is TextSource
        case .condition, .closure, .not: false
        case .and(let parts), .or(let parts): !parts.isEmpty && parts.all.allSatisfy(\.isOfTexts)
        }
    }
}
