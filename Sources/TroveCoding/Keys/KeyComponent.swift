// What a type promises to be a component of a key.
//
//     key = component*      in the order of the key, nothing between them
//
// Components sort under memcmp as their values do, and no component's bytes are the beginning of another's (of the same
// type): so a key sorts by its first component, then by its second, and a prefix of components is a range of keys.

/// A type whose bytes in a key sort as its values do.
///
/// A raw-value type conforms by its declaration alone: `enum Status: String, KeyComponent`. A type written by hand
/// promises byte order, and that no value's bytes are the beginning of another's;
/// ``CodingLaws/keyViolations(of:areInIncreasingOrder:)`` checks both.
public protocol KeyComponent: RecordValue, Hashable {
    /// Writes the component.
    func encodeKey(into writer: inout KeyWriter)

    /// Reads a component.
    ///
    /// - Throws: `CodingError` when the bytes are not those of a value. Any bytes at all may come.
    init(decodingKey reader: inout KeyReader) throws(CodingError)

    /// Moves past a component without making it. By default decodes and drops.
    static func skipKey(in reader: inout KeyReader) throws(CodingError)
}

extension KeyComponent {
    /// By default decodes and drops.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { _ = try Self(decodingKey: &reader) }
}

/// A key component whose values have beginnings: strings, bytes, and optionals of them.
public protocol PrefixKeyComponent: KeyComponent {
    /// Writes the bytes that are the beginning of exactly the components that begin with this value.
    func encodeKeyPrefix(into writer: inout KeyWriter)
}
