// The names under which properties are stored, where a type has `CodingKeys`.

import SwiftSyntax

/// What the cases of `enum CodingKeys: String, CodingKey` say.
struct CodingKeyNames {
    private var cases: [String: EnumCaseElementSyntax] = [:]
    /// What depends on how the program is built.
    var conditional: [DeclSyntax] = []

    init() {}

    /// Nil for any other declaration.
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

    /// The case of a property, which may have none.
    subscript(property: String) -> EnumCaseElementSyntax? { cases[property] }

    /// The raw value of the property's case; the property's own name where the case, or its raw value, is not written.
    func storedName(of property: String) -> String {
        let literal = cases[property]?.rawValue?.value.as(StringLiteralExprSyntax.self)
        return literal?.representedLiteralValue ?? property
    }
}
