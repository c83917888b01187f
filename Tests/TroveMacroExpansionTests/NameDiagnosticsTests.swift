// Diagnostics of the macros about stored names and old names.

import Testing

@testable import TroveMacroExpansion

@Suite("Diagnostics about names")
struct NameDiagnosticsTests {
    /// Returns a record with more members, from line 4, column 5 on.
    private func record(_ members: String) -> String {
        """
        @IndexKeyRecord("id")
        struct Person {
            let id: Int
            \(members)
        }
        """
    }

    // MARK: Coding keys

    @Test func twoPropertiesOfOneStoredName_areRefused() {
        expectDiagnostic(
            .sameStoredName("age", "age", "name"),
            in: record(
                "var age: Int; var name: String; enum CodingKeys: String, CodingKey { case id, name = \"age\" }"),
            line: 4, column: 83)
        expectDiagnostic(
            .sameStoredName("age", "name", "age"),
            in: record("var name: String; var age: Int; enum CodingKeys: String, CodingKey { case name = \"age\" }"),
            line: 4, column: 79)
        expectDiagnostic(
            .sameStoredName("b", "a", "b"),
            in: """
                @RecordValue
                struct Pair {
                    var a: Int
                    var b: Int
                    enum CodingKeys: String, CodingKey { case a = "b" }
                }
                """,
            line: 5, column: 47)
    }

    @Test func aConstantThatIsNotStored_takesNoName() {
        let source = record(
            "let name: Int = 1; var age: Int; enum CodingKeys: String, CodingKey { case age = \"name\" }")
        #expect(diagnostics(in: source).map(\.diagMessage.severity) == [.warning])
    }

    @Test func codingKeys_doNotDependOnTheBuild() {
        let inside = record("enum CodingKeys: String, CodingKey {\n#if DEBUG\ncase id = \"x\"\n#endif\n}")
        expectDiagnostic(.conditionalMember("coding keys"), in: inside, line: 6, column: 1)
        let around = record("#if DEBUG\nenum CodingKeys: String, CodingKey { case id = \"x\" }\n#endif")
        expectDiagnostic(.conditionalMember("coding keys"), in: around, line: 5, column: 1)
    }

    // MARK: Allowed positions of an old name

    @Test(
        arguments: [
            "struct Person { @Renamed(\"name\") var fullName: String }",
            "@RecordValue enum Address { case a(Int); struct Name { @Renamed(\"name\") var full: String } }",
            "class Person { @Renamed(\"name\") var fullName: String = \"\" }",
            "@IndexKeyRecord(\"id\") struct Person { let id: Int; struct Name { @Renamed(\"name\") var full: String } }",
            "@Renamed(\"name\") var fullName: String = \"\"",
        ])
    func oldNames_belongToRecordsAndValues(source: String) throws {
        let column = try #require(source.firstRange(of: "@Renamed")).lowerBound
        expectDiagnostic(
            .renamedOutside, in: source, line: 1,
            column: source.distance(from: source.startIndex, to: column) + 1)
    }

    @Test(
        arguments: [
            "var fullName: String { \"\" }", "static var fullName: String = \"\"", "func fullName() {}",
            "struct FullName {}",
        ])
    func oldNames_belongToStoredProperties(member: String) {
        expectDiagnostic(.renamedNotStored, in: record("@Renamed(\"name\") \(member)"), line: 4, column: 5)
    }

    /// The compiler accepts it; the library that expands macros for tests adds a diagnostic of its own.
    @Test func oldNames_belongToSingleProperties() {
        let messages = diagnostics(in: record("@Renamed(\"name\") var first, last: String")).map(\.message)
        #expect(messages.filter { $0 == MacroDiagnostic.renamedSeveral.message }.count == 1)
        #expect(messages.count == 2)
    }

    @Test func whatIsNotStored_hasNoOldName() {
        let messages = diagnostics(in: record("@Renamed(\"name\") let fullName: String = \"\"")).map(\.message)
        #expect(
            Set(messages) == [
                MacroDiagnostic.renamedNotStored.message, MacroDiagnostic.constantWithInitialValue("fullName").message,
            ])
    }

    // MARK: Allowed old names

    @Test(arguments: ["name", "\"na\\(1)\"", "\"na\" + \"me\"", "Names.old"])
    func oldName_isAPlainLiteral(expression: String) {
        expectDiagnostic(
            .oldNameNotLiteral, in: record("@Renamed(\(expression)) var fullName: String"), line: 4, column: 14)
    }

    @Test func oldName_isNotEmpty() {
        expectDiagnostic(.oldNameEmpty, in: record("@Renamed(\"\") var fullName: String"), line: 4, column: 14)
    }

    @Test func oldName_isAnotherThanThePresentOne() {
        expectDiagnostic(
            .oldNameIsPresent("name", of: "name"), in: record("@Renamed(\"name\")\n    private var name: String"),
            line: 4, column: 14, fixIts: [.remove("@Renamed(\"name\")")], fixed: record("private var name: String"))
        let keys = "; enum CodingKeys: String, CodingKey { case fullName = \"name\" }"
        expectDiagnostic(
            .oldNameIsPresent("name", of: "fullName"), in: record("@Renamed(\"name\") var fullName: String" + keys),
            line: 4, column: 14, fixIts: [.remove("@Renamed(\"name\")")],
            fixed: record("var fullName: String" + keys))
        expectDiagnostics([], in: record("@Renamed(\"fullName\") var fullName: String" + keys))
    }

    @Test func oldName_isNotThatOfAnotherProperty() {
        expectDiagnostic(
            .oldNameIsTaken("id", by: "id"), in: record("@Renamed(\"id\") var number: Int"), line: 4, column: 14)
        expectDiagnostic(
            .oldNameIsTaken("name", by: "title"),
            in: record(
                "@Renamed(\"name\") var full: Int; var title: Int; "
                    + "enum CodingKeys: String, CodingKey { case title = \"name\" }"),
            line: 4, column: 14)
    }

    @Test func oneOldName_hasOneProperty() {
        expectDiagnostic(
            .oldNameRepeated("name"),
            in: record("@Renamed(\"name\") var first: String\n    @Renamed(\"name\") var second: String"),
            line: 5, column: 14, fixIts: [.remove("@Renamed(\"name\")")],
            fixed: record("@Renamed(\"name\") var first: String\n    var second: String"))
    }

    @Test func oneProperty_listsItsOldNamesInOneAttribute() {
        expectDiagnostics([], in: record("@Renamed(\"name\", \"title\") var fullName: String"))
        expectDiagnostic(
            .renamedTwice("fullName"),
            in: record("@Renamed(\"name\")\n    @Renamed(\"title\", \"text\")\n    var fullName: String"),
            line: 5, column: 5, fixIts: [.merge(into: "@Renamed(\"name\", \"title\", \"text\")")],
            fixed: record("@Renamed(\"name\", \"title\", \"text\")\n    var fullName: String"))
    }

    @Test func eachOfSeveralOldNames_isChecked() {
        expectDiagnostic(
            .oldNameListedTwice("name"), in: record("@Renamed(\"name\", \"title\", \"name\") var text: String"),
            line: 4, column: 31, fixIts: [.remove("\"name\"")],
            fixed: record("@Renamed(\"name\", \"title\") var text: String"))
        expectDiagnostic(
            .oldNameEmpty, in: record("@Renamed(\"name\", \"\") var text: String"), line: 4, column: 22)
        expectDiagnostic(
            .oldNameNotLiteral, in: record("@Renamed(\"name\", old) var text: String"), line: 4, column: 22)
        expectDiagnostic(
            .oldNameIsPresent("text", of: "text"), in: record("@Renamed(\"text\", \"name\") var text: String"),
            line: 4, column: 14, fixIts: [.remove("\"text\"")], fixed: record("@Renamed(\"name\") var text: String"))
        expectDiagnostic(
            .oldNameIsTaken("id", by: "id"), in: record("@Renamed(\"name\", \"id\") var text: String"), line: 4,
            column: 22)
        expectDiagnostic(
            .oldNameRepeated("name"),
            in: record("@Renamed(\"name\") var text: String\n    @Renamed(\"title\", \"name\") var more: String"),
            line: 5, column: 23, fixIts: [.remove("\"name\"")],
            fixed: record("@Renamed(\"name\") var text: String\n    @Renamed(\"title\") var more: String"))
    }

    // MARK: In values

    /// Returns a value with more members, from line 4, column 5 on.
    private func value(_ members: String) -> String {
        """
        @RecordValue
        struct Address {
            let id: Int
            \(members)
        }
        """
    }

    @Test func inValues_oldNamesAreCheckedAsInRecords() {
        expectDiagnostics([], in: value("@Renamed(\"name\") var fullName: String"))
        expectDiagnostic(.renamedNotStored, in: value("@Renamed(\"a\") var b: Int { 1 }"), line: 4, column: 5)
        expectDiagnostic(.oldNameEmpty, in: value("@Renamed(\"\") var b: Int"), line: 4, column: 14)
        expectDiagnostic(.oldNameNotLiteral, in: value("@Renamed(a) var b: Int"), line: 4, column: 14)
        expectDiagnostic(.oldNameIsTaken("id", by: "id"), in: value("@Renamed(\"id\") var b: Int"), line: 4, column: 14)
        expectDiagnostic(
            .oldNameIsPresent("b", of: "b"), in: value("@Renamed(\"b\") var b: Int"), line: 4, column: 14,
            fixIts: [.remove("@Renamed(\"b\")")], fixed: value("var b: Int"))
        expectDiagnostic(
            .oldNameRepeated("a"), in: value("@Renamed(\"a\") var b: Int\n    @Renamed(\"a\") var c: Int"),
            line: 5, column: 14, fixIts: [.remove("@Renamed(\"a\")")],
            fixed: value("@Renamed(\"a\") var b: Int\n    var c: Int"))
        expectDiagnostic(
            .renamedTwice("b"), in: value("@Renamed(\"a\")\n    @Renamed(\"c\")\n    var b: Int"), line: 5,
            column: 5, fixIts: [.merge(into: "@Renamed(\"a\", \"c\")")],
            fixed: value("@Renamed(\"a\", \"c\")\n    var b: Int"))
    }

    // MARK: After an error

    @Test func aWrongOldName_isTheOnlyDiagnostic() {
        let text = expansion(of: record("@Renamed(\"\") var fullName: String"))
        #expect(text.contains("extension Person"), "a cascade of errors would hide the message")
    }
}
