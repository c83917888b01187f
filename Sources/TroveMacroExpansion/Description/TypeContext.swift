// Where a declaration stands and who may see it: what both macros need to open an extension of it.

/// The head of the extension that a macro writes.
struct TypeContext: Equatable {
    /// The type as the extension names it, `Outer.Person`.
    var extendedType: String
    /// The type's own name, without backticks.
    var name: String
    /// The names of the types around it, outermost first, without backticks.
    var enclosing: [String]
    /// The nearest generic type around it.
    var genericEnclosing: String?
    /// Written before every generated member.
    var access: AccessLevel
    /// `@available` attributes, repeated on the extension.
    var availability: [String]

    /// The path of the type inside its module: its default identity.
    var lexicalPath: String { (enclosing + [name]).joined(separator: ".") }

    /// Whether a type that is spelled so inside the declaration is the declared one.
    func isSpelled(_ spelling: String) -> Bool {
        let parts = spelling.filter { $0 != "`" }.split(separator: ".")
        let path = lexicalPath.split(separator: ".")
        // With the names around it, or with all of them and the module's.
        return parts == ["Self"] || parts == path.suffix(parts.count) || parts.dropFirst() == path[...]
    }
}

/// Who may see a declaration, narrowest first.
enum AccessLevel: Int, Comparable {
    case `private`, `fileprivate`, `internal`, `package`, `public`

    /// The modifier of a generated member, with a space; members of narrower types need none.
    var memberPrefix: String {
        switch self {
        case .private, .fileprivate, .internal: ""
        case .package: "package "
        case .public: "public "
        }
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
