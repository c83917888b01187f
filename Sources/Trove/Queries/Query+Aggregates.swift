// Aggregates over the records of a query: minimum, maximum, sum and average.

import TroveCoding

extension Query {
    /// Returns the least value of a property, in key order; nil if the query finds no record.
    ///
    /// It costs a single seek if the property is the first key component that the query does not fix.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value? {
        try extreme(of: property, SortKey(property), in: source)
    }

    /// Returns the least value of a property other than nil, in key order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value? {
        try withValues(of: property).extreme(of: property, SortKey(property), in: source) ?? nil
    }

    /// Returns the greatest value of a property, in key order; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value? {
        try extreme(of: property, SortKey(property).desc, in: source)
    }

    /// Returns the greatest value of a property other than nil, in key order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value? {
        try withValues(of: property).extreme(of: property, SortKey(property).desc, in: source) ?? nil
    }

    /// Returns the sum of a property; 0 if the query finds no record.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value {
        var sum: Value = 0
        try forEachValue(of: property, in: source) { try add($0, to: &sum, property) }
        return sum
    }

    /// Returns the sum of a property. Nil counts as 0.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value {
        var sum: Value = 0
        try forEachValue(of: property, in: source) { try add($0 ?? 0, to: &sum, property) }
        return sum
    }

    /// Returns the sum of a property; 0 if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value {
        var sum: Value = 0
        try forEachValue(of: property, in: source) { sum += $0 }
        return sum
    }

    /// Returns the sum of a property. Nil counts as 0.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value {
        var sum: Value = 0
        try forEachValue(of: property, in: source) { sum += $0 ?? 0 }
        return sum
    }

    /// Returns the average of a property; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Double? {
        try average(of: property, in: source) { Double($0) }
    }

    /// Returns the average of the values other than nil; nil if there are none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Double? {
        try average(of: property, in: source) { value in value.map { Double($0) } }
    }

    /// Returns the average of a property; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Double? {
        try average(of: property, in: source) { Double($0) }
    }

    /// Returns the average of the values other than nil; nil if there are none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Double? {
        try average(of: property, in: source) { value in value.map { Double($0) } }
    }
}

extension Query {
    /// Returns the first value in an order, of all matching records. A limit, an offset or a continuation restricts it
    /// to the records of that page.
    @usableFromInline
    func extreme<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, _ key: SortKey<Record>, in source: some RecordReadable
    ) throws -> Value? {
        guard limit == nil, offset == 0, continuation == nil else {
            let values = try select(property, in: source).map { (value: $0, bytes: KeyWriter.bytes(of: $0)) }
            let extreme = values.min { left, right in
                key.term.isDescending
                    ? TopN.precedes(right.bytes, left.bytes) : TopN.precedes(left.bytes, right.bytes)
            }
            return extreme?.value
        }
        return try sorted(by: [key]).limit(1).select(property, in: source).first
    }

    /// Returns the query without the records whose property is nil. A limit and an offset count the remaining records.
    @usableFromInline
    func withValues<Value: KeyComponent>(of property: KeyPath<Record, Value?>) -> Query {
        filter(property != nil)
    }

    @inlinable
    func add<Value: FixedWidthInteger, Property>(
        _ value: Value, to sum: inout Value, _ property: KeyPath<Record, Property>
    ) throws {
        let (next, overflow) = sum.addingReportingOverflow(value)
        if overflow { throw StoreError.sumOverflow(type: Record.schema.name, property: "\(property)") }
        sum = next
    }

    @inlinable
    func average<Value: Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable, _ number: (Value) -> Double?
    ) throws -> Double? {
        var (sum, count) = (0.0, 0)
        try forEachValue(of: property, in: source) { value in
            guard let number = number(value) else { return }
            sum += number
            count += 1
        }
        return count == 0 ? nil : sum / Double(count)
    }
}
