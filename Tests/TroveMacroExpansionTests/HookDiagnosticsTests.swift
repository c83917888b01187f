// Diagnostics about functions that look like hooks, and are never called.

import Testing

@testable import TroveMacroExpansion

@Suite("Diagnostics about hooks")
struct HookDiagnosticsTests {
    /// Returns an entity with an additional member at line 4, column 5.
    private func entity(_ member: String) -> String {
        """
        @EntityModel
        struct Film {
            let id: Int
            \(member)
        }
        """
    }

    private static let hooks = [
        ("willSave", "to", "TransactionContext", "mutating func willSave(to context: TransactionContext) throws"),
        ("didSave", "to", "TransactionContext", "func didSave(to context: TransactionContext) throws"),
        ("willDelete", "from", "TransactionContext", "func willDelete(from context: TransactionContext) throws"),
        ("didDelete", "from", "TransactionContext", "func didDelete(from context: TransactionContext) throws"),
        ("saveMetadata", "to", "TransactionContext", "func saveMetadata(to context: TransactionContext) throws"),
        (
            "deleteMetadata", "from", "TransactionContext",
            "func deleteMetadata(from context: TransactionContext) throws"
        ),
        ("asDeleted", "in", "ReadContext", "func asDeleted(in context: ReadContext) throws -> Deleted<Self>?"),
    ]

    @Test(arguments: hooks)
    func anotherContext_isReported(_ name: String, _ label: String, _ context: String, _ signature: String) {
        func source(_ type: String) -> String { entity("func \(name)(\(label) context: \(type)) throws {}") }
        for type in ["inout Context", "Context", "inout Trove.Context", "borrowing GatheringContext"] {
            expectDiagnostic(
                .hookSignature(name, signature), in: source(type), line: 4, column: 10,
                fixIts: [.change(type, to: context)], fixed: source(context))
        }
        #expect(diagnosticCount(in: source(context)) == 0)
        #expect(diagnosticCount(in: source("Trove.\(context)")) == 0)
    }

    @Test(arguments: [
        "mutating func didSave(to context: TransactionContext) throws {}",
        "func didSave(in context: TransactionContext) throws {}",
        "func didSave(to context: TransactionContext) async throws {}",
        "static func didSave(to context: TransactionContext) throws {}",
        "func didSave<C>(to context: C.Context) throws {}",
    ])
    func anotherFunction_isReportedWithoutAFix(member: String) {
        let found = diagnostics(in: entity(member))
        let hook = "func didSave(to context: TransactionContext) throws"
        #expect(found.map(\.message) == [MacroDiagnostic.hookSignature("didSave", hook).message])
        #expect(found.allSatisfy { $0.fixIts.isEmpty })
    }

    @Test(arguments: [
        "mutating func willSave(to context: TransactionContext) throws {}",
        "func willSave(to context: TransactionContext) {}",
        "func willSave() {}", "func willSave(to file: String) {}", "func save(to context: inout Context) {}",
        "func willSave(to context: inout Context, twice: Bool) {}", "var didSave: Int { 1 }",
    ])
    func hooksAndOtherFunctions_areLeftAlone(member: String) {
        #expect(diagnosticCount(in: entity(member)) == 0)
    }

    /// Only entities have hooks.
    @Test func recordsHaveNoHooks() {
        let record = "@IndexKeyRecord(\"id\") struct Film { let id: Int; func didSave(to context: inout Context) {} }"
        #expect(diagnosticCount(in: record) == 0)
    }
}
