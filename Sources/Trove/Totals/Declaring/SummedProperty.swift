// A property whose numbers an index of totals adds up.

import TroveCoding

/// A property whose numbers are added up for each group of records.
public struct SummedProperty<Record: IndexKeyRecord>: Sendable {
    let property: IndexedProperty<Record>

    /// Creates a property whose numbers are added up.
    ///
    /// - Parameters:
    ///   - name: The property's stored name.
    ///   - path: The property: a number, or an optional number.
    ///   - value: Returns the property's value.
    public init<Value: Summable>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ value: @escaping @Sendable (Record) -> Value
    ) {
        let write: @Sendable (Value, inout KeyWriter) -> Void = { value, writer in
            SumColumn.write(into: &writer) { writer in
                if let number = Value._number(value) { Value.Number._writeSummand(number, into: &writer) }
            }
        }
        property = IndexedProperty(
            IndexColumn(name, .sum, type: LayoutBuilder.text(of: Value.self)),
            encode: { record, writer in write(value(record), &writer) },
            skip: { reader throws(CodingError) in throw CodingError(.malformed(expected: "an entry of an index")) },
            reader: { PropertyColumns.reader(of: path(), write) })
    }

    /// Fails to compile: only numbers are added up.
    @available(
        *, unavailable, message: "'of:' needs numbers: integers, floating-point numbers, Decimal, or optionals of these"
    )
    @_disfavoredOverload
    public init<Value>(
        _ name: String, _ path: @autoclosure @escaping @Sendable () -> KeyPath<Record, Value>,
        _ value: @escaping @Sendable (Record) -> Value
    ) {
        property = IndexedProperty(
            IndexColumn(name, .sum, type: ""), encode: { _, _ in }, skip: { _ in }, reader: { nil })
    }
}
