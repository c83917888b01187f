// The records that match any of several parts.
//
// A search for the best hits raises the least score of a hit. From then on, only some parts lead: the parts without
// which the bounds of the others stay below that score. The others are looked up for the leaders' candidates.
//
// Source: H. Turtle and J. Flood, Query Evaluation: Strategies and Optimizations (MaxScore, 1995), with bounds by block
// as in S. Ding and T. Suel, Faster Top-k Document Retrieval Using Block-Max Indexes (2011).

/// The disjunction of several parts.
final class AnyScorer: TextScorer {
    private(set) var id: UInt64 = 0
    /// The parts in the order of the query.
    private let parts: [any TextScorer]
    /// The candidates of the parts, so that a part seeks only beyond its candidate.
    private var candidates: [UInt64]
    /// The parts as a value, if it is not their disjunction.
    private let value: ScoredClause?
    let cost: UInt64
    /// The least score of a hit; not positive if all candidates are wanted.
    private var minimum = 0.0
    /// The window of the bounds and of the leaders.
    private var windowEnd: UInt64 = 0
    private var bounds: [Double]
    /// The parts by their bounds in the window, the least first, and the place of the first leader.
    private var order: [Int]
    private var firstLeader = 0

    init(_ parts: [any TextScorer], as value: ScoredClause? = nil) {
        self.parts = parts
        candidates = Array(repeating: 0, count: parts.count)
        self.value = value
        cost = parts.reduce(0) { $0 + $1.cost }
        bounds = Array(repeating: .infinity, count: parts.count)
        order = Array(parts.indices)
    }

    func raise(toScore minimum: Double) {
        guard minimum > self.minimum else { return }
        self.minimum = minimum
        // Leaders are chosen again.
        if windowEnd > 0 { chooseLeaders() }
    }

    var clause: ScoredClause { value ?? .any(parts.map(\.clause)) }

    func seek(_ target: UInt64) throws -> UInt64 {
        guard id < target else { return id }
        id = minimum > 0 ? try seekAmongLeaders(target) : try seekAmongAll(target)
        return id
    }

    private func seekAmongAll(_ target: UInt64) throws -> UInt64 {
        var least = endOfPostings
        for index in parts.indices { least = min(least, try seek(target, in: index)) }
        return least
    }

    /// Moves a part to its first candidate with at least a number. Returns it.
    @inline(__always)
    private func seek(_ target: UInt64, in index: Int) throws -> UInt64 {
        if candidates[index] >= target { return candidates[index] }
        let candidate = try parts[index].seek(target)
        candidates[index] = candidate
        return candidate
    }

    private func seekAmongLeaders(_ target: UInt64) throws -> UInt64 {
        var wanted = target
        while true {
            if wanted > windowEnd { windowEnd = try reach(wanted) }
            var least = endOfPostings
            for place in firstLeader..<order.count { least = min(least, try seek(wanted, in: order[place])) }
            if least <= windowEnd { return least }
            guard windowEnd < endOfPostings else { return endOfPostings }
            wanted = windowEnd + 1
        }
    }

    func isMatch() throws -> Bool {
        for index in parts.indices where try seek(id, in: index) == id && parts[index].isMatch() { return true }
        return false
    }

    func score() throws -> Double {
        var score = 0.0
        for index in parts.indices where try seek(id, in: index) == id && parts[index].isMatch() {
            score += try parts[index].score()
        }
        return score
    }

    // MARK: Bounds

    func reach(_ target: UInt64) throws -> UInt64 {
        var end = endOfPostings
        for index in parts.indices {
            end = min(end, try parts[index].reach(target))
            bounds[index] = parts[index].bound
        }
        windowEnd = end
        chooseLeaders()
        return end
    }

    private func chooseLeaders() {
        // Rounding may make the sum of all bounds greater than the sum in another order.
        let limit = minimum / BM25.boundFactor
        sortByBounds()
        var rest = 0.0
        firstLeader = 0
        for index in order {
            rest += bounds[index]
            guard rest < limit else { break }
            firstLeader += 1
        }
    }

    private func sortByBounds() {
        for place in order.indices.dropFirst() {
            let part = order[place]
            var hole = place
            while hole > 0, bounds[order[hole - 1]] > bounds[part] {
                order[hole] = order[hole - 1]
                hole -= 1
            }
            order[hole] = part
        }
    }

    var bound: Double {
        var bound = 0.0
        for index in bounds.indices { bound += bounds[index] }
        return bound
    }

    func candidateBound() throws -> Double {
        // The window's bounds of the parts that may have the candidate often suffice, without unpacking frequencies.
        if id <= windowEnd {
            var bound = 0.0
            for index in parts.indices where candidates[index] <= id { bound += bounds[index] }
            if bound < minimum { return bound }
        }
        var bound = 0.0
        for index in parts.indices {
            if candidates[index] == id {
                bound += try parts[index].candidateBound()
            } else if candidates[index] < id {
                bound += bounds[index]
            }
        }
        return bound
    }
}
