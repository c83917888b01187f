// `#Index`, `#Unique`, `#FullTextIndex` and `#Totals`: read by `@IndexKeyRecord` and `@EntityModel`. Their own
// expansion only reports a wrong placement.

import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Declares an index of the enclosing record. It adds no code.
open class IndexExpansion: DeclarationMacro {
    /// Expands the macro in this role.
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let enclosing = context.lexicalContext.first?.as(StructDeclSyntax.self)
        let macro = "#" + node.macroName.text
        if enclosing?.hasMacro("RecordValue") == true {
            context.diagnose(Diagnostic(node: node, message: MacroDiagnostic.indexOfValue(macro)))
        } else if enclosing?.isRecord != true {
            context.diagnose(Diagnostic(node: node, message: MacroDiagnostic.indexOutside(macro)))
        }
        return []
    }
}

extension StructDeclSyntax {
    /// Whether the struct is declared as a record type.
    var isRecord: Bool { hasMacro("IndexKeyRecord") || hasMacro("EntityModel") }

    /// Returns whether a macro of this name is attached.
    func hasMacro(_ name: String) -> Bool {
        attributes.contains { $0.as(AttributeSyntax.self)?.attributeName.isNamed(name) == true }
    }
}
