// A stored property of the annotated type, in the source.

import SwiftSyntax

/// A stored property in the source.
struct StoredProperty {
    var name: TokenSyntax
    var type: TypeSyntax?
    var initialValue: ExprSyntax?
    var binding: PatternBindingSyntax
    var declaration: VariableDeclSyntax

    /// The access level for reading the property.
    var access: AccessLevel { AccessLevel(declaration.modifiers) ?? .internal }

    var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

    var lazyModifier: DeclModifierSyntax? {
        declaration.modifiers.first { $0.name.tokenKind == .keyword(.lazy) }
    }

    /// The property's `@Renamed` attributes.
    var renamedAttributes: [AttributeSyntax] {
        declaration.attributes.compactMap { $0.as(AttributeSyntax.self) }.filter {
            $0.attributeName.isNamed("Renamed")
        }
    }
}
