// `@IndexKeyRecord` and `@EntityModel`: parse and validate, then generate.

import SwiftSyntax
import SwiftSyntaxMacros

/// The expansion of a struct to a record: an extension with the conformances.
open class IndexKeyRecordExpansion: ExtensionMacro {
    /// The generated text is indented already, and formatting takes half the time of an expansion.
    public static var formatMode: FormatMode { .disabled }

    /// Expands the macro in this role.
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            let kind = declaration.introducer
            context.diagnose(
                .init(
                    node: kind,
                    message: MacroDiagnostic.onlyStructs(macro: RecordKind(node).macro, kind: kind.text),
                    fixIts: .makeStruct(declaration)))
            return []
        }
        var validator = RecordValidator(
            attribute: node, declaration: structure,
            context: TypeContext(of: structure, extendedType: type, in: context),
            locations: SourceLocations(structure, in: context))
        let record = validator.validate(conformances: protocols)
        validator.diagnostics.diagnostics.forEach(context.diagnose)
        return try record.map { [try ExtensionGeneration.declaration(of: $0)] } ?? []
    }
}

/// Adds members for types and default values outside the extension's scope, and the lists of indexes and relations. The
/// extension role reports the diagnostics.
extension IndexKeyRecordExpansion: MemberMacro {
    /// Expands the macro in this role.
    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let structure = declaration.as(StructDeclSyntax.self) else { return [] }
        let type = IdentifierTypeSyntax(name: structure.name.trimmed)
        // Errors of the compiler about a relation belong at its property.
        let locations =
            MemberList(structure.memberBlock).relationships.isEmpty ? nil : SourceLocations(structure, in: context)
        var validator = RecordValidator(
            attribute: node, declaration: structure,
            context: TypeContext(of: structure, extendedType: type, in: context), locations: locations)
        let record = validator.validate(conformances: [])
        return record.map { record in
            PropertyTypesGeneration.members(record.outsideTypes, in: record.context)
                + PropertyTypesGeneration.members(record.outsideDefaults, in: record.context)
                + IndexGeneration.members(of: record) + RelationGeneration.members(of: record)
        } ?? []
    }
}
