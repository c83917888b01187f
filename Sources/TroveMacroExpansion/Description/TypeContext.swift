// The context of a declaration: its name, enclosing types and access level, from which both macros write the extension.

/// The head of the extension that a macro writes.
struct TypeContext: Equatable {
    /// The type as the extension names it, `Outer.Person`.
    var extendedType: String
    /// The type's own name, without backticks.
    var name: String
    /// The names of the enclosing types, outermost first, without backticks.
    var enclosing: [String]
    /// The innermost generic enclosing type.
    var genericEnclosing: String?
    /// The access level of every generated member.
    var access: AccessLevel
    /// The `@available` attributes, repeated on the extension.
    var availability: [String]

    /// The path of the type inside its module: its default identity.
    var lexicalPath: String { (enclosing + [name]).joined(separator: ".") }

    /// Returns whether a spelling inside the declaration means the declared type.
    func isSpelled(_ spelling: String) -> Bool {
        let parts = spelling.filter { $0 != "`" }.split(separator: ".")
        let path = lexicalPath.split(separator: ".")
        // The name, with some enclosing names, or with all of them and the module.
        return parts == ["Self"] || parts == path.suffix(parts.count) || parts.dropFirst() == path[...]
    }
}
