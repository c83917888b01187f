// The queries that can have requests for relations. The requests are in Entities/Graphs/.

/// The methods that request relations of the found entities, shared by all queries.
///
/// ```swift
/// let user = try User.query("1")
///     .with(\.$chats) { chat in
///         chat.with(\.$messages) { message in
///             message.sorted(by: \.sent.desc).limit(20).id(\.$author)
///         }
///     }
///     .resolve(in: store)
/// ```
///
/// The whole graph is read in one transaction, level by level. The links of all entities of a level are read in order.
/// Each target is looked up and decoded once for all of them. The cost of a level is the number of its links and of its
/// distinct targets.
///
/// A second request for a relation replaces the first. Requests have no effect on `count`, `keys`, `select` of
/// properties, groups, `delete` and `update`, whose closure gets entities without relations.
public protocol GraphShaping<Record> {
    /// The type of the found records.
    associatedtype Record: IndexKeyRecord

    /// Returns a copy whose query a closure has changed.
    func changing(_ change: (inout Query<Record>) -> Void) -> Self
}
