// The records that match all of several parts.

/// The conjunction of several parts.
final class AllScorer: TextScorer {
    private(set) var id: UInt64 = 0
    /// The parts in the order of the query.
    private let parts: [any TextScorer]
    /// The parts with the fewest candidates first.
    private let rarest: [any TextScorer]
    let cost: UInt64

    init(_ parts: [any TextScorer]) {
        self.parts = parts
        rarest = parts.sorted { $0.cost < $1.cost }
        cost = rarest[0].cost
    }

    var clause: ScoredClause { .all(parts.map(\.clause)) }

    func seek(_ target: UInt64) throws -> UInt64 {
        guard id < target else { return id }
        var wanted = target
        search: while true {
            for part in rarest {
                let found = try part.seek(wanted)
                if found == endOfPostings { break search }
                if found != wanted, part !== rarest[0] {
                    wanted = found
                    continue search
                }
                wanted = found
            }
            id = wanted
            return id
        }
        id = endOfPostings
        return id
    }

    func isMatch() throws -> Bool {
        for part in rarest where try !part.isMatch() { return false }
        return true
    }

    func score() throws -> Double { try parts.reduce(0) { $0 + (try $1.score()) } }

    func reach(_ target: UInt64) throws -> UInt64 {
        try parts.reduce(endOfPostings) { min($0, try $1.reach(target)) }
    }

    var bound: Double { parts.reduce(0) { $0 + $1.bound } }

    func candidateBound() throws -> Double { try parts.reduce(0) { $0 + (try $1.candidateBound()) } }
}
