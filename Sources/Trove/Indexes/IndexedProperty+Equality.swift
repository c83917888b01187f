// Properties without an order, such as nested values and arrays: the bytes of a field decide whether two values are
// equal.

import TroveCoding

extension IndexedProperty {
    /// Creates a property of a type without an order, which queries find by its value.
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

    /// Whether a part of the property is stored as JSON, so that a value may be spelled in several ways.
    var isPartlyJSON: Bool { column.type.contains("json<") }

    /// A property that is stored as JSON cannot be indexed: a value may be spelled in several ways.
    @available(*, unavailable, message: "cannot be indexed: declare its type a @RecordValue, or a KeyComponent")
    public init<Value: Codable & Sendable>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ coding: JSONField<Value>.Type, _ value: @escaping @Sendable (Record) -> Value
    ) {
        self.init(
            IndexColumn(name, .equality, type: ""), encode: { _, _ in }, skip: { _ in }, reader: { nil })
    }
}
