// The text filters of a query that add to scores, in a transaction.

/// The text filters of a query that add to scores, in a transaction.
indirect enum OpenScoreTree {
    case text(OpenTextSource)
    /// The texts of a type without records.
    case nothing
    case all([OpenScoreTree], preferring: [OpenScoreTree])
    case any([OpenScoreTree])

    /// - Parameter scans: Whether the records are scanned although indexes are built.
    init(_ tree: ScoreTree, _ context: ReadContext, _ order: RelevanceOrder, scans: Bool = false) throws {
        switch tree {
        case .text(let text): self = try text.opened(in: context, order, scans: scans).map { .text($0) } ?? .nothing
        case .all(let parts, let others):
            self = .all(
                try parts.map { try OpenScoreTree($0, context, order, scans: scans) },
                preferring: try others.map { try OpenScoreTree($0, context, order, scans: scans) })
        case .any(let parts): self = .any(try parts.map { try OpenScoreTree($0, context, order, scans: scans) })
        }
    }

    /// The texts, in order.
    var texts: [OpenTextSource] {
        switch self {
        case .text(let text): [text]
        case .nothing: []
        case .all(let parts, let others): (parts + others).flatMap(\.texts)
        case .any(let parts): parts.flatMap(\.texts)
        }
    }

    /// Returns the number of entries to read at most.
    func entryCount() throws -> Int {
        switch self {
        case .text(let text): try text.entryCount(atMost: .max)
        case .nothing: 0
        case .all(let parts, _): try parts.map { try $0.entryCount() }.min() ?? 0
        case .any(let parts): try parts.reduce(0) { $0 + min(try $1.entryCount(), .max - $0) }
        }
    }

    /// Returns a new scorer; nil if no record matches.
    ///
    /// - Parameter keepsUnknownWords: Whether words that no record has are kept: a text in memory may have them.
    func scorer(keepsUnknownWords: Bool = false) throws -> (any TextScorer)? {
        switch self {
        case .text(let text): return try text.scorer(keepsUnknownWords: keepsUnknownWords)
        case .nothing: return nil
        case .all(let parts, let others):
            let scorers = try parts.compactMap { try $0.scorer(keepsUnknownWords: keepsUnknownWords) }
            guard scorers.count == parts.count else { return nil }
            let all = scorers.count > 1 ? AllScorer(scorers) : scorers[0]
            return try Self.any(others, keepsUnknownWords).map { PreferringScorer(all, preferring: $0) } ?? all
        case .any(let parts): return try Self.any(parts, keepsUnknownWords)
        }
    }

    private static func any(_ parts: [OpenScoreTree], _ keepsUnknownWords: Bool) throws -> (any TextScorer)? {
        let scorers = try parts.compactMap { try $0.scorer(keepsUnknownWords: keepsUnknownWords) }
        return scorers.count > 1 ? AnyScorer(scorers) : scorers.first
    }
}

extension OpenScoreTree: CustomStringConvertible {
    /// The texts in a plan.
    var description: String {
        switch self {
        case .text(let text): text.description
        case .nothing: "search"
        case .all(let parts, let others):
            ([parts.map(\.description).joined(separator: " and ")] + others.map(\.description))
                .joined(separator: " preferring ")
        case .any(let parts): parts.map(\.description).joined(separator: " or ")
        }
    }
}
