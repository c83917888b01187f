// The stored names of properties from coding keys, and their old names.

import Testing

@testable import TroveMacroExpansion

@Suite("Stored names")
struct StoredNameTests {
    @Test func codingKeys_nameFieldsAndKeyComponents() {
        let source = """
            @IndexKeyRecord("number", "class")
            struct Person {
                let number: Int
                var fullName: String
                var age: Int
                let `class`: String
                private enum CodingKeys: String, CodingKey {
                    case fullName = "name", number = "a \\"b\\""
                    case `class`, age
                }
            }
            """
        expectProperties(
            of: source,
            ##"""
            key: [
                Trove.KeyProperty(#"a "b""#, \Self.number),
                Trove.KeyProperty("class", \Self.`class`)
            ],
            fields: [
                Trove.FieldProperty("name", \Self.fullName, Trove.fieldCoding(of: String.self)),
                Trove.FieldProperty("age", \Self.age, Trove.fieldCoding(of: Int.self))
            ])
            """##)
        let text = expansion(of: source)
        #expect(text.contains("static func query(number: Int, class: String)"), "queries use property names")
        #expect(text.contains("self.fullName = value2"))
    }

    @Test func aPropertyWithoutACodingKey_keepsItsName() {
        expectProperties(
            of: """
                @IndexKeyRecord("id")
                struct Person {
                    let id: Int
                    var cache: Int
                    var name: String
                    enum CodingKeys: String, CodingKey { case id, name = "title" }
                }
                """,
            """
            key: [
                Trove.KeyProperty("id", \\Self.id)
            ],
            fields: [
                Trove.FieldProperty("cache", \\Self.cache, Trove.fieldCoding(of: Int.self)),
                Trove.FieldProperty("title", \\Self.name, Trove.fieldCoding(of: String.self))
            ])
            """)
    }

    @Test func codingKeys_mayExchangeNames() {
        expectDiagnostics(
            [],
            in: """
                @IndexKeyRecord("a")
                struct Pair {
                    let a: Int
                    let b: Int
                    enum CodingKeys: String, CodingKey { case a = "b", b = "a" }
                }
                """)
    }

    @Test(
        arguments: [
            "enum CodingKeys: Character, CodingKey { case id = \"x\" }",
            "enum CodingKeys: String { case id = \"x\" }",
            "enum OtherKeys: String, CodingKey { case id = \"x\" }",
            "enum CodingKeys: CodingKey { case id }",
            "struct CodingKeys: CodingKey { var stringValue = \"x\" }",
        ])
    func whatIsNoStringCodingKey_namesNothing(type: String) {
        expectProperties(
            of: "@IndexKeyRecord(\"id\") struct Person { let id: Int; \(type) }",
            "key: [ Trove.KeyProperty(\"id\", \\Self.id) ], fields: [])")
    }

    @Test func values_areNamedAlike() {
        let text = expansion(
            of: """
                @RecordValue
                struct Address {
                    var street: String
                    var city: String
                    enum CodingKeys: String, CodingKey { case street = "road" }
                }
                """)
        #expect(text.contains(#"layout.field("road", Trove.fieldCoding(of: String.self))"#))
        #expect(text.contains(#"layout.field("city", Trove.fieldCoding(of: String.self))"#))
        #expect(text.contains("encode(self.street, into: &writer)"))
    }

    @Test func oldNames_areInTheSchema() {
        let source = """
            @IndexKeyRecord("id")
            struct Person {
                @Renamed("number") let id: Int
                @Trove.Renamed("full \\"name\\"")
                var name: String = "none"
                @Renamed("number of years", "years") @Clamped private var age: Int
                enum CodingKeys: String, CodingKey { case name = "title" }
            }
            """
        expectProperties(
            of: source,
            ##"""
            key: [
                Trove.KeyProperty("id", \Self.id, renamedFrom: ["number"])
            ],
            fields: [
                Trove.FieldProperty(
                    "title", \Self.name, Trove.fieldCoding(of: String.self), renamedFrom: [#"full "name""#], default: {
                    "none"
                }),
                Trove.FieldProperty("age", \Self.age, Trove.fieldCoding(of: Int.self), renamedFrom: ["number of years", "years"])
            ])
            """##)
        expectDiagnostics([], in: source)
        #expect(!expansion(of: source).contains("@Renamed"))
    }
}

/// Checks the properties in the schema of a record, regardless of line breaks.
func expectProperties(
    of source: String, _ expected: String, from start: String = "key: [", to end: String = "typealias IndexKey",
    sourceLocation: SourceLocation = #_sourceLocation
) {
    func words(_ text: some StringProtocol) -> String {
        text.split { $0.isWhitespace }.joined(separator: " ").replacing("( ", with: "(")
    }
    let text = expansion(of: source)
    guard let start = text.firstRange(of: start)?.lowerBound,
        let end = text[start...].firstRange(of: end)?.lowerBound
    else {
        Issue.record("no properties in \(text)", sourceLocation: sourceLocation)
        return
    }
    #expect(words(text[start..<end]) == words(expected), sourceLocation: sourceLocation)
}
