// The message type of every diagnostic. Each diagnostic is a static function or constant in the file of its topic.

import SwiftDiagnostics

/// A message to the user of a macro.
struct MacroDiagnostic: DiagnosticMessage, Equatable {
    var message: String
    var diagnosticID: MessageID
    var severity: DiagnosticSeverity

    static func error(_ id: String, _ message: String) -> Self {
        Self(message: message, diagnosticID: MessageID(domain: "TroveMacros", id: id), severity: .error)
    }

    static func warning(_ id: String, _ message: String) -> Self {
        Self(message: message, diagnosticID: MessageID(domain: "TroveMacros", id: id), severity: .warning)
    }
}
