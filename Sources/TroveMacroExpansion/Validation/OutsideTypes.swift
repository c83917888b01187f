// Types and default values outside an extension's scope. An extension of `Outer.Person` cannot see a type `Status` in
// `Outer`. A member macro adds aliases for such types to an enum `PropertyTypes` inside `Person`, and functions for
// such default values to an enum `PropertyDefaults`.

import SwiftSyntax

/// Decides the spelling of a declaration's types and default values in generated code.
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

    /// Returns the spelling of `type` in an extension; adds an alias if necessary.
    mutating func spelling(of type: TypeSyntax, alias: String, access: AccessLevel) -> String {
        guard let visibleNames, type.mayBeOutside(visible: visibleNames) else { return type.codeSpelling }
        aliases.append(OutsideType(alias: alias, type: type.codeSpelling, access: access))
        return "PropertyTypes.\(alias)"
    }

    /// Returns the spelling of a property's default value in an extension; adds a function if necessary.
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

/// Replaces `Self`, which is another type inside `PropertyDefaults`, by the type's name.
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
