// Calls with several properties whose last argument has another type. Without these overloads, the compiler of
// Swift 6.3 ends in a crash: it does not describe a wrong argument after an empty parameter pack.

import TroveCoding

extension Query {
    /// Does not exist: a projection is a request.
    @_disfavoredOverload
    @available(*, unavailable, message: "a projection is a request: write '.resolve(in:)' after it")
    public func select<Value: Sendable, Source>(_ property: KeyPath<Record, Value>, in source: Source) throws -> [Value]
    {
        []
    }

    /// Does not exist: a projection is a request.
    @_disfavoredOverload
    @available(*, unavailable, message: "a projection is a request: write '.resolve(in:)' after it")
    public func select<First: Sendable, Second: Sendable, each Rest: Sendable, Source>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>, in source: Source
    ) throws -> [(First, Second, repeat each Rest)] {
        []
    }

    /// Does not exist: the order is a `KeyOrder`.
    @_disfavoredOverload
    @available(*, unavailable, message: "'limit:' takes an Int, and 'order:' takes '.ascending' or '.descending'")
    public init<each Leading: KeyComponent, Last: KeyComponent, Limit, Order>(
        _ leading: repeat each Leading, last: ComparisonOperator<Last>, limit: Limit, order: Order
    ) {
        self.init()
    }

    /// Does not exist: the order is a `KeyOrder`.
    @_disfavoredOverload
    @available(*, unavailable, message: "'order:' takes '.ascending' or '.descending'")
    public init<each Leading: KeyComponent, Last: KeyComponent, Order>(
        _ leading: repeat each Leading, last: ComparisonOperator<Last>, order: Order
    ) {
        self.init()
    }
}

extension Query {
    /// Does not exist: distinct values are a request.
    @_disfavoredOverload
    @available(*, unavailable, message: "distinct values are a request: write '.resolve(in:)' after it")
    public func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent, Source>(
        _ first: KeyPath<Record, First>, _ second: KeyPath<Record, Second>,
        _ rest: repeat KeyPath<Record, each Rest>, in source: Source
    ) throws -> [(First, Second, repeat each Rest)] {
        []
    }
}

extension IndexKeyRecord {
    /// Does not exist: distinct values are a request.
    @_disfavoredOverload
    @available(*, unavailable, message: "distinct values are a request: write '.resolve(in:)' after it")
    public static func distinct<First: KeyComponent, Second: KeyComponent, each Rest: KeyComponent, Source>(
        _ first: KeyPath<Self, First>, _ second: KeyPath<Self, Second>,
        _ rest: repeat KeyPath<Self, each Rest>, in source: Source
    ) throws -> [(First, Second, repeat each Rest)] {
        []
    }
}
