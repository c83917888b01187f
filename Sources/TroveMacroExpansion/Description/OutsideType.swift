// Types and default values that an extension cannot spell, and that generated code reaches through an enum inside the
// type.

/// A type in the spelling that is valid inside the enclosing types, but not in an extension.
struct OutsideType: Equatable {
    /// Its name in `PropertyTypes`.
    var alias: String
    /// Its spelling in the declaration.
    var type: String
    /// The access level of the alias.
    var access: AccessLevel

    /// The modifier of its member, with a space.
    var accessPrefix: String { access < .internal ? "fileprivate " : access.memberPrefix }
}

/// A default value with a name outside an extension's scope.
struct OutsideDefault: Equatable {
    /// The name of its function in `PropertyDefaults`, and the function's result type.
    var function: OutsideType
    /// Its spelling inside that enum.
    var value: String
}
