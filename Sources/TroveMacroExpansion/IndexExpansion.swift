// `#Index` and `#Unique`: they are read by `@IndexKeyRecord`, and say themselves only where they cannot stand.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Declares an index of the record in whose body it stands. It adds no code.
open class IndexExpansion: DeclarationMacro {
    /// Expands the macro in this role.
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let enclosing = context.lexicalContext.first?.as(StructDeclSyntax.self)
        let macro = "#" + node.macroName.text
        if enclosing?.hasMacro("RecordValue") == true {
            context.diagnose(Diagnostic(node: node, message: MacroDiagnostic.tableOfValue(macro)))
        } else if enclosing?.hasMacro("IndexKeyRecord") != true {
            context.diagnose(Diagnostic(node: node, message: MacroDiagnostic.tableOutside(macro)))
        }
        return []
    }
}

extension StructDeclSyntax {
    /// Whether a macro of this name is attached.
    func hasMacro(_ name: String) -> Bool {
        attributes.contains { $0.as(AttributeSyntax.self)?.attributeName.isNamed(name) == true }
    }
}
