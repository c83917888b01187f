// What generated code cannot spell in an extension and therefore reaches through an enum inside the type.

/// A type that is spelled as it is seen from inside the types around the declaration, where an extension cannot look.
struct OutsideType: Equatable {
    /// Its name in `PropertyTypes`.
    var alias: String
    /// Its spelling in the declaration.
    var type: String
    /// Who may see the alias.
    var access: AccessLevel

    /// The modifier of its member, with a space.
    var accessPrefix: String { access < .internal ? "fileprivate " : access.memberPrefix }
}

/// A default value that names something which an extension may not see.
struct OutsideDefault: Equatable {
    /// The name of its function in `PropertyDefaults`, and what that returns.
    var function: OutsideType
    /// Its spelling inside that enum.
    var value: String
}
