// The protocol of key components that can be searched by a prefix.

/// A key component whose values have prefixes: strings, bytes, and optionals of them.
public protocol PrefixKeyComponent: KeyComponent {
    /// Writes the prefix of exactly the components with this value as a prefix.
    func encodeKeyPrefix(into writer: inout KeyWriter)
}
