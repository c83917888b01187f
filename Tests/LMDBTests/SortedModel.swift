// The expected contents of a database, as a sorted array.

import LMDB

struct SortedModel: Equatable {
    private(set) var rows: [Row] = []

    /// Returns the index of the first key at or above `key`.
    func index(of key: [UInt8]) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func value(for key: [UInt8]) -> [UInt8]? {
        let index = index(of: key)
        return index < rows.count && rows[index].key == key ? rows[index].value : nil
    }

    mutating func put(_ value: [UInt8], for key: [UInt8]) {
        let index = index(of: key)
        if index < rows.count, rows[index].key == key {
            rows[index].value = value
        } else {
            rows.insert(Row(key: key, value: value), at: index)
        }
    }

    mutating func delete(_ key: [UInt8]) -> Bool {
        guard value(for: key) != nil else { return false }
        rows.remove(at: index(of: key))
        return true
    }

    mutating func delete(_ range: ScanRange) -> Int {
        let indices = indices(of: range)
        rows.removeSubrange(indices)
        return indices.count
    }

    mutating func deleteAll() { rows = [] }

    func indices(of range: ScanRange) -> Range<Int> {
        let lower = index(of: range.lower)
        return lower..<max(lower, range.upper.map { index(of: $0) } ?? rows.count)
    }

    func rows(of range: ScanRange) -> [Row] {
        let rows = rows[indices(of: range)]
        return range.isDescending ? rows.reversed() : Array(rows)
    }

    /// Returns the next entry of a scan after a key, or the first entry.
    func row(after key: [UInt8]?, in range: ScanRange) -> Row? {
        var range = range
        if let key, range.isDescending {
            range.upper = key
        } else if let key {
            range.lower = key + [0]
        }
        let indices = indices(of: range)
        guard !indices.isEmpty else { return nil }
        return rows[range.isDescending ? indices.upperBound - 1 : indices.lowerBound]
    }
}
