// `@RecordValue`: parse and validate, then generate.

import SwiftSyntax
import SwiftSyntaxMacros

/// The expansion of a struct or an enum to a field: an extension with the conformance.
open class RecordValueExpansion: ExtensionMacro {
    /// The generated text is indented already, and formatting takes half the time of an expansion.
    public static var formatMode: FormatMode { .disabled }

    /// Expands the macro in this role.
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        let locations = SourceLocations(declaration, in: context)
        let validated = validate(
            declaration, attribute: node, type: type, conformances: protocols, in: context, locations: locations)
        guard let (value, diagnostics) = validated else {
            let kind = declaration.introducer
            context.diagnose(
                .init(
                    node: kind, message: MacroDiagnostic.onlyStructsAndEnums(kind: kind.text),
                    fixIts: .makeStruct(declaration)))
            return []
        }
        diagnostics.diagnostics.forEach(context.diagnose)
        return try value.map { [try ExtensionGeneration.declaration(of: $0)] } ?? []
    }

    /// Returns nil for a declaration that is neither a struct nor an enum.
    private static func validate(
        _ declaration: some DeclGroupSyntax, attribute node: AttributeSyntax, type: some TypeSyntaxProtocol,
        conformances protocols: [TypeSyntax], in context: some MacroExpansionContext, locations: SourceLocations?
    ) -> (ValueDescription?, DiagnosticList)? {
        if let structure = declaration.as(StructDeclSyntax.self) {
            var validator = ValueValidator(
                attribute: node, memberBlock: structure.memberBlock,
                context: TypeContext(of: structure, extendedType: type, in: context), locations: locations)
            return (validator.validate(structure, conformances: protocols), validator.diagnostics)
        }
        guard let enumeration = declaration.as(EnumDeclSyntax.self) else { return nil }
        var validator = ValueValidator(
            attribute: node, memberBlock: enumeration.memberBlock,
            context: TypeContext(of: enumeration, extendedType: type, in: context), locations: locations)
        return (validator.validate(enumeration, conformances: protocols), validator.diagnostics)
    }
}

/// Adds members for types and default values outside the extension's scope. The extension role reports the
/// diagnostics.
extension RecordValueExpansion: MemberMacro {
    /// Expands the macro in this role.
    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.trimmed ?? .identifier("_")
        let value = validate(
            declaration, attribute: node, type: IdentifierTypeSyntax(name: name), conformances: [], in: context,
            locations: nil)?.0
        return value.map { value in
            PropertyTypesGeneration.members(value.outsideTypes, in: value.context)
                + PropertyTypesGeneration.members(value.outsideDefaults, in: value.context)
        } ?? []
    }
}
