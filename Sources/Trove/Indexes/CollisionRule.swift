// The collision rule of a unique constraint.

/// The rule for saving a record with the unique values of another record.
public struct CollisionRule<Record>: Sendable {
    enum Kind: Sendable {
        case `throw`, upsert, ignore
        case custom(any CustomCollision<Record>)
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
}

/// The closure of a rule. A transaction calls it as a `CollisionClosure`.
protocol CustomCollision<Record>: Sendable {
    associatedtype Record
}
