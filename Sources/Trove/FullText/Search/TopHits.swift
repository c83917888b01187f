// The best hits of a search: the greatest scores, and among equal scores the least properties and keys.

import TroveCoding

/// A hit of a search.
struct TextMatch: Hashable, Sendable {
    var score: Double
    /// The number of the record.
    var id: UInt64
    /// The bytes that decide between equal scores, once a comparison has needed them.
    var tie: [UInt8]?
}

/// The best hits so far: a heap with the worst hit on top.
struct TopHits {
    let limit: Int
    private(set) var hits: [TextMatch] = []
    private let tieOf: (UInt64) throws -> [UInt8]

    /// - Parameters:
    ///   - limit: The number of hits to keep; at least 1.
    ///   - tie: Returns the bytes of a record that decide between equal scores.
    init(limit: Int, tie: @escaping (UInt64) throws -> [UInt8]) {
        self.limit = limit
        tieOf = tie
    }

    var isFull: Bool { hits.count >= limit }

    /// The score below which no hit is kept.
    var minimum: Double { isFull ? hits[0].score : -.infinity }

    /// Keeps a hit if it is among the best.
    mutating func add(_ match: TextMatch) throws {
        var match = match
        if !isFull {
            hits.append(match)
            try moveUp(hits.count - 1)
        } else if try precedes(&match, &hits[0]) {
            hits[0] = match
            try moveDown(0)
        }
    }

    /// Returns the hits, the best first.
    mutating func sorted() throws -> [TextMatch] {
        var sorted: [TextMatch] = []
        while !hits.isEmpty {
            sorted.append(hits[0])
            let last = hits.removeLast()
            if hits.isEmpty { break }
            hits[0] = last
            try moveDown(0)
        }
        return sorted.reversed()
    }

    /// Returns whether a hit is better than another.
    private func precedes(_ left: inout TextMatch, _ right: inout TextMatch) throws -> Bool {
        if left.score != right.score { return left.score > right.score }
        return try tie(of: &left).lexicographicallyPrecedes(tie(of: &right))
    }

    private func tie(of match: inout TextMatch) throws -> [UInt8] {
        if let tie = match.tie { return tie }
        let tie = try tieOf(match.id)
        match.tie = tie
        return tie
    }

    private mutating func isWorse(_ left: Int, than right: Int) throws -> Bool {
        if hits[left].score != hits[right].score { return hits[left].score < hits[right].score }
        let tie = try tie(of: &hits[right])
        return try tie.lexicographicallyPrecedes(self.tie(of: &hits[left]))
    }

    private mutating func moveUp(_ start: Int) throws {
        var place = start
        while place > 0, try isWorse(place, than: (place - 1) / 2) {
            hits.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func moveDown(_ start: Int) throws {
        var place = start
        while true {
            var worst = place
            for child in [2 * place + 1, 2 * place + 2] where child < hits.count {
                if try isWorse(child, than: worst) { worst = child }
            }
            if worst == place { return }
            hits.swapAt(place, worst)
            place = worst
        }
    }
}
