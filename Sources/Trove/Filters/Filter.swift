// A filter: comparisons of properties, combined with and, or and not. A value.

import TroveCoding

/// A condition on records.
///
/// Comparisons of properties create filters, and filters combine into larger filters:
///
/// ```swift
/// let adults: Filter<User> = \.age >= 18
/// let wanted = adults.and(\.status == .active).or(\.lastName == "Dallas")
/// let users = try User.filter(wanted).resolve(in: store)
/// ```
///
/// A chain groups from left to right: `a.and(b).or(c)` is *(a and b) or c*, `a.or(b).and(c)` is *(a or b) and c*. A
/// filter has any number of parts beside each other. Parts can be nested 100 deep: a query with a deeper filter throws
/// ``StoreError/QueryError/filterTooDeep(type:limit:)``.
///
/// **The stored bytes decide order and equality.** A ``/TroveCoding/KeyComponent`` compares as it does in a key:
/// strings by their UTF-8, NaN after every number, -0.0 as 0.0. Other values are equal if their fields have the same
/// bytes. So a query means the same with and without an index.
///
/// **Nil is equal to nil, and has no order.** `<`, `<=`, `>`, `>=` and `between` never match nil, and nothing matches
/// if they compare with nil. A filter matches a record or does not: so `!(\.age < 18)` matches nil.
public struct Filter<Record: IndexKeyRecord>: Sendable {
    let tree: FilterTree
    /// The error in the filter; thrown when a query with the filter runs.
    @Boxed private(set) var failure: StoreError?

    /// The greatest depth of a filter.
    private static var depthLimit: Int { 100 }

    private init() { tree = .everything }

    private init(_ tree: FilterTree, _ failure: StoreError?) {
        let isTooDeep = tree.depth > Self.depthLimit
        self.tree = isTooDeep ? .everything : tree
        self.failure =
            failure ?? (isTooDeep ? .query(.filterTooDeep(type: Record.schema.name, limit: Self.depthLimit)) : nil)
    }

    /// Creates a filter of a single condition.
    @usableFromInline
    init(_ makeCondition: () throws(StoreError) -> Condition) {
        do throws(StoreError) {
            self.init(.condition(try makeCondition()), nil)
        } catch {
            self.init(.everything, error)
        }
    }

    /// Creates a filter of a condition that another table decides.
    init(keys makeCondition: () throws(StoreError) -> any LookupCondition) {
        do throws(StoreError) {
            self.init(.keys(try makeCondition()), nil)
        } catch {
            self.init(.everything, error)
        }
    }

    /// Creates a filter of a closure.
    init(_ condition: ClosureCondition) { self.init(.closure(condition), nil) }

    /// The filter of all records.
    public static var everything: Filter { Filter() }

    /// Whether the filter is that of all records, without an error.
    var isEverything: Bool { tree.isEverything && _failure.isNil }

    /// Returns a filter for the records matching both filters.
    public func and(_ other: Filter) -> Filter { Filter(tree.and(other.tree), failure ?? other.failure) }

    /// Returns a filter for the records matching either filter.
    public func or(_ other: Filter) -> Filter { Filter(tree.or(other.tree), failure ?? other.failure) }

    /// Returns a filter for the records that do not match a filter.
    public static func not(_ filter: Filter) -> Filter { Filter(filter.tree.complement(), filter.failure) }
}

extension Filter: CustomStringConvertible {
    /// The filter in readable form.
    public var description: String { failure.map(\.description) ?? tree.description }
}
