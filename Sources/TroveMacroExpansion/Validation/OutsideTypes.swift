// An extension of `Outer.Person` cannot look into `Outer`, where the type `Status` of a property may stand. Such types
// get a name inside `Person` itself, in an enum `PropertyTypes` that a member macro adds.

import SwiftSyntax

/// Decides how generated code spells the types of a declaration.
struct OutsideTypes {
    private(set) var aliases: [OutsideType] = []
    private let visibleNames: Set<String>?

    init(context: TypeContext, members: MemberList) {
        guard let outermost = context.enclosing.first else {
            visibleNames = nil
            return
        }
        let root = outermost.split(separator: ".").first.map(String.init) ?? outermost
        visibleNames = members.typeNames.union([root])
    }

    /// The spelling of `type` in an extension; makes an alias where it takes one.
    mutating func spelling(of type: TypeSyntax, alias: String, access: AccessLevel) -> String {
        guard let visibleNames, type.mayBeOutside(visible: visibleNames) else { return type.codeSpelling }
        aliases.append(OutsideType(alias: alias, type: type.codeSpelling, access: access))
        return "PropertyTypes.\(alias)"
    }
}
