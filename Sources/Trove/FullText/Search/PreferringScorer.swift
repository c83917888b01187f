// The records that match a part, with a higher score if they match another part too.

/// A part whose matches have the score of another part, too.
final class PreferringScorer: TextScorer {
    private let part: any TextScorer
    private let preferred: any TextScorer
    private var preferredEnd: UInt64 = 0

    init(_ part: any TextScorer, preferring preferred: any TextScorer) {
        self.part = part
        self.preferred = preferred
    }

    var id: UInt64 { part.id }
    var cost: UInt64 { part.cost }
    var bound: Double { part.bound + preferred.bound }

    var clause: ScoredClause { .preferring(part.clause, preferred.clause) }

    func seek(_ target: UInt64) throws -> UInt64 { try part.seek(target) }
    func isMatch() throws -> Bool { try part.isMatch() }

    func score() throws -> Double {
        let score = try part.score()
        guard try preferred.seek(id) == id, try preferred.isMatch() else { return score }
        return score + (try preferred.score())
    }

    func reach(_ target: UInt64) throws -> UInt64 { min(try part.reach(target), try reachPreferred(target)) }

    func candidateBound() throws -> Double {
        if id > preferredEnd { _ = try reachPreferred(id) }
        return try part.candidateBound() + preferred.bound
    }

    private func reachPreferred(_ target: UInt64) throws -> UInt64 {
        preferredEnd = try preferred.reach(target)
        return preferredEnd
    }
}
