// Conditions on the last key component of a select. `KeyRange` turns them into bytes.

/// A comparison of a key component with values.
///
/// Values compare as their bytes in the key do (``KeyComponent``): strings by their UTF-8, NaN last. A comparison by
/// order never finds nil, and finds nothing if it compares with nil. `.equals(nil)` and `.within` find nil.
public enum ComparisonOperator<Value> {
    /// Greater than the value.
    case greaterThan(Value)
    /// Greater than or equal to the value.
    case greaterThanOrEqual(Value)
    /// Less than the value.
    case lessThan(Value)
    /// Less than or equal to the value.
    case lessThanOrEqual(Value)
    /// Equal to the value.
    case equals(Value)
    /// Equal to any of the values; values without a record are left out.
    case within([Value])
    /// From the first value up to, but not including, the second value. Empty if they are in the wrong order.
    case range(from: Value, upTo: Value)
    /// From the first value through the second value. Empty if they are in the wrong order.
    case closedRange(from: Value, through: Value)
    /// With the prefix; created by ``hasPrefix(_:)``.
    case prefix(KeyPrefix<Value>)

    /// Whether results are in descending order if no order is given. True for `lessThan…`, where the largest values are
    /// the nearest.
    public var isDescendingByDefault: Bool {
        switch self {
        case .lessThan, .lessThanOrEqual: true
        default: false
        }
    }

    /// The values with which a comparison by order compares; empty for other comparisons.
    package var bounds: [Value] {
        switch self {
        case .greaterThan(let value), .greaterThanOrEqual(let value), .lessThan(let value),
            .lessThanOrEqual(let value):
            [value]
        case .range(let first, let second), .closedRange(let first, let second): [first, second]
        case .equals, .within, .prefix: []
        }
    }
}

extension ComparisonOperator: Sendable where Value: Sendable {}
extension ComparisonOperator: Equatable where Value: Equatable {}
extension ComparisonOperator: Hashable where Value: Hashable {}

extension ComparisonOperator where Value: Comparable {
    /// Returns the condition for a half-open range.
    public static func range(_ range: Range<Value>) -> Self {
        .range(from: range.lowerBound, upTo: range.upperBound)
    }

    /// Returns the condition for a closed range.
    public static func closedRange(_ range: ClosedRange<Value>) -> Self {
        .closedRange(from: range.lowerBound, through: range.upperBound)
    }
}

extension ComparisonOperator where Value: PrefixKeyComponent {
    /// Returns the condition for values with a prefix, byte for byte.
    public static func hasPrefix(_ prefix: Value) -> Self { .prefix(KeyPrefix(prefix)) }
}
