// Diagnostics of `@IndexKeyRecord` about its arguments.

import Testing

@testable import TroveMacroExpansion

@Suite("Diagnostics about arguments")
struct ArgumentDiagnosticsTests {
    @Test func noKeys_suggestsTheFirstProperty() {
        expectDiagnostic(
            .noKeys, in: "@IndexKeyRecord struct Person { let name: String }", line: 1, column: 1,
            fixIts: [.insert("\"name\"")], fixed: #"@IndexKeyRecord("name") struct Person { let name: String }"#)
    }

    @Test func noKeysAfterLabels_suggestsTheFirstProperty() {
        expectDiagnostic(
            .noKeys, in: "@IndexKeyRecord(keyPrefix: 3) struct Person { let name: String }", line: 1, column: 1,
            fixIts: [.insert("\"name\"")],
            fixed: #"@IndexKeyRecord(keyPrefix: 3, "name") struct Person { let name: String }"#)
    }

    @Test(arguments: ["name", "\"\\(name)\"", "\"na\" + \"me\"", "Keys.name"])
    func key_isAPlainLiteral(expression: String) {
        expectDiagnostic(
            .keyNotLiteral, in: "@IndexKeyRecord(\(expression)) struct Person { let name: String }",
            line: 1, column: 17)
    }

    @Test(arguments: ["\\.name", "\\Person.name", "\\Outer.Person.`name`"])
    func key_isAName_notAKeyPath(path: String) {
        expectDiagnostic(
            .keyIsPath("name"), in: "@IndexKeyRecord(\(path)) struct Person { let name: String }", line: 1, column: 17,
            fixIts: [.change(path, to: "\"name\"")],
            fixed: #"@IndexKeyRecord("name") struct Person { let name: String }"#)
    }

    @Test func unknownKey_suggestsTheNearestName() {
        expectDiagnostic(
            .unknownProperty("lastNam", in: "Person"),
            in: """
                @IndexKeyRecord("firstName", "lastNam")
                struct Person {
                    let lastName: String
                    let firstName: String
                }
                """,
            line: 1, column: 30, fixIts: [.change("lastNam", to: "lastName")],
            fixed: """
                @IndexKeyRecord("firstName", "lastName")
                struct Person {
                    let lastName: String
                    let firstName: String
                }
                """)
    }

    @Test func unknownKey_unlikeAnyName_suggestsNothing() {
        expectDiagnostic(
            .unknownProperty("colour", in: "Person"),
            in: #"@IndexKeyRecord("colour") struct Person { let name: String }"#, line: 1, column: 17)
    }

    @Test func duplicateKey_isRemoved() {
        expectDiagnostic(
            .duplicateKey("name"),
            in: #"@IndexKeyRecord("name", "age", "name") struct Person { let name: String; let age: Int }"#,
            line: 1, column: 32, fixIts: [.remove("\"name\"")],
            fixed: #"@IndexKeyRecord("name", "age") struct Person { let name: String; let age: Int }"#)
    }

    @Test func computedKey_isRefused() {
        expectDiagnostic(
            .computedKey("upper"),
            in: """
                @IndexKeyRecord("upper")
                struct Person {
                    let name: String
                    var upper: String { name.uppercased() }
                }
                """,
            line: 1, column: 17)
    }

    @Test func staticKey_isRefused() {
        expectDiagnostic(
            .staticKey("count"),
            in: #"@IndexKeyRecord("count") struct Person { let name: String; static let count = 1 }"#,
            line: 1, column: 17)
    }

    @Test(arguments: ["[Int]", "[String: Int]", "Set<Int>", "URL?", "Array<String>"])
    func unorderedKey_isRefused(type: String) {
        expectDiagnostic(
            .unorderedKey("tags", type: type),
            in: "@IndexKeyRecord(\"tags\") struct Person { let tags: \(type) }", line: 1, column: 17)
    }

    @Test(arguments: ["[UInt8]", "Array<UInt8>", "String?", "Tuple<Int, Data>", "Descending<Date>", "Decimal", "Kind"])
    func orderedKey_isFine(type: String) {
        expectDiagnostics([], in: "@IndexKeyRecord(\"tags\") struct Person { let tags: \(type) }")
    }

    @Test(arguments: ["keyPrefix", "fieldsVersion"], ["1 + 1", "UInt32.max", "prefix"])
    func version_isALiteral(label: String, expression: String) {
        expectDiagnostic(
            .versionNotLiteral(label),
            in: "@IndexKeyRecord(\(label): \(expression), \"name\") struct Person { let name: String }",
            line: 1, column: 19 + label.count)
    }

    @Test(arguments: ["keyPrefix", "fieldsVersion"], ["-1", "4_294_967_296", "99999999999999999999"])
    func version_has32Bits(label: String, expression: String) {
        expectDiagnostic(
            .versionOutOfRange(label),
            in: "@IndexKeyRecord(\(label): \(expression), \"name\") struct Person { let name: String }",
            line: 1, column: 19 + label.count)
    }

    @Test(arguments: ["nil", "0", "0xFFFF_FFFF", "4_294_967_295"])
    func version_inRange_isFine(expression: String) {
        expectDiagnostics(
            [], in: "@IndexKeyRecord(keyPrefix: \(expression), \"name\") struct Person { let name: String }")
    }

    @Test func validated_isALiteral() {
        expectDiagnostic(
            .validatedNotLiteral,
            in: #"@IndexKeyRecord(validated: hash, "name") struct Person { let name: String }"#, line: 1, column: 28)
    }
}
