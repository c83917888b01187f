// The validator of the rules for entities, in addition to the rules for records.

import SwiftDiagnostics
import SwiftSyntax

/// Checks what `@EntityModel` adds to a record.
struct EntityValidator {
    let declaration: StructDeclSyntax
    let context: TypeContext
    let members: MemberList
    let locations: SourceLocations?

    /// Returns the part of the description for entities.
    ///
    /// - Parameters:
    ///   - fields: The validated fields.
    ///   - options: The labels and values of the macro's arguments for the entity's options.
    func entity(
        fields: [PropertyDescription], options: [String], _ diagnostics: inout DiagnosticList
    ) -> EntityDescription {
        checkIsolation(&diagnostics)
        checkNames(&diagnostics)
        HookValidator(declaration: declaration).check(&diagnostics)
        let (relations, refused) = RelationValidator(members: members, context: context, locations: locations)
            .relations(&diagnostics)
        return EntityDescription(
            relations: relations, refusedRelations: refused, patched: patched(fields, &diagnostics), options: options,
            hasComputedID: members.computed["id"] != nil)
    }

    private func checkIsolation(_ diagnostics: inout DiagnosticList) {
        for element in declaration.attributes {
            guard let attribute = element.as(AttributeSyntax.self), attribute.attributeName.isNamed("MainActor") else {
                continue
            }
            let attributes = declaration.attributes.filter { $0.as(AttributeSyntax.self)?.id != attribute.id }
            let text = attribute.trimmedDescription
            diagnostics.add(
                .actorIsolated(context.name, text), at: attribute,
                fixIts: [.replace(declaration.attributes, with: attributes, .remove(text))])
        }
    }

    private func checkNames(_ diagnostics: inout DiagnosticList) {
        let properties = members.stored + members.relationships.map(\.property)
        for property in properties where ["relations", "RelationKeys"].contains(property.name.plainName) {
            diagnostics.add(.reservedName(property.name.plainName, macro: "EntityModel"), at: property.name)
        }
        for type in members.types where ["relations", "RelationKeys"].contains(type.plainName) {
            diagnostics.add(.reservedName(type.plainName, macro: "EntityModel"), at: type)
        }
    }

    /// Returns the variables of optional types. Reports constants of optional types.
    private func patched(
        _ fields: [PropertyDescription], _ diagnostics: inout DiagnosticList
    ) -> [PropertyDescription] {
        fields.filter { field in
            guard let property = members.stored.first(where: { $0.name.plainName == field.name }),
                property.type?.optionalWrapped != nil
            else { return false }
            guard property.isConstant else { return true }
            let specifier = property.declaration.bindingSpecifier
            diagnostics.add(
                .unpatchedConstant(field.name), at: property.name, fixIts: [.change(specifier, to: .var)])
            return false
        }
    }
}
