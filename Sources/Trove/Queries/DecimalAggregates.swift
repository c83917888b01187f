// Sums and averages of decimal numbers.

import TroveCoding

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension QueryAggregating {
    /// Returns the sum of a property; 0 if the query finds no record.
    ///
    /// Numbers are added as `Decimal` adds: exactly up to 38 digits. NaN makes the sum NaN.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func sum(of property: KeyPath<Record, Decimal>, in source: some RecordReadable) throws -> Decimal {
        try asQuery.total(of: property, in: source) { $0 }.sum
    }

    /// Returns the sum of a property; 0 if the query finds no record. Nil counts as 0.
    ///
    /// Numbers are added as `Decimal` adds: exactly up to 38 digits. NaN makes the sum NaN.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func sum(of property: KeyPath<Record, Decimal?>, in source: some RecordReadable) throws -> Decimal {
        try asQuery.total(of: property, in: source) { $0 }.sum
    }

    /// Returns the average of a property; nil if the query finds no record.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func average(of property: KeyPath<Record, Decimal>, in source: some RecordReadable) throws -> Decimal? {
        try asQuery.total(of: property, in: source) { $0 }.average
    }

    /// Returns the average of the values other than nil; nil if there are none.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func average(of property: KeyPath<Record, Decimal?>, in source: some RecordReadable) throws -> Decimal? {
        try asQuery.total(of: property, in: source) { $0 }.average
    }
}

extension GroupedQuery {
    /// Returns the sum of a property in each group.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func sums(
        of property: KeyPath<Record, Decimal>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Decimal)] {
        try results(total(of: property) { $0 }, in: source) { $0.sum }
    }

    /// Returns the sum of a property in each group. Nil counts as 0.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func sums(
        of property: KeyPath<Record, Decimal?>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Decimal)] {
        try results(total(of: property) { $0 }, in: source) { $0.sum }
    }

    /// Returns the average of a property in each group.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func averages(
        of property: KeyPath<Record, Decimal>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Decimal)] {
        try results(total(of: property) { $0 }, in: source) { $0.average ?? .nan }
    }

    /// Returns the average of the values other than nil in each group; nil for a group without values.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @available(*, noasync, message: "await the call")
    public func averages(
        of property: KeyPath<Record, Decimal?>, in source: some RecordReadable
    ) throws -> [(key: Key, value: Decimal?)] {
        try results(total(of: property) { $0 }, in: source) { $0.average }
    }

    private func total<Value: KeyComponent>(
        of property: KeyPath<Record, Value>, _ number: @escaping (Value) -> Decimal?
    ) -> GroupAggregate<DecimalTotal> {
        sum(of: property, DecimalTotal()) { total, value in
            try query.add(number(value), to: &total, property)
        }
    }
}

/// The sum and the number of decimal numbers.
private struct DecimalTotal {
    var sum: Decimal = 0
    var count = 0

    /// The average; nil without numbers.
    var average: Decimal? { count == 0 ? nil : sum / Decimal(count) }
}

extension Query {
    fileprivate func total<Value: Sendable>(
        of property: KeyPath<Record, Value>, in source: some RecordReadable, _ number: (Value) -> Decimal?
    ) throws -> DecimalTotal {
        var total = DecimalTotal()
        try forEachValue(of: property, in: source) { try add(number($0), to: &total, property) }
        return total
    }

    /// Adds a number. A sum beyond the greatest number is NaN.
    fileprivate func add(
        _ number: Decimal?, to total: inout DecimalTotal, _ property: KeyPath<Record, some Any>
    ) throws {
        guard let number else { return }
        let sum = total.sum + number
        if sum.isNaN, !number.isNaN, !total.sum.isNaN {
            throw StoreError.sumOverflow(type: Record.schema.name, property: "\(property)")
        }
        total.sum = sum
        total.count += 1
    }
}
