// A property of a full-text index.

import TroveCoding

/// A property whose words are indexed.
public struct TextProperty<Record: IndexKeyRecord>: Sendable {
    let property: IndexedProperty<Record>

    /// Creates a property of a full-text index.
    ///
    /// - Parameters:
    ///   - name: The property's stored name.
    ///   - path: The property.
    ///   - value: Returns the property's value.
    public init<Value: TextValue>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ value: @escaping @Sendable (Record) -> Value
    ) {
        property = IndexedProperty(
            IndexColumn(name, .text, type: LayoutBuilder.text(of: Value.self)),
            encode: { record, writer in TextColumn.encode(value(record), into: &writer) },
            skip: { reader throws(CodingError) in throw CodingError(.malformed(expected: "an entry of an index")) },
            reader: { PropertyColumns.reader(of: path()) { TextColumn.encode($0, into: &$1) } })
    }

    /// Fails to compile: a full-text index has the words of texts.
    @available(*, unavailable, message: "a full-text index covers properties of the types String, String? and [String]")
    @_disfavoredOverload
    public init<Value>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ value: @escaping @Sendable (Record) -> Value
    ) {
        property = IndexedProperty(
            IndexColumn(name, .text, type: ""), encode: { _, _ in }, skip: { _ in }, reader: { nil })
    }
}
