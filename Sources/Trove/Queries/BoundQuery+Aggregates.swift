// Aggregates over the records of a query bound to a context.

import TroveCoding

extension BoundQuery {
    /// Returns the least value of a property, in key order; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(of property: KeyPath<Record, Value>) throws -> Value? {
        try query.min(of: property, in: source)
    }

    /// Returns the least value of a property other than nil, in key order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func min<Value: KeyComponent>(of property: KeyPath<Record, Value?>) throws -> Value? {
        try query.min(of: property, in: source)
    }

    /// Returns the greatest value of a property, in key order; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(of property: KeyPath<Record, Value>) throws -> Value? {
        try query.max(of: property, in: source)
    }

    /// Returns the greatest value of a property other than nil, in key order; nil if there is none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func max<Value: KeyComponent>(of property: KeyPath<Record, Value?>) throws -> Value? {
        try query.max(of: property, in: source)
    }

    /// Returns the sum of a property; 0 if the query finds no record.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: FixedWidthInteger & Sendable>(of property: KeyPath<Record, Value>) throws -> Value {
        try query.sum(of: property, in: source)
    }

    /// Returns the sum of a property. Nil counts as 0.
    ///
    /// - Throws: ``StoreError/sumOverflow(type:property:)``.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: FixedWidthInteger & Sendable>(of property: KeyPath<Record, Value?>) throws -> Value {
        try query.sum(of: property, in: source)
    }

    /// Returns the sum of a property; 0 if the query finds no record. Values are added as `Double`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: BinaryFloatingPoint & Sendable>(of property: KeyPath<Record, Value>) throws -> Value {
        try query.sum(of: property, in: source)
    }

    /// Returns the sum of a property. Nil counts as 0. Values are added as `Double`.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func sum<Value: BinaryFloatingPoint & Sendable>(of property: KeyPath<Record, Value?>) throws -> Value {
        try query.sum(of: property, in: source)
    }

    /// Returns the average of a property; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryInteger & Sendable>(of property: KeyPath<Record, Value>) throws -> Double? {
        try query.average(of: property, in: source)
    }

    /// Returns the average of the values other than nil; nil if there are none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryInteger & Sendable>(of property: KeyPath<Record, Value?>) throws -> Double? {
        try query.average(of: property, in: source)
    }

    /// Returns the average of a property; nil if the query finds no record.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryFloatingPoint & Sendable>(of property: KeyPath<Record, Value>) throws -> Double? {
        try query.average(of: property, in: source)
    }

    /// Returns the average of the values other than nil; nil if there are none.
    @inlinable
    @available(*, noasync, message: "await the call")
    public func average<Value: BinaryFloatingPoint & Sendable>(of property: KeyPath<Record, Value?>) throws -> Double? {
        try query.average(of: property, in: source)
    }
}
