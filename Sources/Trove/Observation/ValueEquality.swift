// The equality of values of types that are not known to be Equatable.

import TroveCoding

/// Returns whether two values are equal: `Equatable` ones, and tuples, arrays and optionals of such values. Values of
/// other types are never equal.
func areEqual<Value>(_ left: Value, _ right: Value) -> Bool { areEqual(left, right, by: equality) }

/// Returns whether two values of stored properties have the same stored contents.
///
/// The bytes decide: a property need not be `Equatable`, and a text is another one if its scalars are others.
func haveSameContents<Value>(_ left: Value, _ right: Value) -> Bool {
    areEqual(left, right) { left, right in sameness(left, right) ?? equality(left, right) }
}

/// Compares two values, or their parts.
///
/// - Parameter compare: Compares two values; nil if it does not know their type.
private func areEqual(_ left: Any, _ right: Any, by compare: (Any, Any) -> Bool?) -> Bool {
    if let isEqual = compare(left, right) { return isEqual }
    let (left, right) = (Mirror(reflecting: left), Mirror(reflecting: right))
    switch left.displayStyle {
    case .tuple?, .collection?, .optional?:
        return left.displayStyle == right.displayStyle && left.children.count == right.children.count
            && zip(left.children, right.children).allSatisfy { areEqual($0.value, $1.value, by: compare) }
    default: return false
    }
}

/// Compares two `Equatable` values; nil for others.
private func equality(_ left: Any, _ right: Any) -> Bool? {
    (left as? any Equatable).map { isEqual($0, right) }
}

private func isEqual<Known: Equatable>(_ left: Known, _ right: Any) -> Bool {
    (right as? Known).map { left == $0 } ?? false
}

/// Compares the stored forms of two values; nil for values that cannot be stored.
private func sameness(_ left: Any, _ right: Any) -> Bool? {
    // A value that cannot be stored is in no record, and is not the same as a value that can.
    guard let left = left as? any RecordValue, let bytes = try? ValueWriter.bytes(of: left) else { return nil }
    return (right as? any RecordValue).map { (try? ValueWriter.bytes(of: $0)) == bytes }
}
