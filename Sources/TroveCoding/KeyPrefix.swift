// A prefix of the last key component of a select.

/// A prefix of a key component.
public struct KeyPrefix<Value> {
    /// The value that is the prefix.
    public let value: Value

    /// The prefix of exactly the components of values with this prefix.
    public let bytes: [UInt8]

    /// Creates the prefix `value`.
    public init(_ value: Value) where Value: PrefixKeyComponent {
        self.value = value
        bytes = KeyWriter.bytes { value.encodeKeyPrefix(into: &$0) }
    }
}

extension KeyPrefix: Sendable where Value: Sendable {}
extension KeyPrefix: Equatable where Value: Equatable {}
extension KeyPrefix: Hashable where Value: Hashable {}
