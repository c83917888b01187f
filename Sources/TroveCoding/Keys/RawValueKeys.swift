// Types with a raw value as key components: they sort as their raw values. Their conformance needs only a declaration.
//
//     enum Status: Int, KeyComponent { … }

extension KeyComponent where Self: RawRepresentable, RawValue: KeyComponent {
    /// Writes the raw value.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) { rawValue.encodeKey(into: &writer) }

    /// Reads a raw value.
    ///
    /// - Throws: `noSuchValue` if the type has no value for the raw value.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        let start = reader.offset
        if let value = Self(rawValue: try RawValue(decodingKey: &reader)) {
            self = value
        } else {
            self = try reader.refuseRawValue(at: start)
        }
    }

    /// Moves past a raw value.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) { try RawValue.skipKey(in: &reader) }
}

extension KeyReader {
    /// Throws `noSuchValue` for the raw value at an offset.
    @usableFromInline
    @inline(never)
    func refuseRawValue<Value: RawRepresentable>(at offset: Int) throws(CodingError) -> Value
    where Value.RawValue: KeyComponent {
        var reader = unsafe KeyReader(UnsafeRawBufferPointer(start: base, count: count), at: offset)
        reader.mask = mask
        throw CodingError(noValue: try Value.RawValue(decodingKey: &reader), of: Value.self, at: offset)
    }
}

extension PrefixKeyComponent where Self: RawRepresentable, RawValue: PrefixKeyComponent {
    /// Writes the prefix of the raw values with this prefix.
    @inlinable
    public func encodeKeyPrefix(into writer: inout KeyWriter) { rawValue.encodeKeyPrefix(into: &writer) }
}
