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
    /// Removes all keys except the keys at some indices.
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
        withKeys { views in (1..<Swift.max(1, views.count)).allSatisfy { views[$0 - 1].precedes(views[$0]) } }
    }
}
