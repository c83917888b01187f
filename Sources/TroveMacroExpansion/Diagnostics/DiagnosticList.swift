// A list of diagnostics in the order of their discovery. A single build shows all of them.

import SwiftDiagnostics
import SwiftSyntax

/// Collects diagnostics while a declaration is parsed and validated.
struct DiagnosticList {
    private(set) var diagnostics: [Diagnostic] = []

    /// Whether an error prevents the generation of code.
    private(set) var preventsExpansion = false

    /// Adds a diagnostic at `node`.
    ///
    /// - Parameter preventsExpansion: By default true for an error. Pass false if the meaning of the declaration is
    ///   clear despite the error, so that no further errors follow.
    mutating func add(
        _ message: MacroDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = [], preventsExpansion: Bool? = nil
    ) {
        diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts))
        if preventsExpansion ?? (message.severity == .error) { self.preventsExpansion = true }
    }
}
