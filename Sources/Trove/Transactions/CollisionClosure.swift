// The collision rule with a closure, which gets the context of the write.

/// The closure of a collision rule.
struct CollisionClosure<Record>: CustomCollision {
    let resolve: @Sendable (TransactionContext, _ new: Record, _ existing: Record) throws -> Void
}

extension CollisionRule {
    /// Calls a closure, which may change or delete the existing record. Then the new record is saved, even if both
    /// records still have the same values.
    ///
    /// A call for several records calls it for each in turn. It is not called for a record that keeps its values. If it
    /// throws, its changes are undone, and the record is not saved. It leaves the new record alone: a closure that
    /// calls itself without end throws ``StoreError/RecordError/collisionRuleRepeats(type:index:key:)``. A closure can
    /// save other records that collide in turn: at most 32 closures run within each other, and the next collision
    /// throws the same error.
    ///
    /// In the arguments of `#Unique`, the record's initializer and generated functions do not exist yet. A closure that
    /// needs them is a rule with a name: a static property in an extension of `CollisionRule`.
    ///
    /// - Parameter resolve: Receives the context of the write, the record to save, and the existing record with its
    ///   values.
    public static func custom(
        _ resolve: @escaping @Sendable (TransactionContext, _ new: Record, _ existing: Record) throws -> Void
    ) -> CollisionRule {
        CollisionRule(kind: .custom(CollisionClosure(resolve: resolve)))
    }
}
