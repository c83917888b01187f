// Key ranges as the arguments of a query: `lastName: "Dallas", firstName: .lessThan("Ruby")`.
//
// A query keeps only the bytes of its ranges. They are read back by the key's layout. Where two comparisons have the
// same bytes, such as `.greaterThan(5)` and `.greaterThanOrEqual(6)` of an integer, the text is one of them.

import TroveCoding

/// The ranges of a query's keys as text.
struct KeyRangeText {
    /// The arguments of the query; empty for all records.
    let arguments: String
    /// The values and the comparison of the arguments, without their labels.
    let components: [String]
    /// Whether the comparison returns its records in descending order by default.
    let isDescendingByDefault: Bool

    /// Returns nil for ranges that no query of the type has, or if only a component's own type can read its bytes.
    init?(_ ranges: [KeyRange], _ schema: RecordSchema) {
        guard let layout = Self.layout(of: schema) else { return nil }
        let bounds = ranges.map { Bounds($0, layout) }
        guard let first = bounds.first else { return nil }
        let names = schema.key.map(\.name)
        if bounds.count == 1, let comparison = first.comparison {
            isDescendingByDefault = comparison.last?.hasPrefix(".lessThan") ?? false
            components = comparison
        } else {
            let values = bounds.compactMap(\.equal)
            guard bounds.count > 1, values.count == bounds.count, let leading = values.first?.dropLast() else {
                return nil
            }
            let list = ".within([\(values.compactMap(\.last).joined(separator: ", "))])"
            isDescendingByDefault = false
            components = leading + [list]
        }
        arguments = zip(names, components).map { "\($0): \($1)" }.joined(separator: ", ")
    }

    private static func layout(of schema: RecordSchema) -> RecordLayout? {
        do throws(CodingError) { return try RecordLayout(schema.keyLayout + "{}") } catch { return nil }
    }
}

/// The bounds of a range as the texts of whole components.
private struct Bounds {
    /// The components that all keys of the range have; nil if the range is not all keys with some components.
    let equal: [String]?
    /// The components of the lower bound.
    private let lower: [String]?
    /// The components that lie just below the lower bound.
    private let above: [String]?
    /// The components of the exclusive upper bound.
    private let upper: [String]?
    /// The components whose keys are the last keys of the range; empty if there is no upper bound.
    private let through: [String]?
    /// The components of the lower bound as a prefix of a string or of bytes.
    private let prefix: [String]?

    init(_ range: KeyRange, _ layout: RecordLayout) {
        let hasPrefix = range.upper == KeyRange.successor(of: range.lower)
        let range = hasPrefix ? range : layout.withNil(range)
        lower = layout.componentTexts(range.lower)
        above = Self.predecessor(of: range.lower, layout)
        upper = range.upper.flatMap(layout.componentTexts)
        through = range.upper.map { Self.predecessor(of: $0, layout) } ?? []
        equal = hasPrefix ? lower : nil
        // A string ends with a zero byte.
        prefix = hasPrefix && lower == nil ? layout.componentTexts(range.lower + [0]) : nil
    }

    /// The arguments: the leading components, then a comparison; nil if the bytes are not from a comparison.
    var comparison: [String]? {
        if let equal { return equal }
        if let prefix, let last = prefix.last { return prefix.dropLast() + [".hasPrefix(\(last))"] }
        if let lower, let upper, lower.count == upper.count {
            return range(from: lower, to: upper, function: "range", label: "upTo")
        }
        if let lower, let through, lower.count == through.count {
            return range(from: lower, to: through, function: "closedRange", label: "through")
        }
        if let lower, let through, let last = lower.last, lower.dropLast() == through[...] {
            return through + [".greaterThanOrEqual(\(last))"]
        }
        if let above, let through, let last = above.last, above.dropLast() == through[...] {
            return through + [".greaterThan(\(last))"]
        }
        if let lower, let upper, let last = upper.last, upper.dropLast() == lower[...] {
            return lower + [".lessThan(\(last))"]
        }
        if let lower, let through, let last = through.last, through.dropLast() == lower[...] {
            return lower + [".lessThanOrEqual(\(last))"]
        }
        return nil
    }

    private func range(from first: [String], to second: [String], function: String, label: String) -> [String]? {
        guard let from = first.last, let to = second.last, first.dropLast() == second.dropLast() else { return nil }
        return first.dropLast() + [".\(function)(from: \(from), \(label): \(to))"]
    }

    /// Returns the components with this successor.
    private static func predecessor(of bytes: [UInt8], _ layout: RecordLayout) -> [String]? {
        guard let last = bytes.last, last > 0 else { return nil }
        // The successor has no trailing bytes 0xFF: a component has at most 16 of them, or a closing zero byte.
        var candidate = Array(bytes.dropLast()) + [last - 1]
        for _ in 0...16 {
            if KeyRange.successor(of: candidate) == bytes, let texts = layout.componentTexts(candidate) { return texts }
            candidate.append(0xFF)
        }
        return nil
    }
}

extension RecordLayout {
    /// Returns the range of a comparison by order with nil, which such a comparison of an optional leaves out.
    fileprivate func withNil(_ range: KeyRange) -> KeyRange {
        var range = range
        for (index, component) in key.enumerated() {
            guard let values = component.type.rangeWithoutNil else { continue }
            if let prefix = prefix(of: range.lower, index, before: values.lower) { range.lower = prefix }
            if let upper = range.upper, let end = values.upper, let prefix = prefix(of: upper, index, before: end) {
                range.upper = KeyRange.successor(of: prefix)
            }
        }
        return range
    }

    /// Returns the first bytes of a bound, if they are as many whole components and the other bytes follow.
    private func prefix(of bound: [UInt8], _ count: Int, before end: [UInt8]) -> [UInt8]? {
        guard !end.isEmpty, bound.suffix(end.count) == end[...] else { return nil }
        let prefix = Array(bound.dropLast(end.count))
        return componentTexts(prefix)?.count == count ? prefix : nil
    }
}

extension LayoutType {
    /// The range of the components that are not nil; nil for a type whose values are never nil.
    fileprivate var rangeWithoutNil: KeyRange? {
        switch self {
        case .optional(let wrapped):
            let values = wrapped.rangeWithoutNil ?? .all
            return KeyRange(lower: [1] + values.lower, upper: values.upper.map { [1] + $0 })
        case .descending(let base):
            return base.rangeWithoutNil?.descending
        default: return nil
        }
    }
}
