// Misuses of relations that the compiler or the macro must refuse.

import Testing

@Suite("Relations that do not compile", .enabled(if: Compiler.isThere, "there is no swiftc on the path"))
struct EntityRefusalTests {
    /// Values that a relation does not have.
    static let values = [
        Refusal(
            "a required relation has no null", "message.$author = .none", not: "message.$author = .null",
            "a required relation cannot be set to null"),
        Refusal(
            "a required relation has no null as an argument", "_ = Message(id: \"1\", author: .id(\"1\"))",
            not: "_ = Message(id: \"1\", author: .null)", "a required relation cannot be set to null"),
        Refusal(
            "a list has no null", "chat.$users = .ids([])", not: "chat.$users = .null",
            "a to-many relation cannot be set to null; write '.ids([])' for an empty list"),
        Refusal(
            "a list has no null as an argument", "_ = Chat(id: \"1\", users: .ids([]))",
            not: "_ = Chat(id: \"1\", users: .null)", "a to-many relation cannot be set to null"),
        Refusal(
            "only an optional relation has null", "message.$replyTo = .null", not: "message.$chat = .null",
            "a required relation cannot be set to null"),
        Refusal(
            "a property is read-only", "chat.$users = .relation([user])", not: "chat.users = [user]",
            "a relation is set through its name with '$'"),
        Refusal(
            "a to-one relation has no ids", "message.$author = .id(\"1\")", not: "message.$author = .ids([\"1\"])",
            "requires the types 'Relations.ToOne<User>' and 'Relations.ToMany<User>' be equivalent"),
        Refusal(
            "a list has no id", "chat.$users = .ids([\"1\"])", not: "chat.$users = .id(\"1\")",
            "requires the types 'Relations.ToMany<User>' and 'Relations.ToOne<User>' be equivalent"),
        Refusal(
            "a list is not an entity", "chat.$users = .relation([user])", not: "chat.$users = .relation(user)",
            "cannot convert value of type 'User' to expected argument type '[User]'"),
        Refusal(
            "an entity is not a list", "message.$author = .relation(user)", not: "message.$author = .relation([user])",
            "cannot convert value of type '[User]' to expected argument type 'User'"),
        Refusal(
            "an entity has the type of the relation", "message.$author = .fragment(user)",
            not: "message.$author = .fragment(chat)", "cannot convert value of type 'Chat'"),
        Refusal(
            "a to-one relation is not appended to", "chat.$users = .appending(ids: [\"1\"])",
            not: "message.$author = .appending(ids: [\"1\"])", "be equivalent"),
        Refusal(
            "relations of different kinds are not assigned", "message.$replyTo = message.$replyTo",
            not: "message.$replyTo = message.$author", "cannot assign value of type"),
    ]

    /// Declarations that do not agree with each other.
    static let declarations = [
        Refusal(
            "a mutual relation is declared on both sides",
            """
            @EntityModel struct A { let id: Int; @Relationship(inverse: \\.a) var b: B? }
            @EntityModel struct B { let id: Int; @Relationship(inverse: \\.b) var a: A? }
            """,
            not: """
                @EntityModel struct A { let id: Int; @Relationship(inverse: \\.a) var b: B? }
                @EntityModel struct B { let id: Int; @Relationship() var a: A? }
                """, "the inverse is declared one-way: give it an inverse too"),
        Refusal(
            "two relations do not have the same inverse",
            """
            @EntityModel struct A {
                let id: Int
                @Relationship(inverse: \\.first) var b: B?
                @Relationship(inverse: \\.second) var c: B?
            }
            @EntityModel struct B {
                let id: Int
                @Relationship(inverse: \\.b) var first: A?
                @Relationship(inverse: \\.c) var second: A?
            }
            """,
            not: """
                @EntityModel struct A {
                    let id: Int
                    @Relationship(inverse: \\.first) var b: B?
                    @Relationship(inverse: \\.first) var c: B?
                }
                @EntityModel struct B {
                    let id: Int
                    @Relationship(inverse: \\.b) var first: A?
                }
                """,
            "both relations must name each other"),
        Refusal(
            "the inverse leads back to the type",
            """
            @EntityModel struct A { let id: Int; @Relationship(inverse: \\.a) var b: B? }
            @EntityModel struct B {
                let id: Int
                @Relationship(inverse: \\.b) var a: A?
                @Relationship(inverse: \\.b) var c: C?
            }
            @EntityModel struct C { let id: Int; @Relationship(inverse: \\.c) var b: B? }
            """,
            not: """
                @EntityModel struct A { let id: Int; @Relationship(inverse: \\.c) var b: B? }
                @EntityModel struct B {
                    let id: Int
                    @Relationship(inverse: \\.b) var c: C?
                }
                @EntityModel struct C { let id: Int; @Relationship(inverse: \\.c) var b: B? }
                """, "both relations must name each other"),
        Refusal(
            "a target is an entity",
            "@EntityModel struct A { let id: Int; @Relationship() var b: A? }",
            not: "struct B {}; @EntityModel struct A { let id: Int; @Relationship() var b: B? }",
            "a relation leads to entities"),
        Refusal(
            "a target is an entity, and no other record",
            "@EntityModel struct A { let id: Int; @Relationship() var b: [A]? }",
            not: """
                @IndexKeyRecord("id") struct B { let id: Int }
                @EntityModel struct A { let id: Int; @Relationship() var b: [B]? }
                """, "a relation leads to entities"),
        Refusal(
            "a required target is an entity",
            "@EntityModel struct A { let id: Int; @Relationship(.required) var b: A? }",
            not: "struct B {}; @EntityModel struct A { let id: Int; @Relationship(.required) var b: B? }",
            "a relation leads to entities"),
        Refusal(
            "an inverse exists", "@EntityModel struct A { let id: Int; @Relationship(inverse: \\.b) var b: A? }",
            not: "@EntityModel struct A { let id: Int; @Relationship(inverse: \\.c) var b: A? }",
            "the inverse is not a relation of the target"),
        Refusal(
            "an inverse exists in a type without relations",
            "@EntityModel struct A { let id: Int; @Relationship(.required, inverse: \\.b) var b: A? }",
            not: """
                @EntityModel struct A { let id: Int; @Relationship(.required, inverse: \\.a) var b: B? }
                @EntityModel struct B { let id: Int }
                """, "the inverse is not a relation of the target"),
        Refusal(
            "the inverse of a list exists",
            "@EntityModel struct A { let id: Int; @Relationship(deleteRule: .cascade, inverse: \\.b) var b: [A]? }",
            not:
                "@EntityModel struct A { let id: Int; @Relationship(deleteRule: .cascade, inverse: \\.c) var b: [A]? }",
            "the inverse is not a relation of the target"),
        Refusal(
            "an inverse is a relation", "@EntityModel struct A { let id: Int; @Relationship(inverse: \\.b) var b: A? }",
            not: """
                @EntityModel struct A { let id: Int; var name: String?; @Relationship(inverse: \\.name) var b: A? }
                """, "the inverse is not a relation of the target"),
        Refusal(
            "an inverse is an optional",
            "@EntityModel struct A { let id: Int; @Relationship(inverse: \\.b) var b: A? }",
            not: """
                @EntityModel struct A { let id: Int; var name: String; @Relationship(inverse: \\.name) var b: A? }
                """, "the inverse is not a relation of the target"),
        Refusal(
            "an entity is not stored in another",
            "@EntityModel struct A { let id: Int }; @EntityModel struct B { let id: Int; @Relationship() var a: A? }",
            not: "@EntityModel struct A { let id: Int }; @EntityModel struct B { let id: Int; var a: A? }",
            "is an entity, which is not stored inside another record"),
        Refusal(
            "an entity with JSON is not stored in another",
            "@EntityModel struct A: Codable { let id: Int }; @EntityModel struct B { let id: Int; var a: Int }",
            not: "@EntityModel struct A: Codable { let id: Int }; @EntityModel struct B { let id: Int; var a: A }",
            "is an entity, which is not stored inside another record"),
        Refusal(
            "entities are not stored in another",
            "@EntityModel struct A: Codable { let id: Int }; @EntityModel struct B { let id: Int; var a: [Int] }",
            not: "@EntityModel struct A: Codable { let id: Int }; @EntityModel struct B { let id: Int; var a: [A] }",
            "is an entity, which is not stored inside another record"),
        Refusal(
            "optional entities by name are not stored in another",
            "@EntityModel struct A: Codable { let id: Int }; @EntityModel struct B { let id: Int; var a: [Int: [Int]]? }",
            not:
                "@EntityModel struct A: Codable { let id: Int }; @EntityModel struct B { let id: Int; var a: [Int: [A]]? }",
            "is an entity, which is not stored inside another record"),
        Refusal(
            "an entity is not stored in a value",
            "@EntityModel struct A: Codable { let id: Int }; @RecordValue struct B { var a: Int }",
            not: "@EntityModel struct A: Codable { let id: Int }; @RecordValue struct B { var a: A }",
            "is an entity, which is not stored inside another record"),
        Refusal(
            "an entity is not indexed in another",
            """
            @EntityModel struct A: Codable { let id: Int }
            @EntityModel struct B { #Index<B>(\\.a); let id: Int; var a: Int }
            """,
            not: """
                @EntityModel struct A: Codable { let id: Int }
                @EntityModel struct B { #Index<B>(\\.a); let id: Int; var a: A }
                """, "is an entity, which is not stored inside another record"),
        Refusal(
            "a hook has a context of a transaction",
            "@EntityModel struct A { let id: Int; func willDelete(from context: TransactionContext) throws {} }",
            not: "@EntityModel struct A { let id: Int; func willDelete(from context: inout ReadContext) throws {} }",
            "this 'willDelete' is never called"),
        Refusal(
            "a relation belongs to an entity", "@EntityModel struct A { let id: Int; @Relationship() var b: A? }",
            not: """
                @EntityModel struct A { let id: Int }
                @IndexKeyRecord("id") struct B { let id: Int; @Relationship() var a: A? }
                """, "'@Relationship' belongs to a property of a struct with '@EntityModel'"),
        Refusal(
            "an entity does not belong to an actor", "@EntityModel nonisolated struct A { let id: Int }",
            not: "@EntityModel @MainActor struct A { let id: Int }", "'A' cannot be '@MainActor'"),
    ]

    private static let types = """
        import Trove

        @EntityModel struct User { let id: String }
        @EntityModel struct Chat {
            let id: String
            @Relationship() var users: [User]?
            @Relationship(inverse: \\.chat) var messages: [Message]?
        }
        @EntityModel struct Message {
            let id: String
            @Relationship(.required) var author: User?
            @Relationship(.required, inverse: \\.messages) var chat: Chat?
            @Relationship() var replyTo: User?
        }
        """

    private func program(values bodies: [String]) -> String {
        let functions = bodies.enumerated().map { number, body in
            "func function\(number)(_ chat: inout Chat, _ message: inout Message, _ user: User) { \(body) }"
        }
        return ([Self.types] + functions).joined(separator: "\n\n")
    }

    private func program(declarations: [String]) -> String {
        let spaces = declarations.enumerated().map { number, declaration in "enum Space\(number) {\n\(declaration)\n}" }
        return (["import Trove"] + spaces).joined(separator: "\n\n")
    }

    @Test func whatIsAllowed_compiles() throws {
        #expect(try Compiler.errors(in: program(values: Self.values.map(\.allowed))) == [])
        #expect(try Compiler.errors(in: program(declarations: Self.declarations.map(\.allowed))) == [])
    }

    @Test(arguments: values) func valuesThatDoNotExist_areRefused(_ refusal: Refusal) throws {
        let errors = try Compiler.errors(in: program(values: [refusal.refused]))
        #expect(errors.contains { $0.contains(refusal.error) }, "\(errors)")
    }

    @Test(arguments: declarations) func declarationsThatDisagree_haveASingleError(_ refusal: Refusal) throws {
        let errors = try Compiler.errors(in: program(declarations: [refusal.refused]))
        #expect(errors.count == 1 && errors[0].contains(refusal.error), "\(errors)")
    }

    /// The compiler has further errors: of the inverse, which a type without relations cannot have, and of the wrapper.
    @Test(arguments: [
        (
            "struct B { var a: Int? }; @EntityModel struct A { let id: Int; @Relationship(inverse: \\.a) var b: B? }",
            "a relation leads to entities"
        ),
        (
            "@EntityModel struct A { let id: Int; @Relationship(.required) var b: [A]? }",
            "'b' is a list, which cannot be required"
        ),
    ])
    func otherDeclarations_haveTheErrorAmongOthers(_ declaration: String, _ error: String) throws {
        let errors = try Compiler.errors(in: program(declarations: [declaration]))
        #expect(errors.contains { $0.contains(error) }, "\(errors)")
    }

    /// The compiler itself has errors about the types that it cannot infer. The macro's error says what to write.
    @Test func aBareRelation_isRefusedWithTheWayOut() throws {
        let bare = "@EntityModel struct A { let id: Int; @Relationship var b: A? }"
        let errors = try Compiler.errors(in: program(declarations: [bare]))
        #expect(errors.contains { $0.contains("'b' needs '= nil', or parentheses after '@Relationship'") }, "\(errors)")
        #expect(errors.allSatisfy { $0.contains("'b' needs") || $0.contains("could not be inferred") }, "\(errors)")
        #expect(try Compiler.errors(in: program(declarations: [bare.replacing("A? }", with: "A? = nil }")])) == [])
    }

    /// An error of the compiler about a relation is reported in the source, not in the code of the macro.
    @Test(arguments: [
        "@Relationship(inverse: \\.c) var b: A?", "@Relationship() var b: Int?", "var b: [A]",
    ])
    func theError_isAtTheProperty(_ member: String) throws {
        let code = "import Trove\n\n@EntityModel\nstruct A {\n    let id: Int\n\n    \(member)\n}\n"
        #expect(try Compiler.lines(ofErrorsIn: code) == [7])
    }

    /// The conformance needs the key, so that the compiler also says that the type is not an entity.
    @Test(arguments: ["", "struct ID: Hashable { var x: Int }"])
    func anIDWithoutAnOrder_hasTheErrorOfAKey(_ member: String) throws {
        let type = member.isEmpty ? "Plain" : "ID"
        let code = "struct Plain: Hashable {}\n@EntityModel struct A {\n\(member)\nlet id: \(type); var text: String }"
        let errors = try Compiler.errors(in: program(declarations: [code]))
        #expect(errors.contains { $0.contains("cannot be a key component: declare its type a KeyComponent") })
        let others = errors.filter { !$0.contains("cannot be a key component") }
        #expect(others.allSatisfy { $0.contains("EntityModelProtocol") || $0.contains("equivalent") }, "\(errors)")
    }

    /// A keyword needs no backticks in a key path.
    @Test func inversesNamedLikeKeywords_compile() throws {
        let code = """
            @EntityModel struct A {
                let id: Int
                @Relationship(inverse: \\.in) var `default`: [A]?
                @Relationship(inverse: \\.default) var `in`: A?
                @Relationship(inverse: \\.`class`) var `func`: A?
                @Relationship(inverse: \\.func) var `class`: A?
            }
            """
        #expect(try Compiler.errors(in: program(declarations: [code])) == [])
    }

    /// The settings of a new app: its declarations belong to the main actor.
    @Test func entitiesOfAModuleOfTheMainActor_compile() throws {
        let flags = ["-default-isolation", "MainActor", "-enable-upcoming-feature", "InferIsolatedConformances"]
        #expect(try Compiler.errors(in: program(values: []), flags: flags) == [])
    }
}
