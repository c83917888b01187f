// The parser of a property with `@Relationship`.

import SwiftSyntax

/// A property with `@Relationship` in the source.
struct RelationshipSyntax {
    var property: StoredProperty
    let attribute: AttributeSyntax

    /// Returns nil for any other property.
    init?(_ property: StoredProperty) {
        guard let attribute = property.declaration.relationshipAttribute else { return nil }
        self.property = property
        self.attribute = attribute
    }

    var name: String { property.name.plainName }

    /// Whether the attribute has neither arguments nor parentheses.
    var isBare: Bool { attribute.leftParen == nil }

    /// The argument `.required`.
    var requirement: ExprSyntax? { arguments.first { $0.label == nil }?.expression }

    /// The delete rule.
    var deleteRule: ExprSyntax? { argument("deleteRule") }

    /// The inverse.
    var inverse: ExprSyntax? { argument("inverse") }

    /// The property in the key path of the inverse; nil if it is not a literal of a single property.
    var inverseName: TokenSyntax? {
        guard let path = inverse?.as(KeyPathExprSyntax.self), path.components.count == 1 else { return nil }
        return path.components.first?.propertyName.flatMap { $0.text == "self" ? nil : $0 }
    }

    /// The type of the targets; nil if the property's type is neither `X?` nor `[X]?`.
    var target: (type: TypeSyntax, isToMany: Bool)? {
        guard let wrapped = property.type?.optionalWrapped else { return nil }
        guard let element = wrapped.arrayElement else {
            return wrapped.isPlainName ? (wrapped, false) : nil
        }
        return element.isPlainName ? (element, true) : nil
    }

    private var arguments: [LabeledExprSyntax] {
        guard case .argumentList(let arguments) = attribute.arguments else { return [] }
        return Array(arguments)
    }

    private func argument(_ label: String) -> ExprSyntax? {
        arguments.first { $0.label?.text == label }?.expression
    }
}

extension VariableDeclSyntax {
    /// The attribute `@Relationship`; nil if the declaration has none.
    var relationshipAttribute: AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.attributeName.isNamed("Relationship") }
    }
}

extension TypeSyntax {
    /// The wrapped type of `X?` or `Optional<X>`; nil for any other type.
    var optionalWrapped: TypeSyntax? {
        let type = withoutParentheses
        return type.as(OptionalTypeSyntax.self)?.wrappedType.withoutParentheses ?? type.argument(of: "Optional")
    }

    /// The element of `[X]` or `Array<X>`; nil for any other type.
    var arrayElement: TypeSyntax? {
        self.as(ArrayTypeSyntax.self)?.element.withoutParentheses ?? argument(of: "Array")
    }

    /// Whether the type is a name, as the name of an entity is: without generic arguments.
    fileprivate var isPlainName: Bool {
        if let member = self.as(MemberTypeSyntax.self) { return member.genericArgumentClause == nil }
        return self.as(IdentifierTypeSyntax.self)?.genericArgumentClause == nil && self.is(IdentifierTypeSyntax.self)
    }

    /// The only generic argument of the standard library's type with this name.
    private func argument(of name: String) -> TypeSyntax? {
        let clause =
            self.as(IdentifierTypeSyntax.self).flatMap { $0.name.text == name ? $0.genericArgumentClause : nil }
            ?? self.as(MemberTypeSyntax.self).flatMap {
                $0.baseType.trimmedDescription == "Swift" && $0.name.text == name ? $0.genericArgumentClause : nil
            }
        guard let arguments = clause?.arguments, arguments.count == 1, let only = arguments.first else { return nil }
        return Syntax(only.argument).as(TypeSyntax.self)?.withoutParentheses
    }
}
