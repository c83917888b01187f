// A list of diagnostics in the order of their discovery, so that a single build shows all of them.

import SwiftDiagnostics
import SwiftSyntax

/// Collects diagnostics while a declaration is parsed and validated.
struct DiagnosticList {
    private(set) var diagnostics: [Diagnostic] = []

    /// Whether an error prevents the generation of code.
    private(set) var preventsExpansion = false

    /// Adds a diagnostic at `node`.
    ///
    /// - Parameter preventsExpansion: By default true for an error. Pass false for an error that leaves the meaning of
    ///   the declaration clear, so that no further errors follow.
    mutating func add(
        _ message: MacroDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = [], preventsExpansion: Bool? = nil
    ) {
        diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts))
        if preventsExpansion ?? (message.severity == .error) { self.preventsExpansion = true }
    }
}
