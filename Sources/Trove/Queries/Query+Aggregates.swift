// One value out of many: the least, the greatest, the sum, the average.

import TroveCoding

extension Query {
    /// The least value of a property, in key order; nil where no record is found.
    ///
    /// Where the property is the first component of the key that is not fixed, it costs one seek.
    @inlinable
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value? {
        try extreme(of: property, SortKey(property), in: source)
    }

    /// The least value of a property that is not nil, in key order; nil where there is none.
    @inlinable
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value? {
        try withValues(of: property).extreme(of: property, SortKey(property), in: source) ?? nil
    }

    /// The greatest value of a property, in key order; nil where no record is found.
    @inlinable
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value? {
        try extreme(of: property, SortKey(property).desc, in: source)
    }

    /// The greatest value of a property that is not nil, in key order; nil where there is none.
    @inlinable
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value? {
        try withValues(of: property).extreme(of: property, SortKey(property).desc, in: source) ?? nil
    }

    /// The sum of a property; 0 where no record is found.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value {
        var sum: Value = 0
        try forEachValue(of: property, in: source) { try add($0, to: &sum, property) }
        return sum
    }

    /// The sum of a property, in which nil counts nothing.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    public func sum<Value: FixedWidthInteger & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value {
        var sum: Value = 0
        try forEachValue(of: property, in: source) { try add($0 ?? 0, to: &sum, property) }
        return sum
    }

    /// The sum of a property; 0 where no record is found.
    @inlinable
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Value {
        var sum: Value = 0
        try forEachValue(of: property, in: source) { sum += $0 }
        return sum
    }

    /// The sum of a property, in which nil counts nothing.
    @inlinable
    public func sum<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Value {
        var sum: Value = 0
        try forEachValue(of: property, in: source) { sum += $0 ?? 0 }
        return sum
    }

    /// The average of a property; nil where no record is found.
    @inlinable
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Double? {
        try average(of: property, in: source) { Double($0) }
    }

    /// The average of a property where it is not nil; nil where it is nowhere.
    @inlinable
    public func average<Value: BinaryInteger & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Double? {
        try average(of: property, in: source) { value in value.map { Double($0) } }
    }

    /// The average of a property; nil where no record is found.
    @inlinable
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> Double? {
        try average(of: property, in: source) { Double($0) }
    }

    /// The average of a property where it is not nil; nil where it is nowhere.
    @inlinable
    public func average<Value: BinaryFloatingPoint & Sendable>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> Double? {
        try average(of: property, in: source) { value in value.map { Double($0) } }
    }
}

extension Query {
    /// The first value in an order: of all that is found, or of the page that is.
    @usableFromInline
    func extreme<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, _ key: SortKey<Record>, in source: some RecordReadable
    ) throws -> Value? {
        guard limit == nil, offset == 0, continuation == nil else {
            let values = try select(property, in: source).map { (value: $0, bytes: KeyWriter.bytes(of: $0)) }
            let extreme = values.min { left, right in
                key.isDescending
                    ? TopN.precedes(right.bytes, left.bytes) : TopN.precedes(left.bytes, right.bytes)
            }
            return extreme?.value
        }
        return try sorted(by: [key]).limit(1).select(property, in: source).first
    }

    /// The same query without the records whose property is nil. Those of a page belong to it.
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
