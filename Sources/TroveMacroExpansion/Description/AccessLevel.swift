// The access levels of Swift, in order, with the modifiers of generated members.

/// The access level of a declaration, narrowest first.
enum AccessLevel: Int, Comparable {
    case `private`, `fileprivate`, `internal`, `package`, `public`

    /// The modifier of a generated member, with a space; empty for types that are not public or package.
    var memberPrefix: String {
        switch self {
        case .private, .fileprivate, .internal: ""
        case .package: "package "
        case .public: "public "
        }
    }

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
