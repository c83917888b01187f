// The validator of an entity's relations: it returns their descriptions, or reports why a property cannot be a
// relation.

import SwiftDiagnostics
import SwiftSyntax

/// Checks the properties with `@Relationship`.
struct RelationValidator {
    let members: MemberList
    let context: TypeContext

    /// Returns the valid relations, in order.
    func relations(_ diagnostics: inout DiagnosticList) -> [RelationshipDescription] {
        var renames = RenameValidator(members.relationships.map(\.property), members.codingKeys)
        var owners: [String: String] = [:]
        return members.relationships.compactMap { relation in
            let name = relation.name
            let storedName = members.codingKeys.storedName(of: name)
            if let owner = owners.updateValue(name, forKey: storedName) {
                diagnostics.add(.sameStoredName(storedName, owner, name), at: relation.property.name)
            }
            guard let target = target(of: relation, &diagnostics), check(relation, target.isToMany, &diagnostics)
            else { return nil }
            return RelationshipDescription(
                name: name, code: relation.property.name.text, storedName: storedName,
                oldNames: renames.oldNames(of: relation.property, &diagnostics),
                target: target.type.isNamed("Self") ? context.name : target.type.codeSpelling,
                inverse: relation.inverseName?.text, deleteRule: relation.deleteRule?.trimmedDescription,
                hasInitialValue: relation.property.initialValue.map { !$0.is(NilLiteralExprSyntax.self) } ?? false,
                access: relation.property.access)
        }
    }

    /// Returns the type of the targets; nil with a diagnostic if there is none.
    private func target(
        of relation: RelationshipSyntax, _ diagnostics: inout DiagnosticList
    ) -> (type: TypeSyntax, isToMany: Bool)? {
        if let target = relation.target { return target }
        guard let type = relation.property.type else {
            diagnostics.add(.missingType(relation.name), at: relation.property.name)
            return nil
        }
        var optional = relation
        let wrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType ?? type
        optional.property.type = TypeSyntax(OptionalTypeSyntax(wrappedType: wrapped.trimmed))
        guard type.optionalWrapped == nil, optional.target != nil else {
            diagnostics.add(.relationshipType(relation.name), at: type)
            return nil
        }
        let text = wrapped.trimmedDescription
        diagnostics.add(
            .relationshipNotOptional(relation.name, text), at: type,
            fixIts: [
                .replace(
                    type, with: OptionalTypeSyntax(wrappedType: wrapped.trimmed),
                    .change(type.trimmedDescription, to: text + "?"))
            ])
        return nil
    }

    /// Checks everything but the type. Returns false with a diagnostic.
    private func check(
        _ relation: RelationshipSyntax, _ isToMany: Bool, _ diagnostics: inout DiagnosticList
    ) -> Bool {
        let (name, property) = (relation.name, relation.property)
        if property.isConstant {
            diagnostics.add(
                .relationshipConstant(name), at: property.declaration.bindingSpecifier,
                fixIts: [.change(property.declaration.bindingSpecifier, to: .var)])
        } else if relation.isBare, property.initialValue == nil {
            diagnostics.add(
                .relationshipBare(name), at: property.name, fixIts: [addNil(property), addParentheses(relation)])
        } else if isToMany, let requirement = relation.requirement {
            diagnostics.add(.requiredList(name), at: requirement)
        } else if let inverse = relation.inverse, relation.inverseName == nil {
            diagnostics.add(.inverseNotLiteral(name), at: inverse)
        } else if let inverse = relation.inverseName, inverse.text.hasPrefix("$") {
            let plain = TokenSyntax.identifier(String(inverse.text.dropFirst()))
            diagnostics.add(
                .inverseOfRelation(name, inverse.text), at: inverse,
                fixIts: [.replace(inverse, with: plain, .change(inverse.text, to: plain.text))])
        } else if relation.inverse != nil, let modifier = property.declaration.modifiers.privateModifier {
            diagnostics.add(
                .relationshipPrivate(name), at: modifier, fixIts: [.change(modifier.name, to: .fileprivate)])
        } else {
            return true
        }
        return false
    }

    // MARK: Fix-its

    private func addNil(_ property: StoredProperty) -> FixIt {
        let value = InitializerClauseSyntax(
            equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space), value: NilLiteralExprSyntax())
        let binding = property.binding.trimmed.with(\.initializer, value)
        return .replace(property.binding, with: binding, .insert("= nil"))
    }

    private func addParentheses(_ relation: RelationshipSyntax) -> FixIt {
        let attribute = relation.attribute.trimmed
            .with(\.leftParen, .leftParenToken())
            .with(\.arguments, .argumentList([]))
            .with(\.rightParen, .rightParenToken())
        return .replace(relation.attribute, with: attribute, .insert("()"))
    }
}
