// The comparisons of which filters are made.

import TroveCoding

/// The records whose property is a value.
@inlinable
public func == <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, .equals(value), "==", value)
}

/// The records whose property is another than a value.
@inlinable
public func != <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    Filter { () throws(StoreError) in
        try Record.reader(of: property).condition(ByteRanges(.equals(value)).complement()) { "!= \(literal(value))" }
    }
}

/// The records whose property sorts before a value; nil does.
@inlinable
public func < <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, .lessThan(value), "<", value)
}

/// The records whose property is a value, or sorts before it.
@inlinable
public func <= <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, .lessThanOrEqual(value), "<=", value)
}

/// The records whose property sorts behind a value.
@inlinable
public func > <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, .greaterThan(value), ">", value)
}

/// The records whose property is a value, or sorts behind it.
@inlinable
public func >= <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, .greaterThanOrEqual(value), ">=", value)
}

extension Filter {
    /// The records whose property is any of some values.
    @inlinable
    public static func within<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>, _ values: some Sequence<Value>
    ) -> Filter {
        let values = Array(values)
        return Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(.within(values))) {
                "within [\(values.map(literal).joined(separator: ", "))]"
            }
        }
    }

    /// The records whose property lies between two values, or is one of them.
    @inlinable
    public static func between<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>, _ first: Value, _ last: Value
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(.closedRange(from: first, through: last))) {
                "between \(literal(first)) and \(literal(last))"
            }
        }
    }

    /// The records whose property lies in a range.
    @inlinable
    public static func between<Value: KeyComponent & Comparable>(
        _ property: KeyPath<Record, Value>, _ range: ClosedRange<Value>
    ) -> Filter {
        between(property, range.lowerBound, range.upperBound)
    }

    /// The records whose property lies in a range, whose upper bound does not belong to it.
    @inlinable
    public static func between<Value: KeyComponent & Comparable>(
        _ property: KeyPath<Record, Value>, _ range: Range<Value>
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(.range(range))) {
                "from \(literal(range.lowerBound)) up to \(literal(range.upperBound))"
            }
        }
    }

    @inlinable
    static func comparing<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>, _ comparison: ComparisonOperator<Value>, _ symbol: String, _ value: Value
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(comparison)) { "\(symbol) \(literal(value))" }
        }
    }
}

// MARK: Values without an order

/// The records whose property is a value: their fields have the same bytes.
@_disfavoredOverload
public func == <Record: IndexKeyRecord, Value: Sendable>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    Filter { () throws(StoreError) in
        let reader = try Record.reader(of: property)
        do throws(CodingError) {
            return try reader.condition(isEqual: value) { "== \(literal(value))" }
        } catch {
            throw StoreError(writing: Record.schema.name, error)
        }
    }
}

/// The records whose property is another than a value: their fields have other bytes.
@_disfavoredOverload
public func != <Record: IndexKeyRecord, Value: Sendable>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .not(property == value)
}

extension Filter {
    /// The records whose property is any of some values: their fields have the same bytes.
    @_disfavoredOverload
    public static func within<Value: Sendable>(
        _ property: KeyPath<Record, Value>, _ values: some Sequence<Value>
    ) -> Filter {
        values.reduce(.not(.everything)) { $0.or(property == $1) }
    }
}

/// A value as one would write it.
@usableFromInline
func literal(_ value: some Sendable) -> String {
    if let string = value as? String { return string.debugDescription }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return "\(value)" }
    guard let wrapped = mirror.children.first?.value else { return "nil" }
    return (wrapped as? String)?.debugDescription ?? "\(wrapped)"
}
