// The positions of the links of a list, with gaps for links in between.
//
// The first link has the position 0. A link at the end has the last position plus a gap. A link at the beginning has
// the first position minus a gap. A link between two others has a position between theirs. So a change of a list writes
// the changed links alone. A list is numbered again only where two positions have no number between them.

/// The positions of the links of a list.
package enum PositionGaps {
    /// The distance of neighbors.
    package static let gap: Int64 = 1 << 24
    /// The greatest position, and the negative of the least.
    package static let limit: Int64 = 1 << 62

    /// Returns the position after a list.
    ///
    /// - Parameter last: The last position of the list; nil for an empty list.
    /// - Returns: Nil if there is no position left.
    package static func after(_ last: Int64?) -> Int64? {
        guard let last else { return 0 }
        return last <= limit - gap ? last + gap : nil
    }

    /// Returns the positions of a list whose links keep their positions as far as possible.
    ///
    /// - Parameter old: The old position of each link in the order of the new list; nil for a new link. No two are
    ///   equal.
    /// - Returns: Ascending positions.
    /// - Complexity: O(*n* log *n*).
    package static func positions(keeping old: [Int64?]) -> [Int64] {
        var positions = old
        let kept = longestAscent(of: old)
        for index in positions.indices where !kept[index] { positions[index] = nil }
        var start = 0
        while start < positions.count {
            guard positions[start] == nil else {
                start += 1
                continue
            }
            let end = positions[start...].firstIndex { $0 != nil } ?? positions.count
            let bounds = (
                lower: start > 0 ? positions[start - 1] : nil, upper: end < positions.count ? positions[end] : nil
            )
            guard let run = run(of: end - start, between: bounds) else { return numbered(old.count) }
            for (offset, position) in run.enumerated() { positions[start + offset] = position }
            start = end
        }
        return positions.compactMap(\.self)
    }

    /// Returns new positions for a whole list.
    package static func numbered(_ count: Int) -> [Int64] { (0..<count).map { Int64($0) * gap } }

    /// Returns positions between two positions; nil if there are not enough, or if a position is not within the limits.
    static func run(of count: Int, between bounds: (lower: Int64?, upper: Int64?)) -> [Int64]? {
        guard isValid(bounds.lower), isValid(bounds.upper) else { return nil }
        let count64 = Int64(count)
        switch bounds {
        case (nil, nil): return numbered(count)
        case (let lower?, nil):
            guard lower <= limit - count64 * gap else { return nil }
            return (1...count64).map { lower + $0 * gap }
        case (nil, let upper?):
            guard upper >= -limit + count64 * gap else { return nil }
            return (1...count64).map { upper - (count64 + 1 - $0) * gap }
        case (let lower?, let upper?):
            guard lower < upper else { return nil }
            // The distance of the limits is too large for an `Int64`.
            let step = Int64(UInt64(bitPattern: upper &- lower) / UInt64(count64 + 1))
            return step > 0 ? (1...count64).map { lower + $0 * step } : nil
        }
    }

    private static func isValid(_ position: Int64?) -> Bool {
        position.map { (-limit...limit).contains($0) } ?? true
    }

    /// Returns for each position whether it belongs to a longest ascending subsequence.
    private static func longestAscent(of positions: [Int64?]) -> [Bool] {
        // The index of the least end of an ascent of each length, and each index's predecessor.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: positions.count)
        for (index, position) in positions.enumerated() {
            guard let position, (-limit...limit).contains(position) else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if positions[ends[middle]] ?? 0 < position { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : nil
            if low < ends.count { ends[low] = index } else { ends.append(index) }
        }
        var kept = [Bool](repeating: false, count: positions.count)
        var next = ends.last
        while let index = next {
            kept[index] = true
            next = previous[index]
        }
        return kept
    }
}
