// The properties of the positions of links in a list, whatever positions a store holds.
//
//     input    = position*
//     position = 0                     a new link
//              | other byte · bytes 8  the old position of a link, little-endian

import Trove

enum PositionProperties {
    static func check(_ input: [UInt8]) throws {
        let old = positions(input)
        let new = PositionGaps.positions(keeping: old)
        try require(new.count == old.count, "\(old) became \(new)")
        try require(zip(new, new.dropFirst()).allSatisfy { $0 < $1 }, "\(old) became \(new), which do not ascend")
        let range = -PositionGaps.limit...PositionGaps.limit
        try require(new.allSatisfy(range.contains), "\(old) became \(new), beyond the limits")
        let isNumbered = new == PositionGaps.numbered(old.count)
        // A list that needs no change has none.
        let needsNone = zip(old, old.dropFirst()).allSatisfy { $0 ?? .max < $1 ?? .min }
        if needsNone, old.allSatisfy({ $0.map(range.contains) ?? false }) {
            try require(new == old.compactMap(\.self), "\(old) became \(new), and was in order")
        }
        try require(isNumbered || zip(old, new).contains { $0 == $1 }, "\(old) became \(new), and keeps none")
        try check(last: old.last ?? nil)
    }

    /// Checks the position after the last of a list.
    private static func check(last: Int64?) throws {
        guard let next = PositionGaps.after(last) else {
            return try require(last ?? 0 > PositionGaps.limit - PositionGaps.gap, "no position follows \(last ?? 0)")
        }
        try require(last.map { $0 < next } ?? (next == 0), "\(next) follows \(last ?? 0)")
    }

    /// Returns positions of which no two are equal.
    private static func positions(_ input: [UInt8]) -> [Int64?] {
        var (positions, seen): ([Int64?], Set<Int64>) = ([], [])
        var rest = input[...]
        while let kind = rest.popFirst() {
            guard kind != 0 else {
                positions.append(nil)
                continue
            }
            let bytes = rest.prefix(8)
            rest = rest.dropFirst(8)
            let position = bytes.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
            if seen.insert(position).inserted { positions.append(position) }
        }
        return positions
    }
}
