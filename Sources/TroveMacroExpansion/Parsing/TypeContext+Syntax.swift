// The parser of a declaration's context.

import SwiftSyntax
import SwiftSyntaxMacros

extension TypeContext {
    init(
        of declaration: some DeclGroupSyntax & NamedDeclSyntax, extendedType: some TypeSyntaxProtocol,
        in context: some MacroExpansionContext
    ) {
        self.init(
            extendedType: extendedType.trimmedDescription,
            name: declaration.name.plainName,
            enclosing: context.lexicalContext.reversed().compactMap(Self.name),
            genericEnclosing: context.lexicalContext.first(where: Self.isGeneric).flatMap(Self.name),
            access: AccessLevel(declaration.modifiers) ?? Self.defaultAccess(in: context),
            availability: declaration.attributes.compactMap { element in
                element.as(AttributeSyntax.self).flatMap { attribute in
                    attribute.attributeName.trimmedDescription == "available" ? attribute.trimmedDescription : nil
                }
            })
    }

    /// Returns the access level of the enclosing extension: the members of a `public extension` are public.
    private static func defaultAccess(in context: some MacroExpansionContext) -> AccessLevel {
        let outside = context.lexicalContext.first?.as(ExtensionDeclSyntax.self)
        return outside.flatMap { AccessLevel($0.modifiers) } ?? .internal
    }

    private static func isGeneric(_ context: Syntax) -> Bool {
        context.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }

    private static func name(of context: Syntax) -> String? {
        if let outside = context.as(ExtensionDeclSyntax.self) {
            outside.extendedType.trimmedDescription.filter { $0 != "`" }
        } else {
            context.asProtocol((any NamedDeclSyntax).self)?.name.plainName
        }
    }
}

extension AccessLevel {
    /// Reads the access level for reading from the modifiers; nil without an access modifier.
    init?(_ modifiers: DeclModifierListSyntax) {
        for modifier in modifiers where modifier.detail == nil {
            switch modifier.name.tokenKind {
            case .keyword(.private): self = .private
            case .keyword(.fileprivate): self = .fileprivate
            case .keyword(.internal): self = .internal
            case .keyword(.package): self = .package
            case .keyword(.public), .keyword(.open): self = .public
            default: continue
            }
            return
        }
        return nil
    }
}
