// A record that a store keeps of an entity, in addition to the entity.

/// A record that a store keeps of an entity in addition to the entity.
protocol FollowingRecord: IndexKeyRecord {
    /// The argument of `@EntityModel` without which the store does not keep such records; nil if the type has it.
    static var missingOption: String? { get }
}
