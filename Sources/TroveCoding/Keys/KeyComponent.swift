// The protocol of key components.
//
//     key = component*      in the order of the key, nothing between them
//
// Components sort under memcmp as their values do. No component is a prefix of another component of the same type. So a
// key sorts by its first component, then by its second, and a prefix of components is a range of keys.

/// A type whose bytes in a key sort as its values do.
///
/// A raw-value type needs only the declaration: `enum Status: String, KeyComponent`. A type written by hand obeys two
/// laws: its bytes sort as its values do, and no value's bytes are a prefix of another value's bytes.
/// ``CodingLaws/keyViolations(of:areInIncreasingOrder:)`` checks both.
public protocol KeyComponent: RecordValue, Hashable {
    /// Writes the component.
    func encodeKey(into writer: inout KeyWriter)

    /// Reads a component.
    ///
    /// - Throws: `CodingError` if the bytes are not the bytes of a value. Any bytes at all are possible.
    init(decodingKey reader: inout KeyReader) throws(CodingError)

    /// Moves past a component without returning it. By default decodes a component.
    static func skipKey(in reader: inout KeyReader) throws(CodingError)

    /// The range of the components that are not nil; nil for a type whose values are never nil, as by default.
    ///
    /// A comparison by order finds components of this range only, and only if it compares with such components.
    static var rangeWithoutNil: KeyRange? { get }

    /// The type of a value other than nil: the type itself, as by default, or the wrapped type of an optional.
    associatedtype _Unwrapped: KeyComponent = Self

    /// Returns the value; nil for nil.
    static func _unwrapped(_ value: Self) -> _Unwrapped?
}

extension KeyComponent {
    /// Decodes a component.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { _ = try Self(decodingKey: &reader) }

    /// Nil: no value is nil.
    @inlinable
    public static var rangeWithoutNil: KeyRange? { nil }
}

extension KeyComponent where _Unwrapped == Self {
    /// Returns the value itself.
    @inlinable
    public static func _unwrapped(_ value: Self) -> Self? { value }
}
