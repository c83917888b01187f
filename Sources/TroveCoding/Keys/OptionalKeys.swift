// Optionals as key components: nil sorts first.
//
//     component = 0x00              nil
//               | 0x01 wrapped

extension Optional: KeyComponent where Wrapped: KeyComponent {
    /// Writes the tag byte, then the wrapped component.
    @inlinable
    public func encodeKey(into writer: inout KeyWriter) {
        switch self {
        case .none:
            writer.writeByte(0)
        case .some(let wrapped):
            writer.writeByte(1)
            wrapped.encodeKey(into: &writer)
        }
    }

    /// Reads the tag byte, then the wrapped component.
    @inlinable
    public init(decodingKey reader: inout KeyReader) throws(CodingError) {
        self = try reader.readTag() ? .some(try Wrapped(decodingKey: &reader)) : .none
    }

    /// Moves past the component.
    @inlinable
    public static func skipKey(in reader: inout KeyReader) throws(CodingError) {
        if try reader.readTag() { try Wrapped.skipKey(in: &reader) }
    }

    /// The wrapped components that are not nil either.
    public static var rangeWithoutNil: KeyRange? {
        let wrapped = Wrapped.rangeWithoutNil ?? .all
        return KeyRange(lower: [1] + wrapped.lower, upper: wrapped.upper.map { [1] + $0 })
    }

    /// The type of a value other than nil.
    public typealias _Unwrapped = Wrapped._Unwrapped

    /// Returns the value; nil for nil.
    @inlinable
    public static func _unwrapped(_ value: Wrapped?) -> Wrapped._Unwrapped? { value.flatMap(Wrapped._unwrapped) }
}

extension Optional: PrefixKeyComponent where Wrapped: PrefixKeyComponent {
    /// Writes the prefix of the wrapped components with this prefix. Nil is the prefix of nil alone.
    @inlinable
    public func encodeKeyPrefix(into writer: inout KeyWriter) {
        switch self {
        case .none:
            writer.writeByte(0)
        case .some(let wrapped):
            writer.writeByte(1)
            wrapped.encodeKeyPrefix(into: &writer)
        }
    }
}
