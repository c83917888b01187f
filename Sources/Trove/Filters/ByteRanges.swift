// The byte ranges of a filter on a single property, in the encoding of a key. A comparison becomes ranges; `and`, `or`
// and `not` become intersections, unions and complements of ranges.
//
//     x == v                [v, successor(v))           a value: the range holds nothing else
//     x != v                all bytes outside [v, successor(v))
//     x < v                 [ , v)
//     x between v and w     [v, successor(w))
//     x begins with p       [p, successor(p))           not a value
//
// `<`, `between` and the like leave out nil (KeyRange.swift). The complement has it.

import LMDB
import TroveCoding

/// The allowed byte ranges of a key component, in order and disjoint.
@usableFromInline
struct ByteRanges: Sendable {
    /// A byte range.
    struct Part: Hashable, Sendable {
        var range: KeyRange
        /// Whether the range holds a single value of the component, whose bytes are the lower bound.
        var isValue: Bool
    }

    private(set) var parts: [Part]
    /// Whether the ranges are from a comparison by order of an optional: they leave out nil.
    let isOrderOfOptional: Bool

    private init(_ parts: [Part]) {
        self.parts = parts
        isOrderOfOptional = false
    }

    /// Creates the ranges of a comparison.
    @usableFromInline
    init<Value: KeyComponent>(_ comparison: ComparisonOperator<Value>) {
        // A single value needs no lists of ranges and of bounds.
        if case .equals(let value) = comparison {
            parts = [Part(range: KeyRange(prefix: KeyWriter.bytes(of: value)), isValue: true)]
            isOrderOfOptional = false
            return
        }
        let isValue = if case .within = comparison { true } else { false }
        parts = KeyRange.ranges(prefix: [], last: comparison).map { Part(range: $0, isValue: isValue) }
        isOrderOfOptional = Value.rangeWithoutNil != nil && !comparison.bounds.isEmpty
    }

    /// Creates the ranges of a range that holds several values.
    init(_ range: KeyRange) { self.init([Part(range: range, isValue: false)]) }

    /// Creates the range of a single value from its bytes.
    init(value: [UInt8]) { self.init([Part(range: KeyRange(prefix: value), isValue: true)]) }

    /// The lower bounds of the parts, if every part is a value; otherwise nil.
    var values: [[UInt8]]? { parts.allSatisfy(\.isValue) ? parts.map(\.range.lower) : nil }

    /// The lower bound of the only part, if the part is a value.
    var singleValue: [UInt8]? { parts.count == 1 && parts[0].isValue ? parts[0].range.lower : nil }

    // MARK: Combining

    /// Returns the bytes in both this and the other ranges.
    func intersection(_ other: ByteRanges) -> ByteRanges {
        var common: [Part] = []
        var (left, right) = (parts[...], other.parts[...])
        while let mine = left.first, let others = right.first {
            if let range = mine.range.intersection(others.range) {
                common.append(Part(range: range, isValue: mine.isValue || others.isValue))
            }
            if mine.range.endsBefore(others.range) { left.removeFirst() } else { right.removeFirst() }
        }
        return ByteRanges(common)
    }

    /// Returns the bytes in this or the other ranges.
    func union(_ other: ByteRanges) -> ByteRanges {
        let sorted = (parts + other.parts).sorted { $0.range.lower.lexicographicallyPrecedes($1.range.lower) }
        return ByteRanges(
            sorted.reduce(into: []) { merged, part in
                guard let last = merged.last, last.range.reaches(part.range) else { return merged.append(part) }
                // Adjacent values stay apart. A value inside a range is merged into it.
                if last.isValue, part.isValue, last != part { return merged.append(part) }
                let isBeyond = last.range.endsBefore(part.range)
                merged[merged.count - 1] = Part(
                    range: KeyRange(lower: last.range.lower, upper: isBeyond ? part.range.upper : last.range.upper),
                    isValue: last == part && part.isValue)
            })
    }

    /// Returns the bytes in all of some ranges; nil without ranges.
    static func intersection(of all: [ByteRanges]) -> ByteRanges? { combined(all[...]) { $0.intersection($1) } }

    /// Returns the bytes in any of some ranges; nil without ranges.
    static func union(of all: [ByteRanges]) -> ByteRanges? { combined(all[...]) { $0.union($1) } }

    /// Combines halves: each range takes part in O(log *n*) combinations.
    private static func combined(
        _ all: ArraySlice<ByteRanges>, _ combine: (ByteRanges, ByteRanges) -> ByteRanges
    ) -> ByteRanges? {
        if all.count <= 1 { return all.first }
        let middle = all.startIndex + all.count / 2
        guard let left = combined(all[..<middle], combine), let right = combined(all[middle...], combine) else {
            return nil
        }
        return combine(left, right)
    }

    /// Returns the bytes outside these ranges.
    @usableFromInline
    func complement() -> ByteRanges {
        var gaps: [Part] = []
        var lower: [UInt8]? = []
        for part in parts {
            guard let start = lower else { break }
            let gap = KeyRange(lower: start, upper: part.range.lower)
            // No component is empty, so none sorts below the byte 0.
            if !gap.isEmpty, gap.upper != [0] { gaps.append(Part(range: gap, isValue: false)) }
            lower = part.range.upper
        }
        if let lower { gaps.append(Part(range: KeyRange(lower: lower, upper: nil), isValue: false)) }
        return ByteRanges(gaps)
    }

    /// Returns the ranges for a component whose bytes are complemented.
    ///
    /// No component is a prefix of a bound. So the first differing byte decides, in reverse: the bytes below *b* become
    /// the bytes above everything beginning with the complement of *b*.
    func descending() -> ByteRanges {
        ByteRanges(
            parts.reversed().compactMap { part in
                let lower = part.range.lower.map { ~$0 }
                if part.isValue { return Part(range: KeyRange(prefix: lower), isValue: true) }
                var start: [UInt8] = []
                if let upper = part.range.upper {
                    guard let above = KeyRange.successor(of: upper.map { ~$0 }) else { return nil }
                    start = above
                }
                return Part(range: KeyRange(lower: start, upper: KeyRange.successor(of: lower)), isValue: false)
            })
    }

    // MARK: Testing

    /// Returns whether the ranges contain the bytes.
    func contains(_ bytes: ByteView) -> Bool {
        var (low, high) = (0, parts.count)
        // Find the last part beginning at or before the bytes.
        while low < high {
            let middle = (low + high) / 2
            if bytes.compare(parts[middle].range.lower) < 0 { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return false }
        guard let upper = parts[low - 1].range.upper else { return true }
        return bytes.compare(upper) < 0
    }
}

extension ByteRanges: Hashable {
    /// Returns whether two ranges hold the same bytes.
    @usableFromInline
    static func == (left: ByteRanges, right: ByteRanges) -> Bool { left.parts == right.parts }

    /// Hashes the ranges.
    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(parts) }
}

extension KeyRange {
    /// Returns the intersection of the two ranges; nil if it is empty.
    func intersection(_ other: KeyRange) -> KeyRange? {
        let common = KeyRange(
            lower: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower,
            upper: endsBefore(other) ? upper : other.upper)
        return common.isEmpty ? nil : common
    }

    /// Returns whether this range ends before the end of the other range.
    func endsBefore(_ other: KeyRange) -> Bool {
        guard let upper else { return false }
        guard let end = other.upper else { return true }
        return upper.lexicographicallyPrecedes(end)
    }

    /// Returns whether this range meets or overlaps another range, which does not begin before this range.
    func reaches(_ other: KeyRange) -> Bool {
        guard let upper else { return true }
        return !upper.lexicographicallyPrecedes(other.lower)
    }

    /// Returns whether any of some ranges, in order, contains a key.
    static func contains(_ ranges: [KeyRange], _ key: ByteView) -> Bool {
        var (low, high) = (0, ranges.count)
        // Find the last range beginning at or before the key.
        while low < high {
            let middle = (low + high) / 2
            if key.compare(ranges[middle].lower) < 0 { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return false }
        guard let upper = ranges[low - 1].upper else { return true }
        return key.compare(upper) < 0
    }

    /// Returns the union of some ranges, in order and disjoint.
    static func united(_ ranges: [KeyRange]) -> [KeyRange] {
        ranges.sorted { $0.lower.lexicographicallyPrecedes($1.lower) }.reduce(into: []) { united, range in
            guard let last = united.last, last.reaches(range) else { return united.append(range) }
            if last.endsBefore(range) { united[united.count - 1].upper = range.upper }
        }
    }

    /// Returns the intersection of two lists of ranges.
    static func common(_ left: [KeyRange], _ right: [KeyRange]) -> [KeyRange] {
        if left.isEverything { return right }
        if right.isEverything { return left }
        var common: [KeyRange] = []
        var (mine, others) = (united(left)[...], united(right)[...])
        while let first = mine.first, let other = others.first {
            if let range = first.intersection(other) { common.append(range) }
            if first.endsBefore(other) { mine.removeFirst() } else { others.removeFirst() }
        }
        return common
    }
}

extension [KeyRange] {
    /// The single range of all keys.
    static let everything = [KeyRange.all]

    /// Whether this is the single range of all keys.
    var isEverything: Bool { count == 1 && self[0].lower.isEmpty && self[0].upper == nil }
}

/// Calls a closure with the bytes of a component. They may be longer than a key.
@inlinable
@inline(__always)
func withKeyBytes<Result>(
    of component: some KeyComponent, _ body: (ByteView) -> Result
) -> Result {
    do {
        return try KeyWriter.withKey({ component.encodeKey(into: &$0) }) { key in
            ByteView.with(key, body)
        }
    } catch {
        return ByteView.with(KeyWriter.bytes(of: component), body)
    }
}
