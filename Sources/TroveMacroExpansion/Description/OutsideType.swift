// A type that an extension cannot spell. Generated code reaches it through an enum inside the declared type.

/// A type whose spelling is valid inside the enclosing types, but not in an extension.
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
