// Misuses that everyone makes first: each has a single error, at its place, that says what to do.

import Testing

@Suite("Misuses of the macros", .enabled(if: Compiler.isThere, "there is no swiftc on the path"))
struct MisuseTests {
    static let unstorable = "make its type a @RecordValue, or Codable and Sendable"

    static let unordered = "cannot be a key component: declare its type a KeyComponent"

    static let misuses = [
        Refusal("a field is storable", "var x: Note", not: "var x: Plain", unstorable),
        Refusal("an optional field is storable", "var x: Note?", not: "var x: Plain?", unstorable),
        Refusal(
            "an indexed field is storable",
            "@IndexKeyRecord(\"a\") struct Inner { #Index<Inner>(\\.x); let a: Int; var x: Level }",
            not: "@IndexKeyRecord(\"a\") struct Inner { #Index<Inner>(\\.x); let a: Int; var x: Plain }", unstorable),
        Refusal(
            "a renamed field is storable", "@Renamed(\"y\") var x: Note", not: "@Renamed(\"y\") var x: Plain",
            unstorable),
        Refusal("elements are storable", "var x: [Note] = []", not: "var x: [Plain] = []", unstorable),
        Refusal(
            "a property of a value is storable", "@RecordValue struct Inner { var x: Note }",
            not: "@RecordValue struct Inner { var x: Plain }", unstorable),
        Refusal(
            "an associated value is storable", "@RecordValue enum Inner { case none, some(Note, x: Int) }",
            not: "@RecordValue enum Inner { case none, some(Plain, x: Int) }", unstorable),
        Refusal(
            "a key has an order", "@IndexKeyRecord(\"x\") struct Inner { let x: Level; var n: Int }",
            not: "@IndexKeyRecord(\"x\") struct Inner { let x: Kind; var n: Int }", unordered),
        Refusal(
            "a component has an order", "@IndexKeyRecord(\"a\", \"x\") struct Inner { let a: Int; let x: Level? }",
            not: "@IndexKeyRecord(\"a\", \"x\") struct Inner { let a: Int; let x: Kind? }", unordered),
        Refusal(
            "an id has an order", "@IndexKeyRecord(\"id\") struct Inner: Hashable { let id: Level }",
            not: "@IndexKeyRecord(\"id\") struct Inner: Hashable { let id: Kind }", unordered),
        Refusal(
            "a descending component has an order",
            "@IndexKeyRecord(\"x\") struct Inner { let x: Descending<Level> }",
            not: "@IndexKeyRecord(\"x\") struct Inner { let x: Descending<Kind> }", unordered),
        Refusal(
            "a key has an order, also in an index and in queries",
            """
            @IndexKeyRecord("x", "a") struct Inner { #Index<Inner>(\\.n, \\.x); let x: Level; let a: Int; var n: Int }
            func f(_ store: Store) throws { _ = try Inner.select(in: store, x: .lessThan(.low)).map(\\.indexKey) }
            """,
            not: """
                @IndexKeyRecord("x", "a") struct Inner { #Index<Inner>(\\.n, \\.x); let x: Kind; let a: Int; var n: Int }
                func f(_ store: Store) throws { _ = try Inner.select(in: store, x: .lessThan(.a)).map(\\.indexKey) }
                """, unordered),
        Refusal(
            "each needs elements",
            "@IndexKeyRecord(\"a\") struct Inner { #Index<Inner>(\\.x.each); let a: Int; var x: [Level] }",
            not: "@IndexKeyRecord(\"a\") struct Inner { #Index<Inner>(\\.x.each); let a: Int; var x: Level }",
            "needs an array or a set of values"),
        Refusal(
            "the properties of an index have no brackets",
            "@IndexKeyRecord(\"a\") struct Inner { #Index<Inner>(\\.x); let a: Int; var x: Int }",
            not: "@IndexKeyRecord(\"a\") struct Inner { #Index<Inner>([\\.x]); let a: Int; var x: Int }",
            "cannot pass array"),
        Refusal(
            "the properties of a unique constraint have no brackets",
            "@IndexKeyRecord(\"a\") struct Inner { #Unique<Inner>(\\.x, collisions: .throw); let a: Int; var x: Int }",
            not: """
                @IndexKeyRecord("a") struct Inner { #Unique<Inner>([\\.x], collisions: .throw); let a: Int; var x: Int }
                """, "cannot pass array"),
        Refusal(
            "a key has a name", "@IndexKeyRecord(\"a\") struct Inner { let a: Int }",
            not: "@IndexKeyRecord(\\.a) struct Inner { let a: Int }", "not by a key path: write \"a\""),
        Refusal(
            "a record is not local", "func f() { struct Inner { let a: Int } }",
            not: "func f() { @IndexKeyRecord(\"a\") struct Inner { let a: Int } }",
            "local type cannot have attached extension macro"),
        Refusal(
            "a value is not local", "func f() { struct Inner { let a: Int } }",
            not: "func f() { @RecordValue struct Inner { let a: Int } }",
            "local type cannot have attached extension macro"),
        Refusal(
            "a range comes last", "func f() { _ = Seat.query(row: 1, number: .lessThan(3)) }",
            not: "func f() { _ = Seat.query(row: .lessThan(1), number: 3) }", "a comparison must come last"),
        Refusal(
            "a prefix comes last", "func f() { _ = Seat.query(row: 1, number: 1, name: .hasPrefix(\"a\")) }",
            not: "func f() { _ = Page.query(name: .hasPrefix(\"a\"), number: 3) }", "a comparison must come last"),
    ]

    /// A type in a module of the main actor, as the field `x` of a record.
    static let ofMainActor = [
        Refusal(
            "types stored as JSON are nonisolated", "nonisolated struct Inner: Codable { var text: String }",
            not: "struct Inner: Codable { var text: String }", "must also be nonisolated"),
        Refusal(
            "raw values are nonisolated", "nonisolated struct Inner: RawRepresentable { var rawValue: Int }",
            not: "struct Inner: RawRepresentable { var rawValue: Int }", "must also be nonisolated"),
    ]

    /// Returns a program with a record type for each of these members.
    private func program(_ members: [String]) -> String {
        let records = members.enumerated().map { number, member in
            """
            @IndexKeyRecord("id")
            struct Record\(number) {
                let id: Int
                let name: String
                \(member)
            }
            """
        }
        let declarations = """
            import Trove

            struct Plain { var text: String }
            struct Note: Codable { var text: String }
            enum Kind: String { case a }
            enum Level: Int, KeyComponent { case low }
            @IndexKeyRecord("row", "number", "name") struct Seat { let row: Int, number: Int, name: String }
            @IndexKeyRecord("name", "number") struct Page { let name: String, number: Int }
            """
        return ([declarations] + records).joined(separator: "\n\n")
    }

    @Test func whatIsAllowed_compiles() throws {
        #expect(try Compiler.errors(in: program(Self.misuses.map(\.allowed))) == [])
    }

    @Test(arguments: misuses) func aMisuse_isASingleError(_ misuse: Refusal) throws {
        let errors = try Compiler.errors(in: program([misuse.refused]))
        #expect(errors.count == 1 && errors[0].contains(misuse.error), "\(errors)")
    }

    /// The product of the stemmers is an import of its own.
    @Test func aLanguage_withoutItsImport_isAnErrorThatNamesIt() throws {
        func errors(_ analyzer: String) throws -> [String] {
            let index = "#FullTextIndex<Inner>(\\.x, analyzer: \(analyzer))"
            let inner = "@IndexKeyRecord(\"a\") struct Inner { \(index); let a: Int; var x: String }"
            return try Compiler.errors(in: program([inner]))
        }
        #expect(try errors(".standard.without(.english)") == [])
        let found = try errors(".english.without(.english)")
        #expect(!found.isEmpty && found.allSatisfy { $0.contains("import TroveStemming") }, "\(found)")
    }

    @Test(arguments: ofMainActor) func onTheMainActor_theErrorSaysNonisolated(_ misuse: Refusal) throws {
        func errors(_ type: String) throws -> [String] {
            let record = "@IndexKeyRecord(\"id\")\nstruct Record { let id: Int; var x: Inner }"
            let code = "import Trove\n\n\(type)\n\n\(record)"
            return try Compiler.errors(in: code, flags: ["-default-isolation", "MainActor"])
        }
        #expect(try errors(misuse.allowed) == [])
        let found = try errors(misuse.refused)
        #expect(found.count == 1 && found[0].contains(misuse.error), "\(found)")
    }

    /// The compiler's own words: an initial value is computed on any thread.
    @Test func onTheMainActor_initialValuesAreNonisolated() throws {
        func errors(_ function: String) throws -> [String] {
            let record = "@IndexKeyRecord(\"id\")\nstruct Record { let id: Int; var count: Int = initial() }"
            let code = "import Trove\n\n\(function) { 1 }\n\n\(record)"
            return try Compiler.errors(in: code, flags: ["-default-isolation", "MainActor"])
        }
        #expect(try errors("nonisolated func initial() -> Int") == [])
        let found = try errors("func initial() -> Int")
        #expect(found.count == 2 && found.allSatisfy { $0.contains("main actor-isolated") }, "\(found)")
    }

    @Test(arguments: [
        "\n\nvar x: [\n    Plain\n]",
        "\n@IndexKeyRecord(\"a\", \"x\")\nstruct Inner {\n    let a: Int\n    var x: Kind\n}",
    ])
    func theError_isAtTheProperty(_ member: String) throws {
        let code = program([member])
        let line = code.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("var x") }
        #expect(try Compiler.lines(ofErrorsIn: code) == [line.map { $0 + 1 }])
    }
}
