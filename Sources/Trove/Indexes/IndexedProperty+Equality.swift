// Properties without an order, such as nested values and arrays: two values are equal if their fields have the same
// bytes.

import TroveCoding

extension IndexedProperty {
    /// Creates a property of a type without an order. Queries find it by its value.
    ///
    /// Two values are equal if their stored bytes are: 0.0 and -0.0, for example, are two values.
    ///
    /// - Parameters:
    ///   - name: The property's stored name.
    ///   - path: The property.
    ///   - coding: The property's coding.
    ///   - value: Returns the property's value, and depends on nothing else.
    public init<Coding: CanonicalFieldCoding>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) {
        var layout = LayoutBuilder()
        coding.describe(in: &layout)
        let column = IndexColumn(name, .equality, type: layout.text)
        let isOptional = column.nilByte != nil
        self.init(
            column,
            encode: { record, writer in
                EqualityComponent.encode(value(record), as: coding, isOptional: isOptional, into: &writer)
            }, skip: { reader throws(CodingError) in try reader.skipEscaped() },
            reader: {
                PropertyColumns.reader(of: path()) {
                    EqualityComponent.encode($0, as: coding, isOptional: isOptional, into: &$1)
                }
            })
    }

    /// Whether a part of the property is stored as JSON: then a value may have several spellings.
    var isPartlyJSON: Bool { column.type.contains("json<") }

    /// Fails to compile: a property stored as JSON cannot be indexed, because a value may have several spellings.
    @available(*, unavailable, message: "cannot be indexed: declare its type a @RecordValue, or a KeyComponent")
    public init<Value: Codable & Sendable>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ coding: JSONField<Value>.Type, _ value: @escaping @Sendable (Record) -> Value
    ) {
        self.init(
            IndexColumn(name, .equality, type: ""), encode: { _, _ in }, skip: { _ in }, reader: { nil })
    }

    /// Fails to compile: the bytes of an opaque value say nothing about its value.
    @available(
        *, unavailable,
        message: "cannot be indexed: its stored bytes are opaque; index a fingerprint of the value"
    )
    public init<Value: OpaqueValue>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ coding: OpaqueField<Value>.Type, _ value: @escaping @Sendable (Record) -> Value
    ) {
        self.init(IndexColumn(name, .equality, type: ""), encode: { _, _ in }, skip: { _ in }, reader: { nil })
    }

    /// Fails to compile: the bytes of an opaque value say nothing about its value.
    @available(
        *, unavailable,
        message: "cannot be indexed: its stored bytes are opaque; index a fingerprint of the value"
    )
    public init<Value: OpaqueValue>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value?>,
        _ coding: OptionalField<OpaqueField<Value>>.Type, _ value: @escaping @Sendable (Record) -> Value?
    ) {
        self.init(IndexColumn(name, .equality, type: ""), encode: { _, _ in }, skip: { _ in }, reader: { nil })
    }

    /// Creates a property whose type cannot be stored: the property itself does not compile. A store refuses the type.
    public init<Coding: RefusedField>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) {
        self.init(
            IndexColumn(name, .equality, type: "\(name): \(Coding.Value.self) has no coding"), encode: { _, _ in },
            skip: { _ in }, reader: { nil })
    }
}
