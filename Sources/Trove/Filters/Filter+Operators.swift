// The operators of filters: &&, || and !. Either operand can be a Bool property.

import TroveCoding

/// Returns a filter for the records matching both filters.
///
/// ```swift
/// let users = try User.filter(\.age >= 18 && \.lastName == "Dallas").resolve(in: store)
/// ```
public func && <Record: IndexKeyRecord>(left: Filter<Record>, right: Filter<Record>) -> Filter<Record> {
    left.and(right)
}

/// Returns a filter for the records that match a filter and whose property is true.
@_disfavoredOverload
public func && <Record: IndexKeyRecord>(left: Filter<Record>, right: KeyPath<Record, Bool>) -> Filter<Record> {
    left.and(Filter(right))
}

/// Returns a filter for the records whose property is true and that match a filter.
@_disfavoredOverload
public func && <Record: IndexKeyRecord>(left: KeyPath<Record, Bool>, right: Filter<Record>) -> Filter<Record> {
    Filter(left).and(right)
}

/// Returns a filter for the records whose properties are both true.
@_disfavoredOverload
public func && <Record: IndexKeyRecord>(left: KeyPath<Record, Bool>, right: KeyPath<Record, Bool>) -> Filter<Record> {
    Filter(left).and(Filter(right))
}

/// Returns a filter for the records matching either filter, or both.
///
/// As in conditions, `&&` binds more tightly than `||`.
public func || <Record: IndexKeyRecord>(left: Filter<Record>, right: Filter<Record>) -> Filter<Record> {
    left.or(right)
}

/// Returns a filter for the records that match a filter, or whose property is true.
@_disfavoredOverload
public func || <Record: IndexKeyRecord>(left: Filter<Record>, right: KeyPath<Record, Bool>) -> Filter<Record> {
    left.or(Filter(right))
}

/// Returns a filter for the records whose property is true, or that match a filter.
@_disfavoredOverload
public func || <Record: IndexKeyRecord>(left: KeyPath<Record, Bool>, right: Filter<Record>) -> Filter<Record> {
    Filter(left).or(right)
}

/// Returns a filter for the records of which at least one property is true.
@_disfavoredOverload
public func || <Record: IndexKeyRecord>(left: KeyPath<Record, Bool>, right: KeyPath<Record, Bool>) -> Filter<Record> {
    Filter(left).or(Filter(right))
}

/// Returns a filter for the records that do not match a filter.
public prefix func ! <Record: IndexKeyRecord>(filter: Filter<Record>) -> Filter<Record> { .not(filter) }

/// Returns a filter for the records whose property is false.
@_disfavoredOverload
public prefix func ! <Record: IndexKeyRecord>(property: KeyPath<Record, Bool>) -> Filter<Record> { property == false }
