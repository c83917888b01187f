// The macro of entities. The generated code calls public API, so all of it can also be written by hand.

/// Declares a struct as an entity: a record with `id` as its key, and with relations to other entities.
///
/// ```swift
/// @EntityModel
/// struct Message {
///     let id: String
///     var text: String
///     @Relationship(.required) var author: User?
///     @Relationship(.required, inverse: \.messages) var chat: Chat?
/// }
/// ```
///
/// The macro generates the conformance to ``EntityModelProtocol``, and everything that
/// ``IndexKeyRecord(validated:keyPrefix:fieldsVersion:_:)`` generates for the key `"id"`. The rules for stored
/// properties, indexes, renamed properties and `CodingKeys` are the same, and so are the stored bytes.
///
/// - The `id` can be any ``/TroveCoding/KeyComponent``. It can also be computed: then it is stored as the key, and a
///   stored record with another key cannot be read.
/// - Properties with ``Relationship`` are relations. They are not part of the layout, of `validated:` and of the
///   version of the fields. A decoded entity has no relations.
/// - For each optional variable, a fragment without a value keeps the stored value: ``EntityModelProtocol/patches``.
/// - An enum `RelationKeys` names the relations as types, so that the compiler can compare a relation with the inverse
///   of its inverse.
/// - The struct cannot belong to an actor, except by the default isolation of its module.
///
/// - Parameters:
///   - validated: A hash of the declaration's own text without the relations.
///   - keyPrefix: The stable identity of the type. By default, it is a hash of the type's path inside its module.
///   - fieldsVersion: The version of the fields. By default, it is a hash of their layout.
///   - keepsMetadata: Whether a store keeps the time of each entity's last save, which
///     ``EntityModelProtocol/updatedAt(in:withNested:)-(RecordReadable,_)`` returns.
///   - keepsDeleted: Whether a store keeps deleted entities, as ``Deleted``.
@attached(
    extension,
    conformances: EntityModelProtocol, IndexKeyRecord, KeyFallback, EntityHolding, Identifiable,
    names: named(schema), named(IndexKey), named(indexKey), named(encodeKey), named(fieldsSize), named(encodeFields),
    named(init), named(normalize), named(isNormalized), named(patches), named(entityOptions), named(query),
    named(select), named(delete), named(get)
)
@attached(
    member, names: named(PropertyTypes), named(PropertyDefaults), named(indexes), named(RelationKeys), named(relations)
)
public macro EntityModel(
    validated: Int? = nil, keyPrefix: UInt32? = nil, fieldsVersion: UInt32? = nil, keepsMetadata: Bool = false,
    keepsDeleted: Bool = false
) = #externalMacro(module: "TroveMacros", type: "EntityModelMacro")
