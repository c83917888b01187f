// Comparison operators that create filters.

import TroveCoding

/// Creates a filter for the records whose property equals a value.
@inlinable
public func == <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, by: .equals(value), symbol: "==", to: value)
}

/// Creates a filter for the records whose property differs from a value. Nil differs from every value.
@inlinable
public func != <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    Filter { () throws(StoreError) in
        try Record.reader(of: property).condition(ByteRanges(.equals(value)).complement()) {
            ConditionText("!=", value)
        }
    }
}

/// Creates a filter for the records whose property sorts before a value. It never matches nil.
@inlinable
public func < <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, by: .lessThan(value), symbol: "<", to: value)
}

/// Creates a filter for the records whose property equals a value or sorts before it. It never matches nil.
@inlinable
public func <= <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, by: .lessThanOrEqual(value), symbol: "<=", to: value)
}

/// Creates a filter for the records whose property sorts after a value. It never matches nil.
@inlinable
public func > <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, by: .greaterThan(value), symbol: ">", to: value)
}

/// Creates a filter for the records whose property equals a value or sorts after it. It never matches nil.
@inlinable
public func >= <Record: IndexKeyRecord, Value: KeyComponent>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .comparing(property, by: .greaterThanOrEqual(value), symbol: ">=", to: value)
}

extension Filter {
    /// Creates a filter for the records whose property equals any of some values.
    @inlinable
    public static func within<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>, _ values: some Sequence<Value>
    ) -> Filter {
        let values = Array(values)
        return Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(.within(values))) {
                ConditionText(
                    "within \(literal(values))", function: ".within", arguments: [literal(values, isSwift: true)])
            }
        }
    }

    /// Creates a filter for the records whose property lies between two values or equals either of them. It never
    /// matches nil, and matches nothing if one of the values is nil.
    @inlinable
    public static func between<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>, _ first: Value, _ last: Value
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(.closedRange(from: first, through: last))) {
                ConditionText(
                    "between \(literal(first)) and \(literal(last))", function: ".between",
                    arguments: [literal(first, isSwift: true), literal(last, isSwift: true)])
            }
        }
    }

    /// Creates a filter for the records whose property lies in a closed range.
    @inlinable
    public static func between<Value: KeyComponent & Comparable>(
        _ property: KeyPath<Record, Value>, _ range: ClosedRange<Value>
    ) -> Filter {
        between(property, range.lowerBound, range.upperBound)
    }

    /// Creates a filter for the records whose property lies in a range, without its upper bound.
    @inlinable
    public static func between<Value: KeyComponent & Comparable>(
        _ property: KeyPath<Record, Value>, _ range: Range<Value>
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(.range(range))) {
                let (lower, upper) = (range.lowerBound, range.upperBound)
                return ConditionText(
                    "from \(literal(lower)) up to \(literal(upper))", function: ".between",
                    arguments: ["\(literal(lower, isSwift: true))..<\(literal(upper, isSwift: true))"])
            }
        }
    }

    @inlinable
    static func comparing<Value: KeyComponent>(
        _ property: KeyPath<Record, Value>, by comparison: ComparisonOperator<Value>, symbol: String, to value: Value
    ) -> Filter {
        Filter { () throws(StoreError) in
            try Record.reader(of: property).condition(ByteRanges(comparison)) { ConditionText(symbol, value) }
        }
    }
}

// MARK: Values without an order

/// Creates a filter for the records whose property equals a value: the fields have the same bytes.
@_disfavoredOverload
public func == <Record: IndexKeyRecord, Value: Sendable>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    Filter { () throws(StoreError) in
        let reader = try Record.reader(of: property)
        do throws(CodingError) {
            return try reader.condition(isEqual: value) { ConditionText("==", value) }
        } catch {
            throw StoreError(writing: Record.schema.name, error)
        }
    }
}

/// Creates a filter for the records whose property differs from a value: the fields have different bytes.
@_disfavoredOverload
public func != <Record: IndexKeyRecord, Value: Sendable>(
    property: KeyPath<Record, Value>, value: Value
) -> Filter<Record> {
    .not(property == value)
}

extension Filter {
    /// Creates a filter for the records whose property equals any of some values: the fields have the same bytes.
    @_disfavoredOverload
    public static func within<Value: Sendable>(
        _ property: KeyPath<Record, Value>, _ values: some Sequence<Value>
    ) -> Filter {
        values.reduce(.not(.everything)) { $0.or(property == $1) }
    }
}
