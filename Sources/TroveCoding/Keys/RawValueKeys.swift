// Types with a raw value as key components: they sort as their raw values. Their conformance needs only a declaration.
//
//     enum Status: Int, KeyComponent { … }

extension KeyComponent where Self: RawRepresentable, RawValue: KeyComponent {
    /// Writes the raw value.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) { rawValue.encodeKey(into: &writer) }

    /// Reads a raw value.
    ///
    /// - Throws: `malformed` if the type has no value for the raw value.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let start = reader.offset
        let value = Self(rawValue: try RawValue(decodingKey: &reader))
        self = try reader.require(value, "a valid raw value", at: start)
    }

    /// Moves past a raw value.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try RawValue.skipKey(in: &reader) }
}

extension PrefixKeyComponent where Self: RawRepresentable, RawValue: PrefixKeyComponent {
    /// Writes the prefix of the raw values with this prefix.
    @inlinable
    public func encodeKeyPrefix(into writer: inout KeyWriter) { rawValue.encodeKeyPrefix(into: &writer) }
}
