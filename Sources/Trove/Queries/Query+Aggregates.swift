// Computes the aggregates of a query: minimum, maximum, sum and average.

import TroveCoding

extension Query {
    /// Whether the query finds only some of the matching records.
    private var isPage: Bool { limit != nil || offset != 0 || continuation != nil }

    /// Returns the least or greatest value of a property.
    @usableFromInline
    func extreme<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, isGreatest: Bool, in source: some RecordReadable
    ) throws -> Value? {
        if isPage { return try extremeOfPage(of: property, isGreatest, in: source) { $0 } }
        let key = isGreatest ? SortKey(property).desc : SortKey(property)
        return try sorted(by: [key]).limit(1).select(property, in: source).first
    }

    /// Returns the least or greatest value of a property other than nil.
    @usableFromInline
    func extreme<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, isGreatest: Bool, in source: some RecordReadable
    ) throws -> Value? {
        if isPage { return try extremeOfPage(of: property, isGreatest, in: source) { $0 } }
        let key = isGreatest ? SortKey(property).desc : SortKey(property)
        return try filter(property != nil).sorted(by: [key]).limit(1).select(property, in: source).first ?? nil
    }

    /// Returns the least or greatest value of a page, by reading all its records.
    private func extremeOfPage<Property: Sendable, Value: KeyComponent>(
        of property: KeyPath<Record, Property>, _ isGreatest: Bool, in source: some RecordReadable,
        _ value: (Property) -> Value?
    ) throws -> Value? {
        var extreme: (value: Value, bytes: [UInt8])?
        try forEachValue(of: property, in: source) { property in
            guard let value = value(property) else { return }
            let bytes = KeyWriter.bytes(of: value)
            if let extreme {
                let (first, second) = isGreatest ? (extreme.bytes, bytes) : (bytes, extreme.bytes)
                guard TopN.precedes(first, second) else { return }
            }
            extreme = (value, bytes)
        }
        return extreme?.value
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
