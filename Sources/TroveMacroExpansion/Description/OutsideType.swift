// A type that generated code reaches through `PropertyTypes`.

/// A type that is spelled as it is seen from inside the types around the declaration, where an extension cannot look.
struct OutsideType: Equatable {
    /// Its name in `PropertyTypes`.
    var alias: String
    /// Its spelling in the declaration.
    var type: String
    /// Who may see the alias.
    var access: AccessLevel
}
