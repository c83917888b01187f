// The argument `validated:`. It covers only the declaration's own text.

import Testing

@testable import TroveMacroExpansion

@Suite("Validated declarations")
struct ValidatedTests {
    /// The hash in the sources of users. It must never change.
    private let hash: Int64 = -2_133_552_265_173_253_963

    @Test func text_isNamesTypesAndKey() {
        let day = property("day", "Int")
        let value = property("value", "[String:Int?]")
        #expect(
            DeclarationHash.text(properties: [value, day], key: [day]) == "value:[String:Int?],day:Int|day")
    }

    @Test func hash_isSDBM() {
        #expect(DeclarationHash.sdbm("") == 0)
        #expect(DeclarationHash.sdbm("a") == 97)
        #expect(DeclarationHash.sdbm("ab") == 97 * 65_599 + 98)
        #expect(
            DeclarationHash.value(
                properties: [property("day", "Int"), property("value", "Double")], key: [property("day", "Int")])
                == hash)
    }

    @Test func theRightHash_isFine() {
        expectDiagnostics([], in: record(validated: "-2_133_552_265_173_253_963"))
        expectDiagnostics([], in: record(validated: "nil"))
    }

    @Test func anotherHash_failsAndGivesTheNewOne() {
        let source = record(validated: "42")
        expectDiagnostic(
            .layoutChanged("Reading", hash: hash), in: source, line: 1, column: 28,
            fixIts: [.change("42", to: "\(hash)")], fixed: record(validated: "\(hash)"))
        #expect(expansion(of: source).contains("extension Reading"), "a cascade of errors would hide the message")
    }

    @Test(
        arguments: [
            "let day: Int; /* how warm */ let value : Double // degrees",
            "let `day`: Int\n\n  public internal(set) var value: Double = 0",
            "let day: Int, value: Double; static let zero = 0; var double: Double { value * 2 }; func f() {}",
            "@Wrapped var day: (Int); var value: Double { didSet {} }; let constant: Int = 5",
            "@Renamed(\"date\") let day: Int; var value: Double = 0",
            "let day: Int; let worth: Double; enum CodingKeys: String, CodingKey { case day, worth = \"value\" }",
        ])
    func whatIsNotStored_doesNotCount(members: String) {
        #expect(!fails(members))
    }

    @Test(
        arguments: [
            "let value: Double; let day: Int",
            "let day: Int; let value: Float",
            "let day: Int; let value: Double?",
            "let day: Int; let worth: Double",
            "let day: Int; let value: Double; let note: String",
            "let day: Int",
            "let day: Int; let value: Double; enum CodingKeys: String, CodingKey { case day, value = \"worth\" }",
        ])
    func whatIsStored_counts(members: String) {
        #expect(fails(members))
    }

    @Test func keyArguments_count() {
        let source = #"@IndexKeyRecord(validated: \#(hash), "value") struct R { let day: Int; let value: Double }"#
        #expect(diagnosticCount(in: source) == 1)
    }

    private func fails(_ members: String) -> Bool {
        let source = "@IndexKeyRecord(validated: \(hash), \"day\") struct Reading { \(members)\n}"
        return diagnostics(in: source).contains { $0.diagMessage.severity == .error }
    }

    private func record(validated: String) -> String {
        """
        @IndexKeyRecord(validated: \(validated), "day")
        struct Reading {
            let day: Int
            let value: Double
        }
        """
    }

    private func property(_ name: String, _ type: String) -> PropertyDescription {
        PropertyDescription(
            name: name, code: name, label: name, storedName: name, declaredType: type, type: type, access: .internal)
    }
}
