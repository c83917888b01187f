// The part of a store that an observer depends on.

import LMDB
import TroveCoding

/// Keys, key ranges and whole types, or everything.
struct ObservedRegion: Hashable, Sendable {
    /// The observed part of a type.
    struct Part: Hashable, Sendable {
        var keys: Set<[UInt8]> = []
        var ranges: [KeyRange] = []
        /// Whether all records are observed.
        var isWhole = false
    }

    /// The observed parts, by the key prefix of the type.
    private(set) var parts: [UInt32: Part] = [:]
    /// Whether all records of all types are observed.
    private(set) var isEverything = false

    /// The region of all records of all types.
    static let everything: ObservedRegion = {
        var region = ObservedRegion()
        region.insertEverything()
        return region
    }()

    /// Whether nothing is observed.
    var isEmpty: Bool { !isEverything && parts.isEmpty }

    /// Adds a record, stored or not.
    mutating func insert(key: [UInt8], of keyPrefix: UInt32) {
        parts[keyPrefix, default: Part()].keys.insert(key)
    }

    /// Adds the records with keys in a range.
    mutating func insert(range: KeyRange, of keyPrefix: UInt32) {
        if range.isEmpty { return }
        parts[keyPrefix, default: Part()].ranges.append(range)
    }

    /// Adds all records of a type.
    mutating func insertAll(of keyPrefix: UInt32) { parts[keyPrefix] = Part(isWhole: true) }

    /// Adds all records of all types.
    mutating func insertEverything() {
        isEverything = true
        parts = [:]
    }

    /// Adds another region.
    mutating func formUnion(_ other: ObservedRegion) {
        if isEverything { return }
        if other.isEverything { return insertEverything() }
        for (keyPrefix, part) in other.parts {
            let known = parts[keyPrefix] ?? Part()
            if known.isWhole { continue }
            if part.isWhole { insertAll(of: keyPrefix) }
            for key in part.keys { insert(key: key, of: keyPrefix) }
            for range in part.ranges where !known.ranges.contains(range) { insert(range: range, of: keyPrefix) }
        }
    }
}

extension ObservedRegion.Part {
    /// Returns whether some changes of the type may have changed a record of the part.
    ///
    /// - Parameter changes: The changes, with their keys in ascending order.
    func isTouched(by changes: ChangedKeys.Keys) -> Bool {
        guard case .some(let changed, let changedRanges) = changes else {
            return isWhole || !keys.isEmpty || !ranges.isEmpty
        }
        if isWhole { return !changes.isEmpty }
        return changed.contains { keys.contains($0) }
            || changedRanges.contains { range in keys.contains { range.contains($0) } }
            || ranges.contains { $0.isTouched(by: changed, changedRanges) }
    }
}

extension KeyRange {
    /// Returns whether a key may be both in the range and among some changes.
    ///
    /// - Parameter keys: The changed keys, in ascending order.
    func isTouched(by keys: [[UInt8]], _ ranges: [KeyRange]) -> Bool {
        contains(anyOf: keys) || ranges.contains { overlaps($0) }
    }

    /// Returns whether the range contains any of some keys in ascending order.
    private func contains(anyOf keys: [[UInt8]]) -> Bool {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle].lexicographicallyPrecedes(lower) { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && contains(keys[low])
    }

    /// Returns whether a key may be in both ranges.
    private func overlaps(_ other: KeyRange) -> Bool { other.begins(below: upper) && begins(below: other.upper) }

    private func begins(below end: [UInt8]?) -> Bool { end.map { lower.lexicographicallyPrecedes($0) } ?? true }
}
