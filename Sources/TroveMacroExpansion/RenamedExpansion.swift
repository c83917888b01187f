// `@Renamed`: it is read by `@IndexKeyRecord` and `@RecordValue`, and says itself only where it cannot stand.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Gives a property of a record or of a nested value its old name. It adds no code.
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

    /// Whether this is a struct that one of the two other macros makes storable.
    private static func isStruct(_ enclosing: Syntax?) -> Bool {
        guard let structure = enclosing?.as(StructDeclSyntax.self) else { return false }
        return structure.hasMacro("IndexKeyRecord") || structure.hasMacro("RecordValue")
    }

    private static func isStored(_ declaration: some DeclSyntaxProtocol) -> Bool {
        let members = MemberList(DeclSyntax(declaration))
        return members.stored.contains { !PropertyValidator(members: members).isLeftOut($0) }
    }
}
