// What a select may ask of the last key component that it names. KeyRange turns it into bytes.

/// A comparison of a key component with values.
///
/// Order and equality are those of the bytes in the key (``KeyComponent``): strings compare by their UTF-8, nil sorts
/// first, NaN last.
public enum ComparisonOperator<Value: KeyComponent>: Sendable, Hashable {
    /// Above the value.
    case greaterThan(Value)
    /// The value, and above.
    case greaterThanOrEqual(Value)
    /// Below the value.
    case lessThan(Value)
    /// The value, and below.
    case lessThanOrEqual(Value)
    /// The value itself.
    case equals(Value)
    /// Any of the values; those that no record has are left out.
    case within([Value])
    /// From the first value up to, not including, the second; nothing when they are the wrong way round.
    case range(from: Value, upTo: Value)
    /// From the first value to the second, both included; nothing when they are the wrong way round.
    case closedRange(from: Value, through: Value)
    /// Beginning as the prefix does; made by ``hasPrefix(_:)``.
    case prefix(KeyPrefix<Value>)

    /// Whether results come from the largest to the smallest when no order is given: for `lessThan…`, whose nearest
    /// values are the largest.
    public var isDescendingByDefault: Bool {
        switch self {
        case .lessThan, .lessThanOrEqual: true
        default: false
        }
    }
}

extension ComparisonOperator where Value: Comparable {
    /// The values of a half-open range.
    public static func range(_ range: Range<Value>) -> Self {
        .range(from: range.lowerBound, upTo: range.upperBound)
    }

    /// The values of a closed range.
    public static func closedRange(_ range: ClosedRange<Value>) -> Self {
        .closedRange(from: range.lowerBound, through: range.upperBound)
    }
}

extension ComparisonOperator where Value: PrefixKeyComponent {
    /// The values that begin with `prefix`, byte for byte.
    public static func hasPrefix(_ prefix: Value) -> Self { .prefix(KeyPrefix(prefix)) }
}

/// The beginning of a key component.
public struct KeyPrefix<Value: KeyComponent>: Sendable, Hashable {
    /// The value that others begin with.
    public let value: Value

    /// The bytes that the components of those values begin with, and no others.
    public let bytes: [UInt8]

    /// Creates the beginning that is `value`.
    public init(_ value: Value) where Value: PrefixKeyComponent {
        self.value = value
        bytes = KeyWriter.bytes { value.encodeKeyPrefix(into: &$0) }
    }
}
