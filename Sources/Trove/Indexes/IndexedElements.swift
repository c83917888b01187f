// The elements of a property as a column of an index: each record has an entry for each of its distinct elements.

import TroveCoding

/// The elements of an array or a set, in an index.
///
/// A record has an entry for each of its distinct elements: none if there is no element, or the property is nil.
public struct IndexedElements<Record: IndexKeyRecord>: Sendable {
    /// The column: its bytes are all elements of the property, as ``ElementEntries`` needs them.
    @usableFromInline let property: IndexedProperty<Record>

    @usableFromInline
    init(_ property: IndexedProperty<Record>) { self.property = property }

    /// Creates the column of a property's elements.
    ///
    /// - Parameters:
    ///   - name: The property's stored name.
    ///   - path: The property: an array, a set, or an optional of either.
    ///   - coding: The property's coding.
    ///   - value: Returns the property's value, and depends on nothing else.
    @inlinable
    public init<Coding: CanonicalFieldCoding>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) where Coding.Value: ElementsProperty, Coding.Value.StoredElement: KeyComponent {
        let write: @Sendable (Coding.Value, inout KeyWriter) -> Void = { value, writer in
            guard let elements = Coding.Value._elements(of: value) else { return }
            for element in elements { ElementEntries.write(to: &writer) { element.encodeKey(into: &$0) } }
        }
        var layout = LayoutBuilder()
        coding.describe(in: &layout)
        self.init(
            IndexedProperty(
                IndexColumn(name, .element, type: layout.text),
                encode: { record, writer in write(value(record), &writer) },
                skip: { reader throws(CodingError) in try Coding.Value.StoredElement.skipKey(in: &reader) },
                reader: { PropertyColumns.reader(of: path(), write) }))
    }

    /// Creates elements of a property without elements: its `each` in the declaration does not compile. A store refuses
    /// the type: ``StoreError/SchemaError/layoutMalformed(type:layout:reason:)``.
    @_disfavoredOverload
    public init<Coding: FieldCoding>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) where Coding.Value: KeyComponent {
        self.init(withoutElements: name, Coding.Value.self)
    }

    /// Fails to compile: only the elements of an array or a set can be indexed, and only elements with an order.
    @available(*, unavailable, message: "'each' needs an array or a set of elements that are a KeyComponent")
    @_disfavoredOverload
    public init<Coding: FieldCoding>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) {
        self.init(withoutElements: name, Coding.Value.self)
    }

    /// Creates elements of a property whose type cannot be stored: the property itself does not compile. A store
    /// refuses the type.
    public init<Coding: RefusedField>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Coding.Value>,
        _ coding: Coding.Type, _ value: @escaping @Sendable (Record) -> Coding.Value
    ) {
        self.init(withoutElements: name, Coding.Value.self)
    }

    /// Creates a column whose type is no layout, so that a store refuses it.
    private init<Value>(withoutElements name: String, _ type: Value.Type) {
        self.init(
            IndexedProperty(
                IndexColumn(name, .element, type: "\(name): \(type) has no elements"), encode: { _, _ in },
                skip: { _ in },
                reader: { nil }))
    }
}
