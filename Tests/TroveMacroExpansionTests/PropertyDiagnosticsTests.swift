// Diagnostics of the macros about unsupported types of properties and associated values.

import Testing

@testable import TroveMacroExpansion

@Suite("Diagnostics about properties")
struct PropertyDiagnosticsTests {
    /// Returns a record with an additional member at line 4, column 5.
    private func record(_ member: String) -> String {
        """
        @IndexKeyRecord("name")
        struct Person {
            let name: String
            \(member)
        }
        """
    }

    @Test(
        arguments: [
            ("5", "Int"), ("-5", "Int"), ("0.5", "Double"), ("-0.5", "Double"), ("\"text\"", "String"),
            ("true", "Bool"),
        ])
    func missingType_isThatOfTheLiteral(literal: String, type: String) {
        expectDiagnostic(
            .missingType("age"), in: record("var age = \(literal)"), line: 4, column: 9,
            fixIts: [.insert(": \(type)")], fixed: record("var age: \(type) = \(literal)"))
    }

    @Test func missingType_ofAnythingElse_isLeftToTheUser() {
        expectDiagnostic(.missingType("born"), in: record("var born = Date()"), line: 4, column: 9)
    }

    @Test func laterTypeInALine_isOfNoUseToAnInitialValue() {
        expectDiagnostic(
            .missingType("a"), in: record("var a = 1, b: Int"), line: 4, column: 9, fixIts: [.insert(": Int")],
            fixed: record("var a: Int = 1, b: Int"))
    }

    @Test(
        arguments: [
            ("() -> Void", 16, UnsupportedType.function),
            ("(@Sendable () -> Void)?", 17, .function),
            ("(Int, Int)", 16, .tuple),
            ("[(x: Int, y: Int)]", 17, .tuple),
            ("()", 16, .tuple),
            ("any Sendable", 16, .existential),
            ("[String: any Codable]", 25, .existential),
            ("Any", 16, .existential),
            ("A & B", 16, .existential),
            ("some Codable", 16, .opaque),
            ("Int.Type", 16, .metatype),
        ])
    func unsupportedType_isReportedAtItsPosition(type: String, column: Int, reason: UnsupportedType) {
        expectDiagnostic(.unsupportedType("thing", reason), in: record("var thing: \(type)"), line: 4, column: column)
    }

    @Test func implicitlyUnwrapped_becomesOptional() {
        expectDiagnostic(
            .unsupportedType("age", .implicitlyUnwrapped), in: record("var age: Int!"), line: 4, column: 14,
            fixIts: [.change("Int!", to: "Int?")], fixed: record("var age: Int?"))
    }

    @Test(arguments: ["(Int)", "[[String]: Int?]", "Optional<Int>", "Outer.Inner", "Result<Int, Never>"])
    func otherTypes_areFine(type: String) {
        expectDiagnostics([], in: record("var thing: \(type)"))
    }

    @Test func tuplePattern_isSplit() {
        expectDiagnostic(
            .tuplePattern, in: record("let (a, b): (Int, String)"), line: 4, column: 9,
            fixIts: [.split(into: "a: Int, b: String")], fixed: record("let a: Int, b: String"))
    }

    @Test func tuplePatternWithAValue_isLeftToTheUser() {
        expectDiagnostic(.tuplePattern, in: record("var (a, b) = (1, 2)"), line: 4, column: 9)
    }

    @Test func lazyProperty_becomesEager() {
        expectDiagnostic(
            .lazyProperty("age"), in: record("private lazy var age: Int = 5"), line: 4, column: 13,
            fixIts: [.remove("lazy")], fixed: record("private var age: Int = 5"))
    }

    @Test(arguments: ["indexKey", "fieldsSize"])
    func namesOfGeneratedMembers_areTaken(name: String) {
        expectDiagnostic(
            .reservedName(name, macro: "IndexKeyRecord"), in: record("var \(name): Int"), line: 4, column: 9)
    }

    @Test func encodedSize_isTakenInValues() {
        expectDiagnostic(
            .reservedName("encodedSize", macro: "RecordValue"),
            in: "@RecordValue struct Job { var encodedSize: Int }", line: 1, column: 31)
    }

    @Test func constantWithAValue_isLeftOut() {
        let source = record("let version: Int = 5")
        expectDiagnostic(
            .constantWithInitialValue("version"), in: source, line: 4, column: 9,
            fixIts: [.change("let", to: "var")], fixed: record("var version: Int = 5"))
        #expect(!expansion(of: source).contains("\"version\""))
    }

    @Test func constantWithAValue_cannotBeAKey() {
        let source = #"@IndexKeyRecord("name") struct Person { let name: String = "x" }"#
        let fixed = #"@IndexKeyRecord("name") struct Person { var name: String = "x" }"#
        expectDiagnostic(
            .constantKey("name"), in: source, line: 1, column: 17, fixIts: [.change("let", to: "var")], fixed: fixed)
    }

    @Test func associatedValues_areChecked() {
        expectDiagnostic(
            .unsupportedType("call", .function), in: "@RecordValue enum Job { case call(Int, () -> Void) }",
            line: 1, column: 40)
    }

    @Test func valueProperties_areChecked() {
        expectDiagnostic(
            .missingType("count"), in: "@RecordValue struct Job { var count = 1 }", line: 1, column: 31,
            fixIts: [.insert(": Int")], fixed: "@RecordValue struct Job { var count: Int = 1 }")
    }

    @Test func everyProblem_isShownInOneBuild() {
        let source = """
            @IndexKeyRecord("nam", keyPrefix)
            struct Person {
                let name: String
                var age = Date()
                var call: () -> Void
            }
            """
        #expect(diagnosticCount(in: source) == 4)
    }
}
