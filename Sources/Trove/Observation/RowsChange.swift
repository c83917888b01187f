// The difference of two states of a list of rows.

import TroveCoding

/// The change from one state of a list to the next: at least one row.
struct RowsChange {
    /// A row at its offset.
    struct Row: Equatable {
        var offset: Int
        /// The bytes of the key.
        var key: [UInt8]
        /// The hash of the row's contents.
        var hash: Int
    }

    /// The rows removed, at their offsets in the old list, in order.
    private(set) var removed: [Row]
    /// The rows inserted, at their offsets in the new list, in order.
    private(set) var inserted: [Row]
    /// The offsets of moved rows, which are among the removed and the inserted rows, by their keys.
    private(set) var moves: [[UInt8]: (old: Int, new: Int)] = [:]
    /// The rows of both lists with other contents, moved or not, at their offsets in the new list, in order.
    private(set) var updated: [Row]

    /// Creates the change from removals and insertions of rows. Nil if they change nothing.
    ///
    /// - Parameters:
    ///   - removed: Rows at their offsets in the old list, in order. All other rows keep their order.
    ///   - inserted: Rows at their offsets in the new list, in order. A row can be among both.
    ///   - updated: The other rows with new contents.
    init?(removed: [Row], inserted: [Row], updated: [Row]) {
        (self.removed, self.inserted, self.updated) = (removed, inserted, updated)
        let pairs = keptRows()
        if !pairs.isEmpty { keep(pairs) }
        if self.removed.isEmpty, self.inserted.isEmpty, self.updated.isEmpty { return nil }
        self.updated.sort { $0.offset < $1.offset }
    }

    /// Creates the change from one list to another. Nil if they are equal.
    ///
    /// - Complexity: O(*n*), and for rows between the common beginning and the common end O(*m* log *m*).
    init?(from old: RowKeys, to new: RowKeys) {
        var updated: [Row] = []
        func isSame(_ offset: Int, _ newOffset: Int) -> Bool {
            guard old.hasKey(at: offset, of: new, at: newOffset) else { return false }
            if old.hash(at: offset) != new.hash(at: newOffset) { updated.append(Row(new, newOffset)) }
            return true
        }
        var start = 0
        while start < min(old.count, new.count), isSame(start, start) { start += 1 }
        var (end, newEnd) = (old.count, new.count)
        while end > start, newEnd > start, isSame(end - 1, newEnd - 1) { (end, newEnd) = (end - 1, newEnd - 1) }
        self.init(
            removed: (start..<end).map { Row(old, $0) }, inserted: (start..<newEnd).map { Row(new, $0) },
            updated: updated)
    }

    /// A key of two rows of a list; nil if there is none.
    var doubledKey: [UInt8]? {
        for rows in [removed, inserted] {
            var keys: Set<[UInt8]> = []
            if let row = rows.first(where: { !keys.insert($0.key).inserted }) { return row.key }
        }
        return nil
    }

    /// Returns the rows that are both removed and inserted, by their indices, in the order of the insertions.
    private func keptRows() -> [(removed: Int, inserted: Int)] {
        if removed.isEmpty || inserted.isEmpty { return [] }
        let indices = Dictionary(removed.indices.map { (removed[$0].key, $0) }) { first, _ in first }
        return inserted.indices.compactMap { index in indices[inserted[index].key].map { ($0, index) } }
    }

    /// Finds out which rows of both lists have moved, and which have other contents.
    private mutating func keep(_ pairs: [(removed: Int, inserted: Int)]) {
        for (old, new) in pairs where removed[old].hash != inserted[new].hash { updated.append(inserted[new]) }
        // A row stays if the same rows of the rest are before it, and if it keeps its order among the rows that stay.
        let candidates = pairs.filter {
            removed[$0.removed].offset - $0.removed == inserted[$0.inserted].offset - $0.inserted
        }
        let staying = longestIncreasing(candidates.map(\.removed)).map { candidates[$0] }
        let (stayingOld, stayingNew) = (Set(staying.map(\.removed)), Set(staying.map(\.inserted)))
        for (old, new) in pairs where !stayingOld.contains(old) {
            moves[removed[old].key] = (removed[old].offset, inserted[new].offset)
        }
        removed = removed.indices.filter { !stayingOld.contains($0) }.map { removed[$0] }
        inserted = inserted.indices.filter { !stayingNew.contains($0) }.map { inserted[$0] }
    }
}

extension RowsChange.Row {
    /// Creates the row at an offset of a list.
    init(_ rows: RowKeys, _ offset: Int) {
        self.init(offset: offset, key: rows.key(at: offset), hash: rows.hash(at: offset))
    }
}

/// Returns the indices of a longest increasing subsequence, by patience sorting. The numbers are distinct.
private func longestIncreasing(_ numbers: [Int]) -> [Int] {
    // The index of the least last number of an increasing subsequence, by its length minus 1.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for (index, number) in numbers.enumerated() {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[index] = ends[low - 1] }
        if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var result: [Int] = []
    var next = ends.last ?? -1
    while next >= 0 {
        result.append(next)
        next = previous[next]
    }
    return result.reversed()
}
