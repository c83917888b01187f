// The stored names of properties in a type with `CodingKeys`.

import SwiftSyntax

/// The cases of `enum CodingKeys: String, CodingKey`.
struct CodingKeyNames {
    private var cases: [String: EnumCaseElementSyntax] = [:]
    /// The cases inside `#if`.
    var conditional: [DeclSyntax] = []

    init() {}

    /// Returns nil for any other declaration.
    init?(_ declaration: some DeclSyntaxProtocol) {
        guard let keys = declaration.as(EnumDeclSyntax.self), keys.name.plainName == "CodingKeys",
            let inherited = keys.inheritanceClause?.inheritedTypes.map(\.type),
            inherited.contains(where: { $0.isNamed("String") }),
            inherited.contains(where: { $0.isNamed("CodingKey") })
        else { return nil }
        let members = MemberList(keys.memberBlock)
        for element in members.cases { cases[element.name.plainName] = element }
        conditional = members.conditional
    }

    /// The case of a property; nil without a case.
    subscript(property: String) -> EnumCaseElementSyntax? { cases[property] }

    /// Returns the raw value of the property's case, or the property's own name if there is no case or no raw value.
    func storedName(of property: String) -> String {
        let literal = cases[property]?.rawValue?.value.as(StringLiteralExprSyntax.self)
        return literal?.representedLiteralValue ?? property
    }
}
