// A property of an index: its declared column, and the closures to write and read it.

import TroveCoding

/// A property in the sort order of an index.
///
/// The closure returns the value of the property at the path, and depends on nothing else. When a record is saved again
/// with the same stored bytes of the property, it keeps its entry. If the closure reads another property as well, the
/// entry becomes stale: queries no longer find the record by it, and `Store.check()` reports it.
public struct IndexedProperty<Record: IndexKeyRecord>: Sendable {
    let column: IndexColumn
    /// Writes the column of a record.
    @usableFromInline let encode: @Sendable (Record, inout KeyWriter) -> Void
    /// Moves past the column in an entry.
    let skip: @Sendable (inout KeyReader) throws(CodingError) -> Void
    /// Returns the reader of the column of many stored records; nil if records must be decoded. It is created when a
    /// build needs it: a reader needs the type's schema.
    let reader: @Sendable () -> PropertyColumns.Read?

    @usableFromInline
    init(
        _ column: IndexColumn, encode: @escaping @Sendable (Record, inout KeyWriter) -> Void,
        skip: @escaping @Sendable (inout KeyReader) throws(CodingError) -> Void,
        reader: @escaping @Sendable () -> PropertyColumns.Read?
    ) {
        self.column = column
        self.encode = encode
        self.skip = skip
        self.reader = reader
    }
}

// MARK: Properties with an order

extension IndexedProperty {
    /// Creates a property with ascending order.
    ///
    /// - Parameters:
    ///   - name: The property's stored name.
    ///   - path: The property.
    ///   - value: Returns the property's value.
    @inlinable
    public init<Value: KeyComponent>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ value: @escaping @Sendable (Record) -> Value
    ) {
        self.init(
            IndexColumn(name, .key, type: LayoutBuilder.text(of: Value.self)),
            encode: { record, writer in value(record).encodeKey(into: &writer) },
            skip: { reader throws(CodingError) in try Value.skipKey(in: &reader) },
            reader: { PropertyColumns.reader(of: path()) { $0.encodeKey(into: &$1) } })
    }

    /// Creates a property with descending order.
    ///
    /// - Parameters:
    ///   - name: The property's stored name.
    ///   - path: The property.
    ///   - value: Returns the property's value.
    @inlinable
    public init<Value: KeyComponent>(
        _ name: String, descending path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ value: @escaping @Sendable (Record) -> Value
    ) {
        self.init(
            IndexColumn(name, .descendingKey, type: LayoutBuilder.text(of: Value.self)),
            encode: { record, writer in value(record).desc.encodeKey(into: &writer) },
            skip: { reader throws(CodingError) in try Descending<Value>.skipKey(in: &reader) },
            reader: { PropertyColumns.reader(of: path()) { $0.desc.encodeKey(into: &$1) } })
    }

    /// Creates a property with ascending order, for generated code.
    ///
    /// - Parameters:
    ///   - name: The property's stored name.
    ///   - path: The property.
    ///   - coding: The property's coding. Matters only to a type without an order.
    ///   - value: Returns the property's value.
    @inlinable
    public init<Coding: CanonicalFieldCoding>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) where Coding.Value: KeyComponent {
        self.init(name, path(), value)
    }
}
