// `@Renamed`: it is read by `@IndexKeyRecord`, and says itself only where it cannot stand.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Gives a property of a record its old name. It adds no code.
open class RenamedExpansion: PeerMacro {
    /// Expands the macro in this role.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !isRecord(context.lexicalContext.first) {
            context.diagnose(Diagnostic(node: node, message: MacroDiagnostic.renamedOutsideRecord))
        } else if !isStored(declaration) {
            context.diagnose(Diagnostic(node: node, message: MacroDiagnostic.renamedNotStored))
        }
        return []
    }

    private static func isRecord(_ enclosing: Syntax?) -> Bool {
        let attributes = enclosing?.as(StructDeclSyntax.self)?.attributes ?? []
        return attributes.contains { $0.as(AttributeSyntax.self)?.attributeName.isNamed("IndexKeyRecord") == true }
    }

    private static func isStored(_ declaration: some DeclSyntaxProtocol) -> Bool {
        let members = MemberList(DeclSyntax(declaration))
        return members.stored.contains { !PropertyValidator(members: members).isLeftOut($0) }
    }
}
