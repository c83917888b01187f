// The collision rule of a unique constraint.

/// The rule for saving a record with the unique values of another record.
public struct CollisionRule<Record>: Sendable {
    enum Kind: Sendable {
        case `throw`, upsert, ignore
        case custom(@Sendable (TransactionContext, _ new: Record, _ existing: Record) throws -> Void)
    }

    let kind: Kind

    /// Whether two records may keep the same values.
    var allowsDuplicates: Bool { if case .custom = kind { true } else { false } }

    /// Throws ``StoreError/RecordError/notUnique(type:index:key:existing:)``; the transaction stays usable.
    ///
    /// A call for several records compares their values at its end, so two records can swap values.
    public static var `throw`: CollisionRule { CollisionRule(kind: .throw) }
    /// Deletes the existing record. Its other unique values become free too.
    ///
    /// A call for several records saves one after another, so the record saved last stays. An update saves each of its
    /// records, even if an earlier save of the update has deleted the record. So two records can swap values.
    ///
    /// Deleting an entity calls its hooks. Hooks that save an entity with the same values again and again throw
    /// ``StoreError/RecordError/collisionRuleRepeats(type:index:key:)``.
    public static var upsert: CollisionRule { CollisionRule(kind: .upsert) }
    /// Does not save the new record. A call for several records decides on each in turn.
    public static var ignore: CollisionRule { CollisionRule(kind: .ignore) }

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
        CollisionRule(kind: .custom(resolve))
    }
}
