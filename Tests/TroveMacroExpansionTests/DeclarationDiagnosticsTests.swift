// Diagnostics of the macros about unsupported declarations.

import Testing

@testable import TroveMacroExpansion

@Suite("Diagnostics about declarations")
struct DeclarationDiagnosticsTests {
    @Test func recordClass_becomesAStruct() {
        expectDiagnostic(
            .onlyStructs(macro: "IndexKeyRecord", kind: "class"),
            in: """
                @IndexKeyRecord("name")
                public final class Person {
                    let name: String
                }
                """,
            line: 2, column: 14, fixIts: [.change("class", to: "struct")],
            fixed: """
                @IndexKeyRecord("name")
                public struct Person {
                    let name: String
                }
                """)
    }

    @Test func recordActor_becomesAStruct() {
        expectDiagnostic(
            .onlyStructs(macro: "IndexKeyRecord", kind: "actor"),
            in: #"@IndexKeyRecord("name") actor Person { let name: String }"#,
            line: 1, column: 25, fixIts: [.change("actor", to: "struct")],
            fixed: #"@IndexKeyRecord("name") struct Person { let name: String }"#)
    }

    @Test(arguments: ["enum", "protocol"])
    func otherKinds_areRefused(kind: String) {
        expectDiagnostic(
            .onlyStructs(macro: "IndexKeyRecord", kind: kind), in: "@IndexKeyRecord(\"name\")\n\(kind) Person {}",
            line: 2, column: 1)
    }

    @Test func valueClass_becomesAStruct() {
        expectDiagnostic(
            .onlyStructsAndEnums(kind: "class"), in: "@RecordValue class Address { var street: String }",
            line: 1, column: 14, fixIts: [.change("class", to: "struct")],
            fixed: "@RecordValue struct Address { var street: String }")
    }

    @Test func genericRecord_isRefused() {
        expectDiagnostic(
            .genericRecord("Box"),
            in: """
                @IndexKeyRecord("name")
                struct Box<Content: RecordValue> {
                    let name: String
                    let content: Content
                }
                """,
            line: 2, column: 11)
    }

    @Test func recordInsideAGenericType_isRefused() {
        expectDiagnostic(
            .genericEnclosing("Item", "Box"),
            in: """
                struct Box<Content> {
                    @IndexKeyRecord("name")
                    struct Item {
                        let name: String
                    }
                }
                """,
            line: 3, column: 12)
    }

    @Test func genericValue_isFine() {
        expectDiagnostics([], in: "@RecordValue struct Box<Content: RecordValue> { let content: Content }")
    }

    @Test func privateNestedRecord_becomesFileprivate() {
        expectDiagnostic(
            .privateNested("Person"),
            in: """
                enum People {
                    @IndexKeyRecord("name")
                    private struct Person {
                        let name: String
                    }
                }
                """,
            line: 3, column: 5, fixIts: [.change("private", to: "fileprivate")],
            fixed: """
                enum People {
                    @IndexKeyRecord("name")
                    fileprivate struct Person {
                        let name: String
                    }
                }
                """)
    }

    @Test func privateNestedValue_becomesFileprivate() {
        expectDiagnostic(
            .privateNested("Answer"), in: "enum Outer { @RecordValue private enum Answer { case yes } }",
            line: 1, column: 27, fixIts: [.change("private", to: "fileprivate")],
            fixed: "enum Outer { @RecordValue fileprivate enum Answer { case yes } }")
    }

    @Test func privateRecordOfAFile_isFine() {
        expectDiagnostics([], in: #"@IndexKeyRecord("name") private struct Person { let name: String }"#)
    }

    @Test func storedPropertiesInsideAnIf_areRefused() {
        expectDiagnostic(
            .conditionalMember("stored properties"),
            in: """
                @IndexKeyRecord("name")
                struct Person {
                    let name: String
                    #if DEBUG
                    var note: String
                    var upper: String { name.uppercased() }
                    static var count = 0
                    #endif
                }
                """,
            line: 5, column: 5)
    }

    @Test func casesInsideAnIf_areRefused() {
        expectDiagnostic(
            .conditionalMember("cases"),
            in: """
                @RecordValue
                enum Answer {
                    case yes
                    #if DEBUG
                    case perhaps
                    #endif
                }
                """,
            line: 5, column: 5)
    }

    @Test func rawValueEnum_declaresTheConformance() {
        expectDiagnostic(
            .rawValueEnum("Status"),
            in: """
                @RecordValue
                enum Status: String, CaseIterable {
                    case open, closed
                }
                """,
            line: 1, column: 1, fixIts: [.declareConformance],
            fixed: """
                enum Status: String, CaseIterable, RecordValue {
                    case open, closed
                }
                """)
    }

    @Test func enumWithAssignedRawValues_declaresTheConformance() {
        expectDiagnostic(
            .rawValueEnum("Status"), in: "@RecordValue enum Status: Code { case open = 1 }",
            line: 1, column: 1, fixIts: [.declareConformance],
            fixed: "enum Status: Code, RecordValue { case open = 1 }")
    }

    @Test func enumWithoutCases_isRefused() {
        expectDiagnostic(.noCases("Never"), in: "@RecordValue enum Never {}", line: 1, column: 19)
    }

    @Test func structWithoutStoredProperties_isRefused() {
        expectDiagnostic(
            .noStoredProperties("Empty"), in: "@RecordValue struct Empty { var name: String { \"\" } }",
            line: 1, column: 21)
    }
}
