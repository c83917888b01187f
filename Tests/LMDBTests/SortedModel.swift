// The expected contents of a database, as a sorted array.

import LMDB

struct SortedModel: Equatable {
    private(set) var pairs: [Pair] = []

    /// Returns the index of the first key at or above `key`.
    func index(of key: [UInt8]) -> Int {
        var (low, high) = (0, pairs.count)
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func value(for key: [UInt8]) -> [UInt8]? {
        let index = index(of: key)
        return index < pairs.count && pairs[index].key == key ? pairs[index].value : nil
    }

    mutating func put(_ value: [UInt8], for key: [UInt8]) {
        let index = index(of: key)
        if index < pairs.count, pairs[index].key == key {
            pairs[index].value = value
        } else {
            pairs.insert(Pair(key: key, value: value), at: index)
        }
    }

    mutating func delete(_ key: [UInt8]) -> Bool {
        guard value(for: key) != nil else { return false }
        pairs.remove(at: index(of: key))
        return true
    }

    mutating func delete(_ range: ScanRange) -> Int {
        let indices = indices(of: range)
        pairs.removeSubrange(indices)
        return indices.count
    }

    mutating func deleteAll() { pairs = [] }

    func indices(of range: ScanRange) -> Range<Int> {
        let lower = index(of: range.lower)
        return lower..<max(lower, range.upper.map { index(of: $0) } ?? pairs.count)
    }

    func pairs(of range: ScanRange) -> [Pair] {
        let pairs = pairs[indices(of: range)]
        return range.isDescending ? pairs.reversed() : Array(pairs)
    }

    /// Returns the next entry of a scan after a key, or the first entry.
    func pair(after key: [UInt8]?, in range: ScanRange) -> Pair? {
        var range = range
        if let key, range.isDescending {
            range.upper = key
        } else if let key {
            range.lower = key + [0]
        }
        let indices = indices(of: range)
        guard !indices.isEmpty else { return nil }
        return pairs[range.isDescending ? indices.upperBound - 1 : indices.lowerBound]
    }
}
