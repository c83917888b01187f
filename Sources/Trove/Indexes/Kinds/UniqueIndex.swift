// The unique index: no two records have the same values of some properties.

extension IndexKind {
    /// The kind with an entry for each record without nil: nil collides with nothing.
    @usableFromInline static let unique = IndexKind(.unique, name: "unique", isUnique: true, indexesNil: false)
}

extension RecordIndex {
    /// Creates a unique constraint: no two records have the same values of some properties. Nil collides with nothing.
    ///
    /// - Parameters:
    ///   - properties: The properties whose values, taken together, are unique.
    ///   - collisions: The rule for saving a record with the values of another record.
    ///   - condition: The condition for a record to be in the index; nil for all records.
    @inlinable
    public static func unique(
        _ properties: [IndexedProperty<Record>], collisions: CollisionRule<Record>,
        where condition: IndexCondition<Record>? = nil
    ) -> RecordIndex {
        RecordIndex(.unique, properties, where: condition, collisions: collisions)
    }
}

/// Declares a unique constraint of a record type: no two records have the same values of some properties.
///
/// ```swift
/// @IndexKeyRecord("id")
/// struct User {
///     #Unique<User>(\.email, collisions: .throw)
///     #Unique<User>(\.firstName, \.lastName, collisions: .upsert)
///     #Unique<User>(\.isCurrent, collisions: .custom { context, new, existing in
///         var former = existing
///         former.isCurrent = false
///         try context.insert(former)
///     }, where: { $0.isCurrent })
///
///     let id: UUID
///     var firstName: String
///     var lastName: String
///     var email: String?
///     var isCurrent: Bool
/// }
/// ```
///
/// Nil is free: a record without a value of one of the properties collides with no record. The same holds for a record
/// outside the condition.
///
/// A unique constraint is also an index, and queries use it as they use an index by ``Index(_:ranked:where:)``.
/// Properties and conditions follow the same rules.
///
/// - Parameters:
///   - properties: The properties whose values, taken together, are unique: literal key paths.
///   - collisions: The rule for saving a record with the values of another record.
///   - condition: The condition for a record to be in the index, as a closure literal; nil for all records.
@freestanding(declaration)
public macro Unique<Record>(
    _ properties: PartialKeyPath<Record>..., collisions: CollisionRule<Record>,
    where condition: (@Sendable (Record) -> Bool)? = nil
) = #externalMacro(module: "TroveMacros", type: "UniqueMacro")
