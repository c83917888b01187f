// The conformance of records to `Identifiable`, and their `id`.

import SwiftSyntaxMacroExpansion
import Testing

@testable import TroveMacroExpansion

@Suite("Identity of records")
struct IdentityTests {
    private let generated = "var id: IndexKey"

    @Test func withoutAnID_theKeyIsTheID() {
        let text = expansion(of: #"@IndexKeyRecord("a") struct Person { let a: Int }"#)
        #expect(text.contains("extension Person: Trove.IndexKeyRecord, Identifiable {"))
        #expect(text.contains(generated))
    }

    @Test func whenTheKeyIsCalledID_itIsTheID() {
        let text = expansion(of: #"@IndexKeyRecord("id") struct Person { let id: Int }"#)
        #expect(text.contains("extension Person: Trove.IndexKeyRecord, Identifiable {"))
        #expect(!text.contains(generated))
    }

    @Test(
        arguments: [
            #"@IndexKeyRecord("a") struct Person { let a: Int; let id: Int }"#,
            #"@IndexKeyRecord("a", "id") struct Person { let a: Int; let id: Int }"#,
            #"@IndexKeyRecord("a") struct Person { let a: Int; var id: Int { a } }"#,
            #"@IndexKeyRecord("id") public struct Person { let id: Int }"#,
            #"@IndexKeyRecord("id") struct Person { private let id: Int }"#,
        ])
    func anotherID_isNoIdentity(source: String) {
        let text = expansion(of: source)
        #expect(text.contains("extension Person: Trove.IndexKeyRecord {"))
        #expect(!text.contains(generated))
    }

    @Test func declaredConformances_areNotRepeated() {
        let source = #"@IndexKeyRecord("a") struct Person: IndexKeyRecord, Identifiable { let a: Int }"#
        let declared = ["IndexKeyRecord": MacroSpec(type: IndexKeyRecordExpansion.self, conformances: [])]
        let text = expansion(of: source, macroSpecs: declared)
        #expect(text.contains("extension Person {"))
        #expect(text.contains("static let schema"))
        #expect(!text.contains(generated))
    }
}
