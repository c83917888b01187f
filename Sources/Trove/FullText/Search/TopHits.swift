// The best hits of a search: the greatest scores, and among equal scores the least properties and keys.

import LMDB
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
            // All hits are sorted at the end.
            if limit < .max { try moveUp(hits.count - 1) }
        } else if try Self.precedes(&match, &hits[0], tieOf) {
            hits[0] = match
            try moveDown(0)
        }
    }

    /// Returns the hits, the best first. Call it once, at the end.
    mutating func sorted() throws -> [TextMatch] {
        hits.sort { $0.score > $1.score }
        var start = 0
        while start < hits.count {
            let score = hits[start].score
            var end = start + 1
            while end < hits.count, hits[end].score == score { end += 1 }
            if end > start + 1 { try sortTies(start..<end) }
            start = end
        }
        return hits
    }

    /// Sorts hits with equal scores.
    private mutating func sortTies(_ range: Range<Int>) throws {
        let ties = EntryBuffer()
        for place in range { ByteView.with(try Self.tie(of: &hits[place], tieOf)) { ties.append(key: $0) } }
        let sorted = ties.sortedIndices().map { hits[range.lowerBound + Int($0)] }
        hits.replaceSubrange(range, with: sorted)
    }

    /// Returns whether a hit is better than another.
    private static func precedes(
        _ left: inout TextMatch, _ right: inout TextMatch, _ tieOf: (UInt64) throws -> [UInt8]
    ) throws -> Bool {
        if left.score != right.score { return left.score > right.score }
        return try Self.tie(of: &left, tieOf).lexicographicallyPrecedes(Self.tie(of: &right, tieOf))
    }

    /// Returns the tie of a hit, and keeps it.
    ///
    /// A method would copy all hits when it changes one of them.
    private static func tie(
        of match: inout TextMatch, _ tieOf: (UInt64) throws -> [UInt8]
    ) throws -> [UInt8] {
        if let tie = match.tie { return tie }
        let tie = try tieOf(match.id)
        match.tie = tie
        return tie
    }

    private mutating func isWorse(_ left: Int, than right: Int) throws -> Bool {
        if hits[left].score != hits[right].score { return hits[left].score < hits[right].score }
        let tie = try Self.tie(of: &hits[right], tieOf)
        return try tie.lexicographicallyPrecedes(Self.tie(of: &hits[left], tieOf))
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
