// The parts of a conjunction or a disjunction. A loop that adds parts one after another takes O(n log n).

/// A list of filters that shares its parts with the lists it was made from.
struct FilterParts: Sendable {
    /// The parts, in groups. After groups of decreasing sizes, each a power of two times the group size, comes a
    /// smaller group. So an addition copies few parts.
    private var groups: [[FilterTree]]

    private static let groupSize = 64

    init(_ parts: [FilterTree] = []) { groups = [parts] }

    /// The parts in order.
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
