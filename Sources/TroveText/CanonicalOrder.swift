// The canonical order of marks.

/// Unicode's canonical ordering: marks between two starters are sorted by their combining classes; marks of equal
/// classes keep their order.
enum CanonicalOrder {
    /// Sorts the marks of a cluster.
    ///
    /// - Complexity: O(n log n), and O(n) where the marks are in order.
    static func sort(_ marks: inout [TermBuilder.Mark]) {
        guard !isSorted(marks) else { return }
        let starters = marks.indices.filter { marks[$0].combiningClass == 0 }
        var start = 0
        for end in starters + [marks.count] {
            // The offset in the key keeps the order of equal classes.
            let keys = (start..<end).map { Int(marks[$0].combiningClass) << 48 | $0 }.sorted()
            marks.replaceSubrange(start..<end, with: keys.map { marks[$0 & 0xFFFF_FFFF_FFFF] })
            start = end + 1
        }
    }

    private static func isSorted(_ marks: [TermBuilder.Mark]) -> Bool {
        marks.indices.dropFirst().allSatisfy {
            marks[$0].combiningClass == 0 || marks[$0 - 1].combiningClass <= marks[$0].combiningClass
        }
    }
}
