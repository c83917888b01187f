// The records that match all of several parts.

/// The conjunction of several parts.
final class AllScorer: TextScorer {
    private(set) var id: UInt64 = 0
    /// The parts in the order of the query.
    private let parts: [any TextScorer]
    /// The parts with the fewest candidates first.
    private let rarest: [any TextScorer]
    let cost: UInt64
    /// The least score of a hit; not positive if all candidates are wanted.
    private var minimum = 0.0
    /// The window of the bounds.
    private var windowEnd: UInt64 = 0
    /// The bounds of the parts in the window.
    private var bounds: [Double]
    /// For each part, a bound of the sum of the scores of the parts after it in the window.
    private var laterBounds: [Double]
    private(set) var bound = Double.infinity

    init(_ parts: [any TextScorer]) {
        self.parts = parts
        rarest = parts.sorted { $0.cost < $1.cost }
        cost = rarest[0].cost
        bounds = Array(repeating: .infinity, count: parts.count)
        laterBounds = bounds
    }

    func raise(toScore minimum: Double) { self.minimum = minimum }

    var clause: ScoredClause { .all(parts.map(\.clause)) }

    func seek(_ target: UInt64) throws -> UInt64 {
        guard id < target else { return id }
        var wanted = target
        search: while true {
            for index in rarest.indices {
                let found = try rarest[index].seek(wanted)
                if found == endOfPostings { break search }
                if found != wanted, index > 0 {
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
        var end = endOfPostings
        for part in parts { end = min(end, try part.reach(target)) }
        windowEnd = end
        for index in parts.indices { bounds[index] = parts[index].bound }
        var later = 0.0
        for index in parts.indices.reversed() {
            laterBounds[index] = later
            later += bounds[index]
        }
        bound = bounds.reduce(0, +)
        return end
    }

    func candidateBound() throws -> Double {
        var bound = 0.0
        for index in parts.indices {
            bound += try parts[index].candidateBound()
            // The scores of the first parts often show that the candidate is no hit, whatever the others say.
            guard id <= windowEnd else { continue }
            let most = (bound + laterBounds[index]) * BM25.boundFactor
            if most < minimum { return most }
        }
        return bound
    }
}
