// Sums and averages of decimal numbers over the records of a query bound to a context.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BoundQuery {
    /// Returns the sum of a property; 0 if the query finds no record.
    @available(*, noasync, message: "await the call")
    public func sum(of property: KeyPath<Record, Decimal>) throws -> Decimal {
        try query.sum(of: property, in: source)
    }

    /// Returns the sum of a property. Nil counts as 0.
    @available(*, noasync, message: "await the call")
    public func sum(of property: KeyPath<Record, Decimal?>) throws -> Decimal {
        try query.sum(of: property, in: source)
    }

    /// Returns the average of a property; nil if the query finds no record.
    @available(*, noasync, message: "await the call")
    public func average(of property: KeyPath<Record, Decimal>) throws -> Decimal? {
        try query.average(of: property, in: source)
    }

    /// Returns the average of the values other than nil; nil if there are none.
    @available(*, noasync, message: "await the call")
    public func average(of property: KeyPath<Record, Decimal?>) throws -> Decimal? {
        try query.average(of: property, in: source)
    }
}

extension BoundGroupedQuery {
    /// Returns the sum of a property in each group.
    @available(*, noasync, message: "await the call")
    public func sums(of property: KeyPath<Record, Decimal>) throws -> [(key: Key, value: Decimal)] {
        try query.sums(of: property, in: source)
    }

    /// Returns the sum of a property in each group. Nil counts as 0.
    @available(*, noasync, message: "await the call")
    public func sums(of property: KeyPath<Record, Decimal?>) throws -> [(key: Key, value: Decimal)] {
        try query.sums(of: property, in: source)
    }

    /// Returns the average of a property in each group.
    @available(*, noasync, message: "await the call")
    public func averages(of property: KeyPath<Record, Decimal>) throws -> [(key: Key, value: Decimal)] {
        try query.averages(of: property, in: source)
    }

    /// Returns the average of the values other than nil in each group; nil for a group without values.
    @available(*, noasync, message: "await the call")
    public func averages(of property: KeyPath<Record, Decimal?>) throws -> [(key: Key, value: Decimal?)] {
        try query.averages(of: property, in: source)
    }
}
