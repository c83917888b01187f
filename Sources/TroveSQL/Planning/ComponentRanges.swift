// A comparison with a value of SQL as ranges of the bytes of a component.
//
// SQLite converts nothing for a virtual table. So the rules of its comparisons are here. A column of numbers compares
// with a text that is a number as a number. An integer compares with a real exactly. Values of different types have the
// order NULL < numbers < text < blobs.

import LMDB
import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The ranges of a component for a comparison.
struct ComponentRanges {
    /// Disjoint ranges in ascending order.
    var ranges: [KeyRange]
    /// Whether all values in the ranges fulfill the comparison.
    var isExact = true
    /// The bytes of the component, if only one has the value.
    var point: [UInt8]?

    static let nothing = ComponentRanges(ranges: [])

    /// Returns the values in both.
    func intersection(_ other: ComponentRanges) -> ComponentRanges {
        var common: [KeyRange] = []
        for left in ranges {
            for right in other.ranges {
                let lower = left.lower.lexicographicallyPrecedes(right.lower) ? right.lower : left.lower
                let upper: [UInt8]? =
                    switch (left.upper, right.upper) {
                    case (let a?, let b?): a.lexicographicallyPrecedes(b) ? a : b
                    case (let a, let b): a ?? b
                    }
                let range = KeyRange(lower: lower, upper: upper)
                if !range.isEmpty { common.append(range) }
            }
        }
        return ComponentRanges(ranges: common, isExact: isExact && other.isExact)
    }
}

extension ValueStep {
    /// Returns the ranges of a component for a comparison; nil if the comparison restricts nothing that bytes show.
    ///
    /// - Parameter value: The other side. For a column of numbers, a text that is a number has become a number.
    func ranges(_ comparison: Comparison, _ value: Cell) -> ComponentRanges? {
        let plain = plainRanges(comparison, value)
        guard var found = plain else { return nil }
        if mask != 0 {
            found.ranges = found.ranges.reversed().map(\.descending)
            found.point = found.point?.map { ~$0 }
        }
        return found
    }

    /// The ranges of the values that SQL sorts otherwise than by their bytes.
    var irregularRanges: [KeyRange] {
        let plain: [KeyRange] =
            switch kind {
            case .double, .float: [nanRange]
            case .date: dateRanges(outside: true)
            default: []
            }
        let tagged = plain.map(tagged)
        return mask == 0 ? tagged : tagged.reversed().map(\.descending)
    }

    private func plainRanges(_ comparison: Comparison, _ value: Cell) -> ComponentRanges? {
        switch comparison {
        case .isNull: return nulls
        case .is where value.kind == .null: return nulls
        case .isNotNull: return ComponentRanges(ranges: nonNull)
        case .equal, .is, .less, .atMost, .greater, .atLeast:
            if value.kind == .null { return .nothing }
        case .glob: return globRanges(value)
        default: return nil
        }
        switch kind.comparison {
        case .integer(let least, let greatest): return integers(comparison, value, least, greatest)
        case .wide(let least, let greatest):
            // In the order of SQL, numbers below 64 bits are text, after all others.
            guard value.kind == .integer, least == 0 || comparison == .equal || comparison == .is else { return nil }
            return integers(comparison, value, least, greatest)
        case .real: return reals(comparison, value)
        case .text: return texts(comparison, value)
        case .blob: return blobs(comparison, value)
        case .uuid: return uuids(comparison, value)
        case .date: return dates(comparison, value)
        case .none: return nil
        }
    }

    private var nulls: ComponentRanges {
        var ranges: [KeyRange] = []
        if isOptional { ranges.append(KeyRange(lower: [0], upper: [1])) }
        if kind == .double || kind == .float { ranges.append(tagged(nanRange)) }
        return ComponentRanges(ranges: ranges, point: ranges.count == 1 ? ranges[0].lower : nil)
    }

    /// The ranges of all values that are not NULL.
    private var nonNull: [KeyRange] {
        guard kind == .double || kind == .float else { return [tagged(.all)] }
        return [tagged(KeyRange(lower: bytes(-.infinity), upper: KeyRange.successor(of: bytes(.infinity))))]
    }

    private var nanRange: KeyRange { KeyRange(prefix: bytes(.nan)) }

    /// Returns a range of values as one of components.
    private func tagged(_ range: KeyRange) -> KeyRange {
        guard isOptional else { return range }
        return KeyRange(lower: [1] + range.lower, upper: range.upper.map { [1] + $0 } ?? [2])
    }

    private func found(_ range: KeyRange, isExact: Bool = true) -> ComponentRanges {
        range.isEmpty ? .nothing : ComponentRanges(ranges: [tagged(range)], isExact: isExact)
    }

    /// Returns the range of a single component.
    private func found(point bytes: [UInt8]) -> ComponentRanges {
        let range = tagged(KeyRange(prefix: bytes))
        return ComponentRanges(ranges: [range], point: range.lower)
    }

    /// Returns all values or none, for another side of a type that is greater than all values or less.
    private func all(_ comparison: Comparison, otherIsGreater: Bool) -> ComponentRanges {
        switch comparison {
        case .less, .atMost: otherIsGreater ? ComponentRanges(ranges: nonNull) : .nothing
        case .greater, .atLeast: otherIsGreater ? .nothing : ComponentRanges(ranges: nonNull)
        default: .nothing
        }
    }

    /// Returns the range of the components that compare so with a component of these bytes.
    private func range(_ comparison: Comparison, _ bytes: [UInt8]) -> ComponentRanges {
        switch comparison {
        case .less: found(KeyRange(lower: [], upper: bytes))
        case .atMost: found(KeyRange(lower: [], upper: KeyRange.successor(of: bytes)))
        case .greater:
            KeyRange.successor(of: bytes).map { found(KeyRange(lower: $0, upper: nil)) } ?? .nothing
        case .atLeast: found(KeyRange(lower: bytes, upper: nil))
        default: found(point: bytes)
        }
    }

    // MARK: Numbers

    private func integers(
        _ comparison: Comparison, _ value: Cell, _ least: Int128, _ greatest: Int128
    ) -> ComponentRanges {
        var (lower, upper) = (least, greatest)
        switch value.kind {
        case .integer:
            let number = Int128(value.integer)
            switch comparison {
            case .less: upper = number - 1
            case .atMost: upper = number
            case .greater: lower = number + 1
            case .atLeast: lower = number
            default: (lower, upper) = (number, number)
            }
        case .real:
            // Beyond 64 bits, all integers are on one side.
            let real = max(-1e19, min(1e19, value.real))
            let (floor, ceiling) = (Int128(real.rounded(.down)), Int128(real.rounded(.up)))
            switch comparison {
            case .less: upper = ceiling - 1
            case .atMost: upper = floor
            case .greater: lower = floor + 1
            case .atLeast: lower = ceiling
            default:
                guard floor == ceiling else { return .nothing }
                (lower, upper) = (floor, floor)
            }
        default: return all(comparison, otherIsGreater: true)
        }
        lower = max(lower, least)
        upper = min(upper, greatest)
        guard lower <= upper else { return .nothing }
        let end = upper == greatest && kind != .bool ? nil : KeyRange.successor(of: bytes(upper))
        let begin = lower == least ? [] : bytes(lower)
        if lower == upper { return found(point: bytes(lower)) }
        return found(KeyRange(lower: begin, upper: end))
    }

    private func bytes(_ number: Int128) -> [UInt8] {
        switch kind {
        case .int8: KeyWriter.bytes(of: Int8(truncatingIfNeeded: number))
        case .int16: KeyWriter.bytes(of: Int16(truncatingIfNeeded: number))
        case .int32: KeyWriter.bytes(of: Int32(truncatingIfNeeded: number))
        case .uint8: KeyWriter.bytes(of: UInt8(truncatingIfNeeded: number))
        case .uint16: KeyWriter.bytes(of: UInt16(truncatingIfNeeded: number))
        case .uint32: KeyWriter.bytes(of: UInt32(truncatingIfNeeded: number))
        case .uint64: KeyWriter.bytes(of: UInt64(truncatingIfNeeded: number))
        case .int128: KeyWriter.bytes(of: number)
        case .uint128: KeyWriter.bytes(of: UInt128(truncatingIfNeeded: number))
        case .bool: [number == 0 ? 0 : 1]
        default: KeyWriter.bytes(of: Int64(truncatingIfNeeded: number))
        }
    }

    private func bytes(_ number: Double) -> [UInt8] {
        kind == .float ? KeyWriter.bytes(of: Float(number)) : KeyWriter.bytes(of: number)
    }

    private func reals(_ comparison: Comparison, _ value: Cell) -> ComponentRanges {
        guard value.kind == .integer || value.kind == .real else { return all(comparison, otherIsGreater: true) }
        // The nearest number of the column's type, and its order to the value.
        var nearest = value.kind == .integer ? Double(value.integer) : value.real
        if kind == .float { nearest = Double(Float(nearest)) }
        let order = Cell(nearest).compare(value)
        let point = KeyRange(prefix: bytes(nearest))
        let all = KeyRange(lower: bytes(-.infinity), upper: KeyRange.successor(of: bytes(.infinity)))
        switch comparison {
        case .less: return found(KeyRange(lower: all.lower, upper: order < 0 ? point.upper : point.lower))
        case .atMost: return found(KeyRange(lower: all.lower, upper: order <= 0 ? point.upper : point.lower))
        case .greater: return found(KeyRange(lower: order > 0 ? point.lower : point.upper ?? [], upper: all.upper))
        case .atLeast: return found(KeyRange(lower: order >= 0 ? point.lower : point.upper ?? [], upper: all.upper))
        default: return order == 0 ? found(point: point.lower) : .nothing
        }
    }

    // MARK: Texts

    private func texts(_ comparison: Comparison, _ value: Cell) -> ComponentRanges? {
        switch value.kind {
        case .blob: return all(comparison, otherIsGreater: true)
        case .text:
            return range(comparison, value.bytes.withSpan { bytes in KeyWriter.bytes { $0.writeEscaped(bytes) } })
        default: return nil
        }
    }

    private func blobs(_ comparison: Comparison, _ value: Cell) -> ComponentRanges {
        guard value.kind == .blob else { return all(comparison, otherIsGreater: false) }
        return range(comparison, value.bytes.withSpan { bytes in KeyWriter.bytes { $0.writeEscaped(bytes) } })
    }

    private func globRanges(_ value: Cell) -> ComponentRanges? {
        guard kind == .string, value.kind == .text else { return nil }
        let prefix = TextPattern.prefix(of: value.bytes, .glob)
        guard !prefix.isEmpty else { return nil }
        let bytes = prefix.withSpan { bytes in KeyWriter.bytes { $0.writeEscapedPrefix(bytes) } }
        return ComponentRanges(ranges: [tagged(KeyRange(prefix: bytes))], isExact: false)
    }

    private func uuids(_ comparison: Comparison, _ value: Cell) -> ComponentRanges? {
        if value.kind == .blob { return all(comparison, otherIsGreater: true) }
        guard value.kind == .text else { return nil }
        let text = value.bytes.copy()
        let atLeast = bisection { !Self.text(ofUUID: $0).lexicographicallyPrecedes(text) }
        let above = bisection { text.lexicographicallyPrecedes(Self.text(ofUUID: $0)) }
        return bounded(comparison, atLeast.map(Self.bytes), above.map(Self.bytes), .all)
    }

    private static func bytes(of number: UInt128) -> [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: number >> (120 - 8 * $0)) }
    }

    private static func text(ofUUID number: UInt128) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes(of: number).enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return text
    }

    /// Returns the least number for which a condition holds, which holds for all greater numbers; nil if there is none.
    private func bisection(_ holds: (UInt128) -> Bool) -> UInt128? {
        if !holds(.max) { return nil }
        var (low, high) = (UInt128.min, UInt128.max)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Returns the range of a comparison.
    ///
    /// - Parameters:
    ///   - atLeast: The first component at or above the other side; nil if there is none.
    ///   - above: The first component above the other side; nil if there is none.
    private func bounded(
        _ comparison: Comparison, _ atLeast: [UInt8]?, _ above: [UInt8]?, _ all: KeyRange, isExact: Bool = true
    ) -> ComponentRanges {
        switch comparison {
        case .less: found(KeyRange(lower: all.lower, upper: atLeast ?? all.upper), isExact: isExact)
        case .atMost: found(KeyRange(lower: all.lower, upper: above ?? all.upper), isExact: isExact)
        case .greater: above.map { found(KeyRange(lower: $0, upper: all.upper), isExact: isExact) } ?? .nothing
        case .atLeast: atLeast.map { found(KeyRange(lower: $0, upper: all.upper), isExact: isExact) } ?? .nothing
        default:
            atLeast.map { $0 == above ? .nothing : found(point: $0) } ?? .nothing
        }
    }

    // MARK: Moments

    private func dateRanges(outside: Bool) -> [KeyRange] {
        let first = KeyWriter.bytes(of: DateText.regular.lowerBound)
        let end = KeyWriter.bytes(of: DateText.regular.upperBound)
        return outside
            ? [KeyRange(lower: [], upper: first), KeyRange(lower: end, upper: nil)]
            : [KeyRange(lower: first, upper: end)]
    }

    private func dates(_ comparison: Comparison, _ value: Cell) -> ComponentRanges? {
        if value.kind == .blob { return all(comparison, otherIsGreater: true) }
        guard value.kind == .text else { return nil }
        let bytes = value.bytes.copy()
        if comparison == .equal || comparison == .is {
            let text = String(decoding: bytes, as: UTF8.self)
            guard let seconds = DateText.seconds(text), DateText.text(seconds) == text else { return .nothing }
            return found(point: KeyWriter.bytes(of: seconds))
        }
        let atLeast = date { !$0.lexicographicallyPrecedes(bytes) }
        let above = date { bytes.lexicographicallyPrecedes($0) }
        let inside = dateRanges(outside: false)[0]
        // Moments outside the years 0000 to 9999 have texts of another order: they are read, and tested.
        let regular = bounded(comparison, atLeast ?? inside.upper, above ?? inside.upper, inside, isExact: false)
        let outside = dateRanges(outside: true).map(tagged)
        return ComponentRanges(ranges: [outside[0]] + regular.ranges + [outside[1]], isExact: false)
    }

    /// Returns the component of the first regular moment whose text fulfills a condition.
    private func date(_ holds: ([UInt8]) -> Bool) -> [UInt8]? {
        var low = Self.ordered(DateText.regular.lowerBound)
        let end = Self.ordered(DateText.regular.upperBound)
        var high = end
        while low < high {
            let middle = low + (high - low) / 2
            if holds(Array(DateText.text(Self.number(ordered: middle)).utf8)) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low == end ? nil : KeyWriter.bytes(of: Self.number(ordered: low))
    }

    /// Returns the bits of a number, in the order of numbers.
    private static func ordered(_ number: Double) -> UInt64 {
        let (bits, sign) = (number.bitPattern, UInt64(1) << 63)
        return bits & sign == 0 ? bits | sign : ~bits
    }

    private static func number(ordered bits: UInt64) -> Double {
        let sign = UInt64(1) << 63
        return Double(bitPattern: bits & sign == 0 ? ~bits : bits & ~sign)
    }
}

/// The patterns of `LIKE` and `GLOB`.
enum TextPattern {
    /// Returns the bytes before the first wildcard of a pattern.
    static func prefix(of pattern: ByteView, _ comparison: Comparison) -> ByteView {
        let wildcards: [UInt8] =
            comparison == .like ? Array("%_".utf8) + [0] : Array("*?[".utf8) + [0]
        let bytes = pattern.copy()
        return pattern.prefix(bytes.firstIndex { wildcards.contains($0) } ?? bytes.count)
    }
}
