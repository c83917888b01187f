// The equality of values of types that are not known to be Equatable.

/// Returns whether two values are equal: `Equatable` ones, and tuples, arrays and optionals of such values. Values of
/// other types are never equal.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool { areEqualValues(left, right) }

private func areEqualValues(_ left: Any, _ right: Any) -> Bool {
    if let left = left as? any Equatable { return isEqual(left, right) }
    let (left, right) = (Mirror(reflecting: left), Mirror(reflecting: right))
    switch left.displayStyle {
    case .tuple?, .collection?, .optional?:
        return left.displayStyle == right.displayStyle && left.children.count == right.children.count
            && zip(left.children, right.children).allSatisfy { areEqualValues($0.value, $1.value) }
    default: return false
    }
}

private func isEqual<Known: Equatable>(_ left: Known, _ right: Any) -> Bool {
    (right as? Known).map { left == $0 } ?? false
}
