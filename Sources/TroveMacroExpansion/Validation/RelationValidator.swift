// The validator of an entity's relations: it returns their descriptions, or reports why a property cannot be a
// relation.

import SwiftDiagnostics
import SwiftSyntax

/// Checks the properties with `@Relationship`.
struct RelationValidator {
    let members: MemberList
    let context: TypeContext
    let locations: SourceLocations?

    /// Returns the relations, in order: the valid relations, and those with an error but a known target.
    func relations(
        _ diagnostics: inout DiagnosticList
    ) -> (valid: [RelationshipDescription], refused: [RelationshipDescription]) {
        var renames = RenameValidator(members.relationships.map(\.property), members.codingKeys)
        var owners: [String: String] = [:]
        var relations: (valid: [RelationshipDescription], refused: [RelationshipDescription]) = ([], [])
        for relation in members.relationships {
            let name = relation.name
            let storedName = members.codingKeys.storedName(of: name)
            if let owner = owners.updateValue(name, forKey: storedName) {
                diagnostics.add(.sameStoredName(storedName, owner, name), at: relation.property.name)
            }
            guard let target = target(of: relation, &diagnostics) else { continue }
            let isValid = check(relation, target.isToMany, &diagnostics)
            let description = RelationshipDescription(
                name: name, code: relation.property.name.text, storedName: storedName,
                oldNames: renames.oldNames(of: relation.property, &diagnostics),
                target: target.type.isNamed("Self") ? context.name : target.type.codeSpelling,
                inverse: relation.inverseName.map { String($0.text.drop { $0 == "$" }) },
                deleteRule: relation.deleteRule?.trimmedDescription,
                hasInitialValue: relation.property.initialValue.map { !$0.is(NilLiteralExprSyntax.self) } ?? false,
                access: relation.property.access, location: locations?.directive(of: target.type))
            if isValid { relations.valid.append(description) } else { relations.refused.append(description) }
        }
        return relations
    }

    /// Returns the type of the targets; nil with a diagnostic if there is none.
    private func target(
        of relation: RelationshipSyntax, _ diagnostics: inout DiagnosticList
    ) -> (type: TypeSyntax, isToMany: Bool)? {
        if let target = relation.target { return target }
        guard let type = relation.property.type else {
            report(.missingType(relation.name), at: relation.property.name, &diagnostics)
            return nil
        }
        var optional = relation
        let wrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType ?? type
        optional.property.type = TypeSyntax(OptionalTypeSyntax(wrappedType: wrapped.trimmed))
        guard type.optionalWrapped == nil, optional.target != nil else {
            report(wrongType(of: relation), at: type, &diagnostics)
            return nil
        }
        let text = wrapped.trimmedDescription
        report(
            .relationshipNotOptional(relation.name, text), at: type, &diagnostics,
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
            report(
                .relationshipConstant(name), at: property.declaration.bindingSpecifier, &diagnostics,
                fixIts: [.change(property.declaration.bindingSpecifier, to: .var)])
        } else if relation.isBare, property.initialValue == nil {
            report(
                .relationshipBare(name), at: property.name, &diagnostics,
                fixIts: [addNil(property), addParentheses(relation)])
        } else if isToMany, let requirement = relation.requirement {
            report(.requiredList(name), at: requirement, &diagnostics)
        } else if let inverse = relation.inverse, relation.inverseName == nil {
            report(.inverseNotLiteral(name), at: inverse, &diagnostics)
        } else if let inverse = relation.inverseName, inverse.text.hasPrefix("$") {
            let plain = TokenSyntax.identifier(String(inverse.text.dropFirst()))
            report(
                .inverseOfRelation(name, inverse.text), at: inverse, &diagnostics,
                fixIts: [.replace(inverse, with: plain, .change(inverse.text, to: plain.text))])
        } else if relation.inverse != nil, let modifier = property.declaration.modifiers.privateModifier {
            report(
                .relationshipPrivate(name), at: modifier, &diagnostics,
                fixIts: [.change(modifier.name, to: .fileprivate)])
        } else {
            return true
        }
        return false
    }

    /// Returns the diagnostic of a type that is neither an entity nor a list of entities.
    private func wrongType(of relation: RelationshipSyntax) -> MacroDiagnostic {
        let names = relation.property.type.map { $0.tokens(viewMode: .sourceAccurate).map(\.text) } ?? []
        return names.contains("Deleted") ? .relationshipToDeleted(relation.name) : .relationshipType(relation.name)
    }

    /// Adds a diagnostic without preventing the expansion: without the relation, the declaration is an entity.
    private func report(
        _ message: MacroDiagnostic, at node: some SyntaxProtocol, _ diagnostics: inout DiagnosticList,
        fixIts: [FixIt] = []
    ) {
        diagnostics.add(message, at: node, fixIts: fixIts, preventsExpansion: false)
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
