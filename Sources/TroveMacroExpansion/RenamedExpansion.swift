// `@Renamed`: read by `@IndexKeyRecord`, `@EntityModel` and `@RecordValue`. Its own expansion only reports where it
// cannot be used.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The old name of a property in a record or in a nested value. It adds no code.
open class RenamedExpansion: PeerMacro {
    /// Expands the macro in this role.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !isStruct(context.lexicalContext.first) {
            context.diagnose(Diagnostic(node: node, message: MacroDiagnostic.renamedOutside))
        } else if !isStored(declaration) {
            context.diagnose(Diagnostic(node: node, message: MacroDiagnostic.renamedNotStored))
        }
        return []
    }

    /// Returns whether this is a struct with one of the other macros.
    private static func isStruct(_ enclosing: Syntax?) -> Bool {
        guard let structure = enclosing?.as(StructDeclSyntax.self) else { return false }
        return structure.isRecord || structure.hasMacro("RecordValue") || structure.hasMacro("CloudKitRecord")
    }

    private static func isStored(_ declaration: some DeclSyntaxProtocol) -> Bool {
        let members = MemberList(DeclSyntax(declaration))
        return !members.relationships.isEmpty
            || members.stored.contains { !PropertyValidator(members: members).isLeftOut($0) }
    }
}
