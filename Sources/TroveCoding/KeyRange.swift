// Ranges of keys: the only place where a comparison becomes two byte bounds.
//
//     all keys with the prefix p        [p, successor(p))
//     component = v                     [p‖v, successor(p‖v))
//     component > v                     [successor(p‖v), successor(p))
//     component >= v                    [p‖v, successor(p))
//     component < v                     [p, p‖v)
//     component <= v                    [p, successor(p‖v))
//     from v up to w                    [p‖v, p‖w)
//     from v through w                  [p‖v, successor(p‖w))
//     component has the prefix x        [p‖x, successor(p‖x))
//
// Of an optional, the comparisons by order (the lines with >, <, >=, <=, from) find no nil: the bounds [p, …) and
// […, successor(p)) are those of the values. If v or w is nil, nothing is found.
//
// successor(p) is the smallest key above all keys with the prefix p: p without its trailing bytes 0xFF, its last byte
// incremented. It does not exist if all bytes are 0xFF. No component is a prefix of another component: so the keys with
// the prefix p‖v are exactly the keys whose component is v.

/// A range of keys, in bytes.
public struct KeyRange: Sendable, Hashable {
    /// The smallest key of the range.
    public var lower: [UInt8]

    /// The smallest key above the range; nil if no key is above it.
    public var upper: [UInt8]?

    /// Creates a range from its bounds.
    ///
    /// - Parameters:
    ///   - lower: The smallest key of the range.
    ///   - upper: The smallest key above the range; nil if no key is above it.
    public init(lower: [UInt8], upper: [UInt8]?) {
        self.lower = lower
        self.upper = upper
    }

    /// All keys.
    public static var all: KeyRange { KeyRange(lower: [], upper: nil) }

    /// Creates the range of the keys with a prefix.
    public init(prefix: [UInt8]) {
        lower = prefix
        upper = Self.successor(of: prefix)
    }

    /// Returns the smallest key above all keys with the prefix; nil if there is no such key.
    public static func successor(of prefix: [UInt8]) -> [UInt8]? {
        guard let last = prefix.lastIndex(where: { $0 != 0xFF }) else { return nil }
        var successor = Array(prefix[...last])
        successor[last] += 1
        return successor
    }

    /// Returns the ranges of the keys with a prefix and a condition on the next component.
    ///
    /// - Parameters:
    ///   - prefix: The components that must be equal.
    ///   - last: The condition on the component after the prefix.
    /// - Returns: Nonempty, disjoint ranges in order. Only `within` gives more than a single range.
    public static func ranges<Value: KeyComponent>(prefix: [UInt8], last: ComparisonOperator<Value>) -> [KeyRange] {
        func key(_ value: Value) -> [UInt8] {
            let bytes = KeyWriter.bytes(of: value)
            return prefix.isEmpty ? bytes : prefix + bytes
        }
        let range: KeyRange?
        switch last {
        case .equals(let value):
            range = KeyRange(prefix: key(value))
        case .greaterThan(let value):
            range = successor(of: key(value)).map { KeyRange(lower: $0, upper: successor(of: prefix)) }
        case .greaterThanOrEqual(let value):
            range = KeyRange(lower: key(value), upper: successor(of: prefix))
        case .lessThan(let value):
            range = KeyRange(lower: prefix, upper: key(value))
        case .lessThanOrEqual(let value):
            range = KeyRange(lower: prefix, upper: successor(of: key(value)))
        case .range(let first, let end):
            range = KeyRange(lower: key(first), upper: key(end))
        case .closedRange(let first, let last):
            range = KeyRange(lower: key(first), upper: successor(of: key(last)))
        case .prefix(let beginning):
            range = KeyRange(prefix: prefix + beginning.bytes)
        case .within(let values):
            return distinct(values.map(key)).map(KeyRange.init(prefix:))
        }
        var found = range
        if let values = Value.rangeWithoutNil {
            let bounds = last.bounds
            if !bounds.isEmpty {
                found = range?.without(values, prefix: prefix, bounds: bounds.map { KeyWriter.bytes(of: $0) })
            }
        }
        return found.flatMap { $0.isEmpty ? nil : [$0] } ?? []
    }

    /// Returns the part of the range without nil; nil if a bound of the comparison is nil.
    ///
    /// - Parameters:
    ///   - values: The components that are not nil.
    ///   - prefix: The components before.
    ///   - bounds: The components with which the comparison compares.
    private func without(_ values: KeyRange, prefix: [UInt8], bounds: [[UInt8]]) -> KeyRange? {
        guard bounds.allSatisfy(values.contains) else { return nil }
        var range = self
        let first = prefix + values.lower
        if range.lower.lexicographicallyPrecedes(first) { range.lower = first }
        if let end = values.upper.map({ prefix + $0 }), range.upper.map(end.lexicographicallyPrecedes) ?? true {
            range.upper = end
        }
        return range
    }

    /// The range of the complemented bytes of a component. No component is a prefix of a bound, apart from the bytes
    /// that all components of the range begin with.
    package var descending: KeyRange {
        KeyRange(
            lower: upper.flatMap { Self.successor(of: $0.map { ~$0 }) } ?? [],
            upper: Self.successor(of: lower.map { ~$0 }))
    }

    /// Whether the range contains no key.
    public var isEmpty: Bool {
        guard let upper else { return false }
        return !lower.lexicographicallyPrecedes(upper)
    }

    /// Returns whether the range contains a key.
    public func contains(_ key: [UInt8]) -> Bool {
        if key.lexicographicallyPrecedes(lower) { return false }
        guard let upper else { return true }
        return key.lexicographicallyPrecedes(upper)
    }

    /// Returns the part of the range above `key`, where an ascending scan continues.
    public func after(_ key: [UInt8]) -> KeyRange {
        let next = key + [0]
        return lower.lexicographicallyPrecedes(next) ? KeyRange(lower: next, upper: upper) : self
    }

    /// Returns the part of the range below `key`, where a descending scan continues.
    public func before(_ key: [UInt8]) -> KeyRange {
        if let upper, !key.lexicographicallyPrecedes(upper) { return self }
        return KeyRange(lower: lower, upper: key)
    }

    private static func distinct(_ keys: [[UInt8]]) -> [[UInt8]] {
        var distinct: [[UInt8]] = []
        for key in keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where key != distinct.last {
            distinct.append(key)
        }
        return distinct
    }
}
