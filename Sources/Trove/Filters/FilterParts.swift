// The parts of a conjunction or a disjunction. A loop that adds parts at either end, one after another, takes
// O(n log n).

/// A list of filters that shares its parts with the lists it was made from.
struct FilterParts: Sendable {
    /// The parts that were added before the others, the last added at the end.
    private var front = Half.empty
    private var back: Half
    private(set) var count: Int
    /// The greatest depth of a part.
    private(set) var depth: Int

    init(_ parts: [FilterTree] = []) {
        back = Half(parts)
        count = parts.count
        depth = parts.reduce(0) { max($0, $1.depth) }
    }

    /// The parts in order.
    var all: [FilterTree] { front.isEmpty ? back.all : front.all.reversed() + back.all }

    var isEmpty: Bool { count == 0 }

    /// Returns the parts of a list, then the parts of another. The parts of the shorter list are added to the longer
    /// list.
    static func joined(_ first: FilterParts, _ second: FilterParts) -> FilterParts {
        var parts = first.count < second.count ? second : first
        if first.count < second.count {
            for part in first.all.reversed() { parts.front.append(part) }
        } else {
            for part in second.all { parts.back.append(part) }
        }
        parts.count = first.count + second.count
        parts.depth = max(first.depth, second.depth)
        return parts
    }

    /// Parts in groups. After groups of decreasing sizes, each a power of two times the group size, comes a smaller
    /// group. So an addition copies few parts.
    private struct Half: Sendable {
        private var groups: [[FilterTree]]

        private static let groupSize = 64
        static let empty = Half([])

        init(_ parts: [FilterTree]) { groups = [parts] }

        var all: [FilterTree] { groups.count == 1 ? groups[0] : groups.flatMap(\.self) }

        var isEmpty: Bool { groups[0].isEmpty }

        mutating func append(_ part: FilterTree) {
            if groups[groups.count - 1].count >= Self.groupSize { groups.append([]) }
            groups[groups.count - 1].append(part)
            guard groups[groups.count - 1].count == Self.groupSize else { return }
            while let last = groups.last, groups.dropLast().last?.count == last.count {
                groups.removeLast()
                groups[groups.count - 1] += last
            }
        }
    }
}
