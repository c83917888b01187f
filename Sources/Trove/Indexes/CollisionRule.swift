// What happens when a record is saved whose unique values another one has.

/// What a unique constraint does about a second record with the same values.
public struct CollisionRule<Record>: Sendable {
    enum Kind: Sendable {
        case `throw`, upsert, ignore
        case custom(@Sendable (TransactionContext, _ new: Record, _ existing: Record) throws -> Void)
    }

    let kind: Kind

    /// Whether two records may have the same values in the end.
    var allowsDuplicates: Bool { if case .custom = kind { true } else { false } }

    /// Throws ``StoreError/notUnique(type:index:key:existing:)``; the transaction stays usable.
    ///
    /// A call that saves several records compares their values at its end, so that two records can swap values. The
    /// same holds for ``upsert``.
    public static var `throw`: CollisionRule { CollisionRule(kind: .throw) }
    /// Deletes the record that was there. Where it also had other unique values of the new one, these are free then.
    public static var upsert: CollisionRule { CollisionRule(kind: .upsert) }
    /// Does not save the new record. Each record of several is decided on when its turn comes.
    public static var ignore: CollisionRule { CollisionRule(kind: .ignore) }

    /// Calls a closure, which may change or delete the record that was there. Then the new one is saved, even where its
    /// values are still the same.
    ///
    /// It is called for each record of several when its turn comes, and not where a record keeps its values. Where it
    /// throws, what it has done is undone, and the record is not saved.
    ///
    /// - Parameter resolve: Receives the context of the write, the record to save, and the one that has its values.
    public static func custom(
        _ resolve: @escaping @Sendable (TransactionContext, _ new: Record, _ existing: Record) throws -> Void
    ) -> CollisionRule {
        CollisionRule(kind: .custom(resolve))
    }
}
