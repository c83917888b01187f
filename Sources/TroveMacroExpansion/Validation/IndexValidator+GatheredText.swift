// Checks of a `#FullTextIndex` of gathered text: a name, and a closure.

import SwiftDiagnostics
import SwiftSyntax

extension IndexValidator {
    /// Returns the index of a declaration of gathered text; nil if the declaration has an error.
    func gatheredIndex(_ syntax: IndexSyntax, _ diagnostics: inout DiagnosticList) -> IndexDescription? {
        guard let first = syntax.properties.first, syntax.properties.count == 1,
            let name = first.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue, !name.isEmpty
        else {
            if let first = syntax.properties.first {
                report(.textNameNotLiteral, at: first.expression, &diagnostics)
            } else {
                report(.textNameNotLiteral, at: syntax.declaration, &diagnostics)
            }
            return nil
        }
        guard let closure = syntax.gathering else {
            report(.noGathering, at: syntax.declaration, &diagnostics)
            return nil
        }
        if let use = closure.earlyUse(of: context) {
            report(.gatheringBeforeMembers(use.trimmedDescription, in: context.name), at: use, &diagnostics)
            return nil
        }
        return IndexDescription(
            kind: syntax.kind, properties: [], textOptions: options(of: syntax),
            gathered: GatheredTextDescription(name: name, closure: closure.trimmedDescription))
    }

    /// Returns the arguments of a full-text index except its properties, its condition and its closure.
    func options(of syntax: IndexSyntax) -> [String] {
        syntax.textOptions.map { "\($0.label?.text ?? ""): \($0.expression.trimmedDescription)" }
    }
}
