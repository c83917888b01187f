// The records that match a part and not another part.

/// A part without the matches of another part.
final class ExcludingScorer: TextScorer {
    private let part: any TextScorer
    private let excluded: any TextScorer

    init(_ part: any TextScorer, excluding excluded: any TextScorer) {
        self.part = part
        self.excluded = excluded
    }

    var id: UInt64 { part.id }
    var cost: UInt64 { part.cost }
    var bound: Double { part.bound }

    var clause: ScoredClause { .excluding(part.clause, excluded.clause) }

    func seek(_ target: UInt64) throws -> UInt64 { try part.seek(target) }

    func isMatch() throws -> Bool {
        guard try part.isMatch() else { return false }
        return try excluded.seek(id) != id || !excluded.isMatch()
    }

    func score() throws -> Double { try part.score() }
    func reach(_ target: UInt64) throws -> UInt64 { try part.reach(target) }
    func candidateBound() throws -> Double { try part.candidateBound() }
    func raise(toScore minimum: Double) { part.raise(toScore: minimum) }
}
