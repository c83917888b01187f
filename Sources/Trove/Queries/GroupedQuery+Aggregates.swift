// Aggregates of the groups of a query.

import LMDB
import TroveCoding

extension GroupedQuery {
    /// The keys of the groups: the distinct values of their properties.
    ///
    /// - Complexity: O(*g* log *n*) for *g* groups over an index; otherwise O(*m*) for *m* matching records.
    public var keys: GroupRequest<[Key]> {
        request(nil) { context in try results(.keys, in: context) { _ in }.map(\.key) }
    }

    /// Returns the keys of the groups; see ``keys``.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @available(*, noasync, message: "await the call")
    public func keys(in source: some RecordReadable) throws -> [Key] { try keys.resolve(in: source) }

    /// The async form of `keys(in:)`. It reads on another thread.
    public func keys(in store: Store) async throws -> [Key] { try await keys.resolve(in: store) }

    /// The number of records in each group.
    ///
    /// ```swift
    /// for (city, count) in try Order.grouped(by: \.city).count(in: store) { print(city, count) }
    /// ```
    ///
    /// - Complexity: O(*m*) for *m* matching records. Over an index, only its entries are read.
    public var count: GroupRequest<[(key: Key, value: Int)]> {
        request(nil) { context in try results(.count, in: context) { $0 } }
    }

    /// Returns the number of records in each group; see ``count``.
    ///
    /// - Parameter source: A context, or a store.
    /// - Throws: The error of the query; ``StoreError`` if no snapshot can be read.
    @available(*, noasync, message: "await the call")
    public func count(in source: some RecordReadable) throws -> [(key: Key, value: Int)] {
        try count.resolve(in: source)
    }

    /// The async form of `count(in:)`. It reads on another thread.
    public func count(in store: Store) async throws -> [(key: Key, value: Int)] { try await count.resolve(in: store) }

    /// Returns a request for the least value of a property in each group, in key order. It is nil only in a group whose
    /// values are all nil.
    ///
    /// - Parameter property: A stored property.
    /// - Complexity: O(*g* log *n*) for *g* groups over an index in which the property comes next; otherwise O(*m*) for
    ///   *m* matching records.
    public func min<Value: KeyComponent>(
        of property: KeyPath<Record, Value>
    ) -> GroupRequest<[(key: Key, value: Value)]> {
        extreme(of: property, isGreatest: false)
    }

    /// Returns a request for the greatest value of a property in each group, in key order. It is nil only in a group
    /// whose values are all nil.
    ///
    /// - Parameter property: A stored property.
    /// - Complexity: O(*g* log *n*) for *g* groups over an index in which the property comes next; otherwise O(*m*) for
    ///   *m* matching records.
    public func max<Value: KeyComponent>(
        of property: KeyPath<Record, Value>
    ) -> GroupRequest<[(key: Key, value: Value)]> {
        extreme(of: property, isGreatest: true)
    }

    /// Returns a request for the sum of a property in each group. Nil counts as 0; see ``Query/sum(of:)``.
    ///
    /// - Parameter property: A stored property: a number, or an optional number.
    /// - Returns: A request, which throws ``StoreError/QueryError/sumOverflow(type:property:)``.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    public func sum<Value: Summable>(
        of property: KeyPath<Record, Value>
    ) -> GroupRequest<[(key: Key, value: Value.Number)]> {
        let (term, path) = (SortTerm(property), SendablePath(property))
        return request(term) { context in
            try results(total(of: term, Value.self), in: context) { total in
                guard let sum = Value.Number._sum(total.sum) else { throw query.sumOverflow(path.path) }
                return sum
            }
        }
    }

    /// Returns a request for the average of a property in each group. Nil does not count: the average is nil only in a
    /// group whose values are all nil.
    ///
    /// - Parameter property: A stored property: a number, or an optional number.
    /// - Returns: A request, which throws ``StoreError/QueryError/sumOverflow(type:property:)`` for decimal numbers.
    /// - Complexity: O(*m*) for *m* matching records. Over an index with the property, only its entries are read.
    public func average<Value: Summable>(
        of property: KeyPath<Record, Value>
    ) -> GroupRequest<[(key: Key, value: Value.GroupAverage)]> {
        let (term, path) = (SortTerm(property), SendablePath(property))
        return request(term) { context in
            try results(total(of: term, Value.self), in: context) { total in
                if total.count == 0 { return Value._groupAverage(nil) }
                guard let average = Value.Number._average(total.sum, count: total.count) else {
                    throw query.sumOverflow(path.path)
                }
                return Value._groupAverage(average)
            }
        }
    }
}

extension GroupedQuery {
    private func request<Results>(
        _ property: SortTerm?, usesTotals: Bool = true,
        _ results: @escaping @Sendable (ReadContext) throws -> Results
    ) -> GroupRequest<Results> {
        GroupRequest(results, explain(property, usesTotals: usesTotals))
    }

    private func extreme<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, isGreatest: Bool
    ) -> GroupRequest<[(key: Key, value: Value)]> {
        let term = SortTerm(property)
        return request(term, usesTotals: false) { context in
            let extreme = GroupAggregate.extreme(
                of: term, isGreatest: isGreatest, ignoresNil: Value.isOptional)
            // A group without a value other than nil has the key bytes of nil.
            return try results(extreme, in: context) { bytes in try Value.decode(bytes ?? [0]) }
        }
    }

    /// Returns the aggregate of the exact sum of a property.
    private func total<Value: Summable>(
        of property: SortTerm, _ type: Value.Type
    ) -> GroupAggregate<RunningTotal<Value.Number>> {
        GroupAggregate(need: .all, property: property, initial: RunningTotal<Value.Number>()) { total, bytes in
            var reader = KeyReader(bytes)
            if let number = Value._number(try Value(decodingKey: &reader)) { total.add(number) }
        }.addingTotals { try $0.add($1, $2) }
    }
}
