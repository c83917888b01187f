// The greatest scores of a search.
//
//     heap      the best hits, as many as the limit; the least score is on top
//     others    further records with the least score; if they are many, none of them
//
// Which of the records with the least score are hits is decided later (TieGroup.swift), so a search reads no keys.

/// The hits with the greatest scores so far.
struct TopScores {
    let limit: Int
    /// The number of records beside the heap that are kept.
    private let tieLimit: Int
    private var heap: [TextMatch] = []
    private var others: [TextMatch] = []
    /// Whether more records than are kept have the least score.
    private var isOpen = false

    /// - Parameters:
    ///   - limit: The number of hits to keep; at least 1.
    ///   - tieLimit: The number of other records to keep.
    init(limit: Int, tieLimit: Int) {
        self.limit = limit
        self.tieLimit = tieLimit
    }

    var isFull: Bool { heap.count >= limit }

    /// The scores of hits that would be kept; nil for all.
    var wanted: WantedScores? {
        isFull ? WantedScores(minimum: heap[0].score, isMinimumWanted: !isOpen) : nil
    }

    /// Keeps a hit if it has one of the greatest scores.
    mutating func add(_ match: TextMatch) {
        guard isFull else {
            heap.append(match)
            // All hits are sorted at the end.
            if limit < .max { moveUp(heap.count - 1) }
            return
        }
        let least = heap[0]
        if match.score < least.score { return }
        if match.score == least.score { return addOther(match) }
        heap[0] = match
        moveDown(0)
        if heap[0].score == least.score { return addOther(least) }
        others.removeAll(keepingCapacity: true)
        isOpen = false
    }

    private mutating func addOther(_ match: TextMatch) {
        guard !isOpen else { return }
        others.append(match)
        guard others.count > tieLimit else { return }
        isOpen = true
        others.removeAll(keepingCapacity: true)
    }

    /// Returns the hits, the greatest scores first, and equal scores in the order of their numbers.
    ///
    /// - Returns: If too many records have the least score, the hits with greater scores, and the least score.
    func sorted() -> (hits: [TextMatch], openScore: Double?) {
        let openScore = isOpen ? heap[0].score : nil
        var hits = openScore.map { score in heap.filter { $0.score > score } } ?? heap + others
        hits.sort { $0.score == $1.score ? $0.id < $1.id : $0.score > $1.score }
        return (hits, openScore)
    }

    private mutating func moveUp(_ start: Int) {
        var place = start
        while place > 0, heap[place].score < heap[(place - 1) / 2].score {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func moveDown(_ start: Int) {
        var place = start
        while true {
            var worst = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
                if heap[child].score < heap[worst].score { worst = child }
            }
            if worst == place { return }
            heap.swapAt(place, worst)
            place = worst
        }
    }
}
