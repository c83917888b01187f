// Keys in order, each once, and where each of the given keys has gone.

import LMDB
import TroveCoding

/// The distinct keys of a list, in ascending order.
struct SortedKeys {
    let keys: KeyList
    /// For each key of the list, its index in ``keys``.
    let places: [Int32]

    /// - Complexity: O(*n*) for a list in ascending order, otherwise O(*n* log *n*).
    init(_ list: KeyList) {
        if list.isStrictlyAscending {
            keys = list
            places = (0..<Int32(list.count)).map(\.self)
            return
        }
        var keys = KeyList()
        var places = [Int32](repeating: 0, count: list.count)
        list.withKeys { views in
            var last: ByteView?
            for index in views.sortedIndices() {
                let key = views[Int(index)]
                if last.map(key.equals) != true { keys.append(key) }
                last = key
                places[Int(index)] = Int32(keys.count - 1)
            }
        }
        self.keys = keys
        self.places = places
    }
}

extension KeyList {
    /// Removes all keys but those at some indices.
    mutating func keep(_ indices: [Int32]) {
        guard indices.count < count else { return }
        var kept = KeyList()
        withKeys { views in
            for index in indices { kept.append(views[Int(index)]) }
        }
        self = kept
    }

    /// Whether each key is greater than the key before.
    fileprivate var isStrictlyAscending: Bool {
        withKeys { views in (1..<Swift.max(1, views.count)).allSatisfy { views[$0 - 1].compare(views[$0]) < 0 } }
    }
}

extension KeyViews {
    /// Returns the indices of the keys in the order of their bytes.
    ///
    /// The eight bytes after the common beginning of all keys decide nearly all comparisons.
    fileprivate func sortedIndices() -> [Int32] {
        let start = commonSize
        var items = KeyHead.sorted((0..<count).map { KeyHead(bits: self[$0].dropFirst(start).head, index: Int32($0)) })
        if !areDecided(after: start) {
            var first = 0
            for index in 1..<Swift.max(1, count + 1) where index == count || items[index].bits != items[first].bits {
                if index - first > 1 {
                    items[first..<index].sort { self[Int($0.index)].compare(self[Int($1.index)]) < 0 }
                }
                first = index
            }
        }
        return items.map(\.index)
    }

    /// Whether keys with the same eight bytes after a common beginning are equal.
    private func areDecided(after start: Int) -> Bool {
        let size = count > 0 ? self[0].count : 0
        return size <= start + 8 && (0..<count).allSatisfy { self[$0].count == size }
    }

    /// The number of bytes at the beginning that all keys share.
    private var commonSize: Int {
        guard count > 0 else { return 0 }
        let first = self[0]
        var size = first.count
        for index in 1..<Swift.max(1, count) {
            while !self[index].starts(with: first.prefix(size)) { size -= 1 }
        }
        return size
    }
}
