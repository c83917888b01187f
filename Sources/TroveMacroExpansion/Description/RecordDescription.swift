// A record type, as the generators see it: everything is checked.

/// A struct with `@IndexKeyRecord`.
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
    /// The `keyPrefix:` argument as it was spelled.
    var keyPrefix: String?
    /// The `fieldsVersion:` argument as it was spelled.
    var fieldsVersion: String?
    var identity: Identity
    /// Whether the extension declares `IndexKeyRecord`, which the declaration may do itself.
    var declaresConformance: Bool

    /// Where `Identifiable` comes from.
    enum Identity: Equatable {
        /// The type conforms by itself, or has an `id` that is not the key.
        case none
        /// The only key component is called `id`.
        case property
        /// The macro writes an `id` that is the key.
        case generated
    }
}
