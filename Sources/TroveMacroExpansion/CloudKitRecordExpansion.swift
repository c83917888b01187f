// `@CloudKitRecord`: the fields of a record in CloudKit, as a call of the library. A struct that is neither a record
// nor a value becomes a value, as with `@RecordValue`.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The expansion of a struct to a record of CloudKit: an extension with the conformance.
open class CloudKitRecordExpansion: ExtensionMacro {
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
                    node: kind, message: MacroDiagnostic.onlyStructs(macro: "CloudKitRecord", kind: kind.text),
                    fixIts: .makeStruct(declaration)))
            return []
        }
        let typeContext = TypeContext(of: structure, extendedType: type, in: context)
        var validator = CloudKitValidator(attribute: node, declaration: structure, context: typeContext)
        let record = validator.validate(conformances: protocols)
        validator.diagnostics.diagnostics.forEach(context.diagnose)
        var extensions = try record.map { [try ExtensionGeneration.declaration(of: typeContext, cloudKit: $0)] } ?? []
        // The compiler names the protocols to which the struct does not conform by an extension.
        let isOther = ["RecordValue", "IndexKeyRecord"].allSatisfy { name in protocols.contains { $0.isNamed(name) } }
        if isOther, !structure.isStorable {
            extensions += try RecordValueExpansion.expansion(
                of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols, in: context)
        }
        return extensions
    }
}

/// Adds the members of `@RecordValue` to a struct that is neither a record nor a value.
extension CloudKitRecordExpansion: MemberMacro {
    /// Expands the macro in this role.
    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let structure = declaration.as(StructDeclSyntax.self), !structure.isStorable else { return [] }
        return try RecordValueExpansion.expansion(
            of: node, providingMembersOf: declaration, conformingTo: protocols, in: context)
    }
}

extension StructDeclSyntax {
    /// Whether the declaration of the struct makes it a record type or a value, by a macro or by hand.
    fileprivate var isStorable: Bool {
        isRecord || hasMacro("RecordValue")
            || inheritanceClause?.inheritedTypes.contains { inherited in
                ["IndexKeyRecord", "EntityModelProtocol", "RecordValue"].contains { inherited.type.isNamed($0) }
            } == true
    }
}
