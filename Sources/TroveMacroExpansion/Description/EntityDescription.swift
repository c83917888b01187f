// The part of an entity that other records do not have, for the generators.

/// What `@EntityModel` adds to a record.
struct EntityDescription: Equatable {
    /// The relations, in the order of their declaration.
    var relations: [RelationshipDescription]
    /// The relations with an error. They have keys alone, so that their inverses have no errors of their own.
    var refusedRelations: [RelationshipDescription]
    /// The variables of optional types: a patch keeps their stored values.
    var patched: [PropertyDescription]
    /// The labels and values of the arguments for the entity's options.
    var options: [String]
    /// Whether `id` is computed.
    var hasComputedID: Bool
}

/// A property with `@Relationship`.
struct RelationshipDescription: Equatable {
    /// The name without backticks.
    var name: String
    /// The name in Swift code, with backticks if necessary.
    var code: String
    /// The stored name.
    var storedName: String
    /// The former stored names in `@Renamed`, the oldest first.
    var oldNames: [String]
    /// The type of the targets.
    var target: String
    /// The property of the target, in Swift code; nil for a one-way relation.
    var inverse: String?
    /// The delete rule in its source spelling; nil for the default.
    var deleteRule: String?
    /// Whether new entities have another value than none.
    var hasInitialValue: Bool
    /// The access level of the property.
    var access: AccessLevel
    /// The directive with the line of its type, for code with the compiler's errors about the relation; nil if the line
    /// is not known.
    var location: String?

    /// The name of the projected value.
    var projection: String { "$" + name }
}
