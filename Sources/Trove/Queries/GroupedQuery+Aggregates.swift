// Aggregates of the groups of a query.

import LMDB
import TroveCoding

extension GroupedQuery {
    /// Returns the keys of the groups: the distinct values of their properties.
    ///
    /// - Parameter source: A context, or a store.
    /// - Complexity: O(*g* log *n*) for *g* groups over an index; otherwise O(*m*) for *m* matching records.
    @available(*, noasync, message: "await the call")
    public func keys(in source: some RecordReadable) throws -> [Key] {
        try results(.keys, in: source) { _ in }.map(\.key)
    }

    /// Returns the number of records in each group.
    ///
    /// - Parameter source: A context, or a store.
    /// - Complexity: O(*m*) for *m* matching records. Over an index, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func counts(in source: some RecordReadable) throws -> [(key: Key, value: Int)] {
        try results(.count, in: source) { $0 }
    }

    // MARK: Least and greatest values

    /// Returns the least value of a property in each group, in key order.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*g* log *n*) for *g* groups over an index in which the property comes next; otherwise O(*m*) for
    ///   *m* matching records.
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value)] {
        try extremes(of: property, isGreatest: false, in: source)
    }

    /// Returns the least value of a property other than nil in each group, in key order; nil for a group without one.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*g* log *n*) for *g* groups over an index in which the property comes next; otherwise O(*m*) for
    ///   *m* matching records.
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value?)] {
        try extremes(of: property, isGreatest: false, in: source)
    }

    /// Returns the greatest value of a property in each group, in key order.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*g* log *n*) for *g* groups over an index in which the property comes next; otherwise O(*m*) for
    ///   *m* matching records.
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value)] {
        try extremes(of: property, isGreatest: true, in: source)
    }

    /// Returns the greatest value of a property other than nil in each group, in key order; nil for a group without
    /// one.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*g* log *n*) for *g* groups over an index in which the property comes next; otherwise O(*m*) for
    ///   *m* matching records.
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value?)] {
        try extremes(of: property, isGreatest: true, in: source)
    }

    // MARK: Sums

    /// Returns the sum of a property in each group.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func sums<Value: FixedWidthInteger & KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value)] {
        try results(sum(of: property, 0) { try query.add($1, to: &$0, property) }, in: source) { $0 }
    }

    /// Returns the sum of a property in each group. Nil counts as 0.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func sums<Value: FixedWidthInteger & KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value)] {
        try results(sum(of: property, 0) { try query.add($1 ?? 0, to: &$0, property) }, in: source) { $0 }
    }

    /// Returns the sum of a property in each group. Values are added as `Double`.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func sums<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value)] {
        try results(sum(of: property, 0.0) { $0 += Double($1) }, in: source) { Value($0) }
    }

    /// Returns the sum of a property in each group. Nil counts as 0. Values are added as `Double`.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func sums<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value)] {
        try results(sum(of: property, 0.0) { $0 += Double($1 ?? 0) }, in: source) { Value($0) }
    }

    // MARK: Averages

    /// Returns the average of a property in each group.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func averages<Value: BinaryInteger & KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Double)] {
        try results(average(of: property) { Double($0) }, in: source) { $0.sum / Double($0.count) }
    }

    /// Returns the average of the values other than nil in each group; nil for a group without values.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func averages<Value: BinaryInteger & KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Double?)] {
        try results(average(of: property) { value in value.map { Double($0) } }, in: source) { $0.average }
    }

    /// Returns the average of a property in each group.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func averages<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Double)] {
        try results(average(of: property) { Double($0) }, in: source) { $0.sum / Double($0.count) }
    }

    /// Returns the average of the values other than nil in each group; nil for a group without values.
    ///
    /// - Parameters:
    ///   - property: A stored property.
    ///   - source: A context, or a store.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    @available(*, noasync, message: "await the call")
    public func averages<Value: BinaryFloatingPoint & KeyComponent>(
        of property: KeyPath<Record, Value?>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Double?)] {
        try results(average(of: property) { value in value.map { Double($0) } }, in: source) { $0.average }
    }
}

/// The sum and the number of values.
private struct Average {
    var sum = 0.0
    var count = 0

    /// The average; nil without values.
    var average: Double? { count == 0 ? nil : sum / Double(count) }
}

extension GroupedQuery {
    private func extremes<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, isGreatest: Bool, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value)] {
        let extreme = GroupAggregate.extreme(of: SortTerm(property), isGreatest: isGreatest, ignoresNil: false)
        return try results(extreme, in: source) { bytes throws(CodingError) in try Value.decode(bytes ?? []) }
    }

    private func extremes<Value: KeyComponent>(
        of property: KeyPath<Record, Value?>, isGreatest: Bool, in source: some RecordReadable
    ) throws -> [(key: Key, value: Value?)] {
        let extreme = GroupAggregate.extreme(of: SortTerm(property), isGreatest: isGreatest, ignoresNil: true)
        return try results(extreme, in: source) { bytes throws(CodingError) in
            guard let bytes else { return nil }
            return try Value?.decode(bytes)
        }
    }

    func sum<Value: KeyComponent, State>(
        of property: KeyPath<Record, Value>, _ initial: State, _ add: @escaping (inout State, Value) throws -> Void
    ) -> GroupAggregate<State> {
        GroupAggregate(need: .all, property: SortTerm(property), initial: initial) { state, bytes in
            try add(&state, bytes.component())
        }
    }

    private func average<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, _ number: @escaping (Value) -> Double?
    ) -> GroupAggregate<Average> {
        sum(of: property, Average()) { state, value in
            guard let number = number(value) else { return }
            state.sum += number
            state.count += 1
        }
    }
}

extension ByteView {
    /// Returns the component whose key bytes these are.
    fileprivate func component<Value: KeyComponent>() throws -> Value {
        var reader = KeyReader(self)
        return try Value(decodingKey: &reader)
    }
}
