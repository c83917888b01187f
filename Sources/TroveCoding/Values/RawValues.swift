// Types with a raw value, such as enums: stored as the raw value. Their conformance needs only a declaration.
//
//     enum Status: String, RecordValue { … }

extension RecordValue where Self: RawRepresentable, RawValue: RecordValue {
    /// `enum<layout of the raw value>`.
    @inlinable
    public static func describe(in layout: inout LayoutBuilder) { layout.append(rawValue: RawValue.self) }

    /// The raw value's size.
    @inlinable
    public static var fixedSize: Int? { RawValue.fixedSize }

    /// The raw value's size.
    @inlinable
    public var encodedSize: Int { get throws(CodingError) { try rawValue.encodedSize } }

    /// Writes the raw value.
    @inlinable
    public func encode(into writer: inout ValueWriter) { rawValue.encode(into: &writer) }

    /// Reads a raw value.
    ///
    /// - Throws: `noSuchValue` if the type has no value for the raw value.
    @inlinable
    public init(decoding reader: inout ValueReader) throws(CodingError) {
        let start = reader.offset
        if let value = Self(rawValue: try RawValue(decoding: &reader)) {
            self = value
        } else {
            self = try reader.refuseRawValue(at: start)
        }
    }

    /// Moves past a raw value.
    @inlinable
    public static func skip(in reader: inout ValueReader) throws(CodingError) { try RawValue.skip(in: &reader) }
}

extension ValueReader {
    /// Throws `noSuchValue` for the raw value at an offset.
    @usableFromInline
    @inline(never)
    func refuseRawValue<Value: RawRepresentable>(at offset: Int) throws(CodingError) -> Value
    where Value.RawValue: RecordValue {
        var reader = unsafe ValueReader(UnsafeRawBufferPointer(start: base, count: count), at: offset)
        throw CodingError(noValue: try Value.RawValue(decoding: &reader), of: Value.self, at: offset)
    }
}

extension CodingError {
    /// Creates the error for a raw value without a value of its type.
    init(noValue raw: some Any, of type: Any.Type, at offset: Int) {
        let text = String(reflecting: raw)
        let shown = text.count > 64 ? text.prefix(64) + "…" : text[...]
        self.init(.noSuchValue(String(shown), type: String(describing: type)), at: offset)
    }
}

extension LayoutBuilder {
    @usableFromInline
    mutating func append(rawValue type: (some RecordValue).Type) {
        append("enum<")
        type.describe(in: &self)
        append(">")
    }
}
