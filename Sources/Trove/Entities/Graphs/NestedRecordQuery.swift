// A nested query for the target of a to-one relation.

/// The query in the closure of a request for a to-one relation: it requests relations of the target.
///
/// ```swift
/// let messages = Message.query().with(\.$chat) { chat in chat.id(\.$users) }
/// ```
///
/// It has no key, and it is not run on its own: each owner gets the target of its link.
public struct NestedRecordQuery<Record: IndexKeyRecord>: Sendable {
    /// The query for the relations of the target, for any record.
    private(set) var query = Query<Record>()

    /// Returns the query for the target, if it also matches a filter.
    public func filter(_ filter: Filter<Record>) -> NestedRecordQuery { changing { $0 = $0.filter(filter) } }

    /// Returns the query for the target, if a closure accepts it; see ``Filter/where(_:)``.
    public func filter(where matches: @escaping @Sendable (Record) -> Bool) -> NestedRecordQuery {
        filter(.where(matches))
    }
}

extension NestedRecordQuery: GraphShaping {
    /// Returns the query with the relations that a closure has requested.
    public func changing(_ change: (inout Query<Record>) -> Void) -> NestedRecordQuery {
        var nested = self
        nested.query = query.changing(change)
        return nested
    }
}
