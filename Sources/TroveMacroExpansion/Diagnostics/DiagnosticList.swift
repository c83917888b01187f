// Diagnostics in the order in which they were found, so that one build shows all of them.

import SwiftDiagnostics
import SwiftSyntax

/// Gathers diagnostics while a declaration is parsed and validated.
struct DiagnosticList {
    private(set) var diagnostics: [Diagnostic] = []

    /// Whether code can no longer be generated.
    private(set) var preventsExpansion = false

    /// Adds a diagnostic at `node`.
    ///
    /// - Parameter preventsExpansion: By default an error does; an error that leaves the meaning of the declaration
    ///   clear should not, so that it stands alone.
    mutating func add(
        _ message: MacroDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = [], preventsExpansion: Bool? = nil
    ) {
        diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts))
        if preventsExpansion ?? (message.severity == .error) { self.preventsExpansion = true }
    }
}
