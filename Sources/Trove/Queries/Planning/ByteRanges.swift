// What a filter admits of one property, in the bytes that it has in a key: every comparison of two components becomes
// ranges of bytes here, and `and`, `or`, `not` of comparisons become intersections, unions and complements of them.
//
//     x == v                [v, successor(v))           a value: nothing else lies in that range
//     x != v                all bytes but those
//     x < v                 [ , v)
//     x between v and w     [v, successor(w))
//     x begins with p       [p, successor(p))           no value

import LMDB
import TroveCoding

/// The bytes of a key component that a filter admits: ranges in order, without any bytes in common.
@usableFromInline
struct ByteRanges: Hashable, Sendable {
    /// A range of bytes.
    struct Part: Hashable, Sendable {
        var range: KeyRange
        /// Whether the range holds one value of the component alone, whose bytes are its lower bound.
        var isValue: Bool
    }

    private(set) var parts: [Part]

    private init(_ parts: [Part]) { self.parts = parts }

    /// What a comparison admits.
    @usableFromInline
    init<Value>(_ comparison: ComparisonOperator<Value>) {
        let isValue =
            switch comparison {
            case .equals, .within: true
            default: false
            }
        parts = KeyRange.ranges(prefix: [], last: comparison).map { Part(range: $0, isValue: isValue) }
    }

    /// What is one value, whose bytes these are.
    init(value: [UInt8]) { parts = [Part(range: KeyRange(prefix: value), isValue: true)] }

    /// The lower bounds of the parts, where each of them is a value.
    var values: [[UInt8]]? { parts.allSatisfy(\.isValue) ? parts.map(\.range.lower) : nil }

    /// The lower bound of the only part, where that is a value.
    var singleValue: [UInt8]? { parts.count == 1 && parts[0].isValue ? parts[0].range.lower : nil }

    // MARK: Combining

    /// What both admit.
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

    /// What either admits.
    func union(_ other: ByteRanges) -> ByteRanges {
        let sorted = (parts + other.parts).sorted { $0.range.lower.lexicographicallyPrecedes($1.range.lower) }
        return ByteRanges(
            sorted.reduce(into: []) { merged, part in
                guard let last = merged.last, last.range.reaches(part.range) else { return merged.append(part) }
                // Values side by side stay apart; a value within a range goes up in it.
                if last.isValue, part.isValue, last != part { return merged.append(part) }
                let isBeyond = last.range.endsBefore(part.range)
                merged[merged.count - 1] = Part(
                    range: KeyRange(lower: last.range.lower, upper: isBeyond ? part.range.upper : last.range.upper),
                    isValue: last == part && part.isValue)
            })
    }

    /// What this does not admit.
    @usableFromInline
    func complement() -> ByteRanges {
        var gaps: [Part] = []
        var lower: [UInt8]? = []
        for part in parts {
            guard let start = lower else { break }
            let gap = KeyRange(lower: start, upper: part.range.lower)
            // No component is empty, so that none is below a byte 0.
            if !gap.isEmpty, gap.upper != [0] { gaps.append(Part(range: gap, isValue: false)) }
            lower = part.range.upper
        }
        if let lower { gaps.append(Part(range: KeyRange(lower: lower, upper: nil), isValue: false)) }
        return ByteRanges(gaps)
    }

    /// The same for a component whose bytes are complemented.
    ///
    /// No component is the beginning of a bound, so that the first byte in which they differ decides, the other way
    /// round: what is below *b* becomes what is above all that begins with the complement of *b*.
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

    /// Whether nil is admitted: the one component that is a single byte 0.
    var containsNil: Bool {
        ByteView.with([0]) { contains($0) }
    }

    /// Whether bytes are admitted.
    func contains(_ bytes: ByteView) -> Bool {
        var (low, high) = (0, parts.count)
        // The last part that begins at or before the bytes.
        while low < high {
            let middle = (low + high) / 2
            if bytes.compare(parts[middle].range.lower) < 0 { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return false }
        guard let upper = parts[low - 1].range.upper else { return true }
        return bytes.compare(upper) < 0
    }
}

/// Bounds, made ready to be asked often: the first eight bytes nearly always decide.
@usableFromInline
struct BoundsTest: Sendable {
    private let bounds: ByteRanges
    /// The first bytes of the least bound and of the greatest one.
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64
    /// Whether all that lies strictly between those is admitted.
    @usableFromInline let isSingle: Bool

    @usableFromInline
    init(_ bounds: ByteRanges) {
        self.bounds = bounds
        isSingle = bounds.parts.count == 1
        low = bounds.parts.first.map { ByteView.with($0.range.lower, \.head) } ?? .max
        high =
            bounds.parts.last.map { part in part.range.upper.map { ByteView.with($0, \.head) } ?? .max } ?? 0
    }

    /// Whether a value is admitted.
    @inlinable
    @inline(__always)
    func contains(_ value: some KeyComponent) -> Bool {
        if let head = KeyWriter.head(of: value) {
            if head < low || head > high { return false }
            if isSingle, head > low, head < high { return true }
        }
        return withKeyBytes(of: value) { decide($0) }
    }

    @usableFromInline
    func decide(_ bytes: ByteView) -> Bool { bounds.contains(bytes) }
}

extension KeyRange {
    /// What lies in both ranges; nil where nothing does.
    func intersection(_ other: KeyRange) -> KeyRange? {
        let common = KeyRange(
            lower: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower,
            upper: endsBefore(other) ? upper : other.upper)
        return common.isEmpty ? nil : common
    }

    /// Whether the other range goes on where this one is over.
    func endsBefore(_ other: KeyRange) -> Bool {
        guard let upper else { return false }
        guard let end = other.upper else { return true }
        return upper.lexicographicallyPrecedes(end)
    }

    /// Whether nothing lies between this range and another, which does not begin before it.
    func reaches(_ other: KeyRange) -> Bool {
        guard let upper else { return true }
        return !upper.lexicographicallyPrecedes(other.lower)
    }

    /// Whether one of some ranges, in order, has a key.
    static func contains(_ ranges: [KeyRange], _ key: ByteView) -> Bool {
        var (low, high) = (0, ranges.count)
        // The last range that begins at or before the key.
        while low < high {
            let middle = (low + high) / 2
            if key.compare(ranges[middle].lower) < 0 { high = middle } else { low = middle + 1 }
        }
        guard low > 0 else { return false }
        guard let upper = ranges[low - 1].upper else { return true }
        return key.compare(upper) < 0
    }

    /// Ranges in any order as ranges in order, without a key in common.
    static func united(_ ranges: [KeyRange]) -> [KeyRange] {
        ranges.sorted { $0.lower.lexicographicallyPrecedes($1.lower) }.reduce(into: []) { united, range in
            guard let last = united.last, last.reaches(range) else { return united.append(range) }
            if last.endsBefore(range) { united[united.count - 1].upper = range.upper }
        }
    }

    /// What lies in a range of each of two lists, both in order.
    static func common(_ left: [KeyRange], _ right: [KeyRange]) -> [KeyRange] {
        if left.isEverything { return right }
        if right.isEverything { return left }
        return united(left.flatMap { range in right.compactMap(range.intersection) })
    }
}

extension [KeyRange] {
    /// The single range of all keys.
    static let everything = [KeyRange.all]

    /// Whether this is the single range of all keys.
    var isEverything: Bool { count == 1 && self[0].lower.isEmpty && self[0].upper == nil }
}

/// Calls a closure with the bytes of a component, which may be more than a key can have.
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
