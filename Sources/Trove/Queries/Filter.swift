// What records must be to be found: a value, made of comparisons and what joins them.

import TroveCoding

/// A condition on records.
///
/// Comparisons of properties make filters, and filters join into others:
///
/// ```swift
/// let adults: Filter<User> = \.age >= 18
/// let wanted = adults.and(\.status == .active).or(\.lastName == "Dallas")
/// let users = try User.filter(wanted).resolve(in: store)
/// ```
///
/// A chain groups from left to right: `a.and(b).or(c)` is *(a and b) or c*, `a.or(b).and(c)` is *(a or b) and c*.
///
/// **Order and equality are those of the stored bytes.** A ``TroveCoding/KeyComponent`` compares as it does in a key:
/// strings by their UTF-8, nil before every value, NaN behind every number, -0.0 as 0.0. Other values are equal where
/// their fields have the same bytes. So a query means the same with and without an index.
public struct Filter<Record: IndexKeyRecord>: Sendable {
    let tree: FilterTree
    /// What is wrong with the filter; thrown when a query with it is run.
    let failure: StoreError?

    private init(_ tree: FilterTree, _ failure: StoreError?) {
        self.tree = tree
        self.failure = failure
    }

    /// The filter that is one condition.
    @usableFromInline
    init(_ makeCondition: () throws(StoreError) -> Condition) {
        do throws(StoreError) {
            self.init(.condition(try makeCondition()), nil)
        } catch {
            self.init(.everything, error)
        }
    }

    /// The filter that every record matches.
    public static var everything: Filter { Filter(.everything, nil) }

    /// What matches both.
    public func and(_ other: Filter) -> Filter { Filter(tree.and(other.tree), failure ?? other.failure) }

    /// What matches either.
    public func or(_ other: Filter) -> Filter { Filter(tree.or(other.tree), failure ?? other.failure) }

    /// What matches both: a further `filter` narrows, as in a query.
    public func filter(_ other: Filter) -> Filter { and(other) }

    /// What does not match a filter.
    public static func not(_ filter: Filter) -> Filter { Filter(.not(filter.tree), filter.failure) }

    /// A filter itself: so that `.or(.filter(\.age == 30))` reads as a query does.
    public static func filter(_ filter: Filter) -> Filter { filter }

    /// A filter itself. The context is that of the query which it becomes a part of.
    public static func filter(_ filter: Filter, in source: some RecordReadable) -> Filter { filter }
}

extension Filter: CustomStringConvertible {
    /// The filter as one would say it.
    public var description: String { failure.map(\.description) ?? tree.description }
}
