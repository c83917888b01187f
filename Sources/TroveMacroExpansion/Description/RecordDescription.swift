// The validated description of a record type for the generators.

/// A struct with `@IndexKeyRecord` or `@EntityModel`.
struct RecordDescription: Equatable {
    var context: TypeContext
    /// The key components, in the order of the macro's arguments.
    var key: [PropertyDescription]
    /// The other stored properties, in the order of their declaration.
    var fields: [PropertyDescription]
    /// The indexes and unique constraints, in the order of their declaration.
    var indexes: [IndexDescription]
    /// The properties whose types the extension reaches through `PropertyTypes`.
    var outsideTypes: [OutsideType]
    /// The default values that the extension reaches through `PropertyDefaults`.
    var outsideDefaults: [OutsideDefault]
    /// The `keyPrefix:` argument in its source spelling.
    var keyPrefix: String?
    /// The `fieldsVersion:` argument in its source spelling.
    var fieldsVersion: String?
    var identity: Identity
    /// The protocols that the extension declares: those that the declaration does not.
    var conformances: [String]
    /// The part for entities; nil for other records.
    var entity: EntityDescription?

    /// Whether a key component may be of a type without an order.
    var mayLackOrder: Bool { key.contains(where: \.mayLackOrder) }

    /// The source of the `Identifiable` conformance.
    enum Identity: Equatable {
        /// None: the type conforms by itself, or has an `id` that is not the key.
        case none
        /// The only key component, named `id`.
        case property
        /// A generated `id` that returns the key.
        case generated
    }
}
