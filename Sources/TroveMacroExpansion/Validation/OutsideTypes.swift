// An extension of `Outer.Person` cannot look into `Outer`, where the type `Status` of a property may stand. Such types
// get a name inside `Person` itself, in an enum `PropertyTypes` that a member macro adds; such default values are
// computed there, in an enum `PropertyDefaults`.

import SwiftSyntax

/// Decides how generated code spells the types and the default values of a declaration.
struct OutsideTypes {
    private(set) var aliases: [OutsideType] = []
    private(set) var defaults: [OutsideDefault] = []
    private let typeName: String
    private let visibleNames: Set<String>?

    init(context: TypeContext, members: MemberList) {
        typeName = context.name
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

    /// The spelling of a property's default value in an extension; makes a function where it takes one.
    mutating func spelling(
        ofDefault value: ExprSyntax, type: TypeSyntax, function: String, access: AccessLevel
    ) -> String {
        guard let visibleNames, value.mayBeOutside(visible: visibleNames) else { return value.statementSpelling }
        let naming = SelfReplacement(typeName: typeName)
        let type = naming.rewrite(type).cast(TypeSyntax.self).codeSpelling
        defaults.append(
            OutsideDefault(
                function: OutsideType(alias: function, type: type, access: access),
                value: naming.rewrite(value).cast(ExprSyntax.self).statementSpelling))
        return "PropertyDefaults.\(function)()"
    }
}

extension ExprSyntax {
    /// The spelling as the only statement of a closure, which cannot begin with a brace.
    fileprivate var statementSpelling: String {
        let text = trimmedDescription
        return text.hasPrefix("{") ? "(\(text))" : text
    }
}

/// Names the type: `Self` means another one inside `PropertyDefaults`.
private final class SelfReplacement: SyntaxRewriter {
    private let typeName: String

    init(typeName: String) {
        self.typeName = typeName
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ token: TokenSyntax) -> TokenSyntax {
        token.tokenKind == .keyword(.Self) ? token.with(\.tokenKind, .identifier(typeName)) : token
    }
}
