// The counts of a write transaction with entities, by which its saves follow its deletes.

/// The removals and the last stamp of entities in a transaction.
struct EntityCounts: PartValue {
    /// The number of entities that the transaction has removed. Each removal of all entities of a type counts as one.
    var removedEntities = 0
    /// The time of the last stamp, in seconds since the reference date.
    var lastStamp = -Double.infinity
}

extension TransactionContext {
    /// The counts of entities in this transaction.
    var entityCounts: ValuePart<EntityCounts> { part(ValuePart<EntityCounts>.self) }
}
