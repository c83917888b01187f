// Diagnostics of `@EntityModel` and about `@Relationship`.

import Testing

@testable import TroveMacroExpansion

@Suite("Diagnostics about entities")
struct EntityDiagnosticsTests {
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

    // MARK: The entity

    @Test func noID_isReported() {
        expectDiagnostic(
            .noID("Film"), in: "@EntityModel struct Film { let title: String }", line: 1, column: 21)
        expectDiagnostic(
            .noID("Film"), in: "@EntityModel struct Film { static let id: Int = 3; let title: String }", line: 1,
            column: 21)
    }

    @Test func idWithoutAType_isReported() {
        expectDiagnostic(
            .missingType("id"), in: "@EntityModel struct Film { var id = \"x\" }", line: 1, column: 32,
            fixIts: [.insert(": String")], fixed: "@EntityModel struct Film { var id: String = \"x\" }")
    }

    @Test func constantID_becomesAVariable() {
        expectDiagnostic(
            .constantKey("id"), in: "@EntityModel struct Film { let id: Int = 3 }", line: 1, column: 32,
            fixIts: [.change("let", to: "var")], fixed: "@EntityModel struct Film { var id: Int = 3 }")
    }

    @Test func unorderedID_isReported() {
        expectDiagnostic(
            .unorderedKey("id", type: "[Int]"), in: "@EntityModel struct Film { let id: [Int] }", line: 1, column: 32)
    }

    @Test func otherKinds_areRefused() {
        expectDiagnostic(
            .onlyStructs(macro: "EntityModel", kind: "class"), in: "@EntityModel class Film { let id: Int }", line: 1,
            column: 14, fixIts: [.change("class", to: "struct")], fixed: "@EntityModel struct Film { let id: Int }")
    }

    @Test func genericEntity_isRefused() {
        expectDiagnostic(.genericRecord("Box"), in: "@EntityModel struct Box<T> { let id: Int }", line: 1, column: 24)
    }

    @Test func entityOfAnActor_isRefused() {
        expectDiagnostic(
            .actorIsolated("Film", "@MainActor"), in: "@EntityModel @MainActor struct Film { let id: Int }", line: 1,
            column: 14, fixIts: [.remove("@MainActor")], fixed: "@EntityModel struct Film { let id: Int }")
    }

    @Test(arguments: ["relations", "RelationKeys"]) func generatedNames_areReserved(name: String) {
        let message = MacroDiagnostic.reservedName(name, macro: "EntityModel")
        expectDiagnostic(message, in: entity("var \(name): Int"), line: 4, column: 9)
        expectDiagnostic(message, in: entity("@Relationship() var \(name): Film?"), line: 4, column: 25)
        expectDiagnostic(message, in: entity("struct \(name) {}"), line: 4, column: 12)
    }

    @Test func optionalConstant_isNotPatched() {
        expectDiagnostic(
            .unpatchedConstant("year"), in: entity("let year: Int?"), line: 4, column: 9,
            fixIts: [.change("let", to: "var")], fixed: entity("var year: Int?"))
        #expect(diagnosticCount(in: entity("let year: Int")) == 0)
        #expect(diagnosticCount(in: "@IndexKeyRecord(\"id\") struct Film { let id: Int; let year: Int? }") == 0)
    }

    // MARK: Relations

    @Test func bareRelationship_needsAValueOrParentheses() {
        expectDiagnostic(
            .relationshipBare("prequel"), in: entity("@Relationship var prequel: Film?"), line: 4, column: 23,
            fixIts: [.insert("= nil"), .insert("()")],
            fixed: entity("@Relationship var prequel: Film? = nil"))
        let fixIts = diagnostics(in: entity("@Relationship var prequel: Film?")).flatMap(\.fixIts)
        let replacements = fixIts.flatMap(\.changes).compactMap { change -> String? in
            if case .replace(_, let new) = change { "\(new)".trimmingSpaces } else { nil }
        }
        #expect(replacements == ["prequel: Film? = nil", "@Relationship()"])
        #expect(diagnosticCount(in: entity("@Relationship var prequel: Film? = nil")) == 0)
        #expect(diagnosticCount(in: entity("@Relationship() var prequel: Film?")) == 0)
        #expect(diagnosticCount(in: entity("@Relationship(.required) var prequel: Film?")) == 0)
    }

    @Test(
        arguments: [
            ("Film", "Film?"), ("[Film]", "[Film]?"), ("Film!", "Film?"), ("[Film]!", "[Film]?"),
            ("App.Film", "App.Film?"),
        ])
    func type_becomesOptional(type: String, optional: String) {
        expectDiagnostic(
            .relationshipNotOptional("prequel", String(optional.dropLast())),
            in: entity("@Relationship() var prequel: \(type)"), line: 4, column: 34,
            fixIts: [.change(type, to: optional)], fixed: entity("@Relationship() var prequel: \(optional)"))
    }

    @Test(
        arguments: [
            "Set<Film>?", "[String: Film]?", "[Film?]?", "[[Film]]?", "Film??", "(Film, Film)?", "() -> Film",
            "(any Film)?", "Box<Film>?", "Set<Film>", "[Int: Film]",
        ])
    func otherTypes_areRefused(type: String) {
        expectDiagnostic(
            .relationshipType("prequel"), in: entity("@Relationship() var prequel: \(type)"), line: 4, column: 34)
    }

    @Test(arguments: ["[Deleted<Film>]?", "Deleted<Film>?", "Trove.Deleted<Film>?"])
    func deletedEntities_areNoTargets(type: String) {
        expectDiagnostic(
            .relationshipToDeleted("prequels"), in: entity("@Relationship() var prequels: \(type)"), line: 4, column: 35
        )
    }

    /// Without the relation, the declaration is an entity: other types have no errors of their own.
    @Test func anErrorOfARelation_leavesTheEntity() {
        let expanded = expansion(of: entity("@Relationship() var prequel: Set<Film>?"))
        #expect(expanded.contains("extension Film: Trove.EntityModelProtocol"))
        #expect(!expanded.contains("property: \"prequel\""))
    }

    @Test func missingType_isReported() {
        expectDiagnostic(
            .missingType("prequel"), in: entity("@Relationship() var prequel = nil"), line: 4, column: 25)
    }

    @Test func constant_becomesAVariable() {
        expectDiagnostic(
            .relationshipConstant("prequel"), in: entity("@Relationship() let prequel: Film?"), line: 4, column: 21,
            fixIts: [.change("let", to: "var")], fixed: entity("@Relationship() var prequel: Film?"))
    }

    @Test func privateMutualRelation_becomesFileprivate() {
        expectDiagnostic(
            .relationshipPrivate("sequel"), in: entity("@Relationship(inverse: \\.prequel) private var sequel: Film?"),
            line: 4, column: 39, fixIts: [.change("private", to: "fileprivate")],
            fixed: entity("@Relationship(inverse: \\.prequel) fileprivate var sequel: Film?"))
        #expect(diagnosticCount(in: entity("@Relationship() private var prequel: Film?")) == 0)
        #expect(
            diagnosticCount(in: entity("@Relationship(inverse: \\.prequel) private(set) var sequel: Film?")) == 0)
    }

    @Test(arguments: ["Film.path", "\\.prequel.sequel", "\\.self", "\\Film.[0]", "inverse"])
    func inverse_isALiteralOfAProperty(inverse: String) {
        expectDiagnostic(
            .inverseNotLiteral("sequel"), in: entity("@Relationship(inverse: \(inverse)) var sequel: Film?"), line: 4,
            column: 28)
    }

    @Test func inverse_isAPropertyWithoutADollarSign() {
        expectDiagnostic(
            .inverseOfRelation("sequel", "$prequel"),
            in: entity("@Relationship(inverse: \\.$prequel) var sequel: Film?"), line: 4, column: 30,
            fixIts: [.change("$prequel", to: "prequel")],
            fixed: entity("@Relationship(inverse: \\.prequel) var sequel: Film?"))
    }

    @Test func requiredList_isRefused() {
        expectDiagnostic(
            .requiredList("films"), in: entity("@Relationship(.required) var films: [Film]?"), line: 4, column: 19)
    }

    @Test func sameStoredName_isReported() {
        expectDiagnostic(
            .sameStoredName("b", "a", "b"),
            in: """
                @EntityModel struct Film {
                    enum CodingKeys: String, CodingKey { case id, a = "b" }
                    let id: Int
                    @Relationship() var a: Film?
                    @Relationship() var b: Film?
                }
                """, line: 5, column: 25)
    }

    @Test func relationshipInsideACondition_isReported() {
        #expect(
            diagnostics(in: entity("#if DEBUG\n@Relationship() var a: Film?\n#endif")).map(\.message)
                == [MacroDiagnostic.conditionalMember("stored properties").message])
    }

    // MARK: Other macros

    @Test func relationshipOfARecord_makesItAnEntity() {
        func record(_ attribute: String) -> String {
            "\(attribute) struct Film { let id: Int; @Relationship() var prequel: Film? }"
        }
        for (old, new) in [
            ("@IndexKeyRecord(\"id\")", "@EntityModel"),
            ("@IndexKeyRecord(keyPrefix: 3, \"id\")", "@EntityModel(keyPrefix: 3)"),
        ] {
            expectDiagnostic(
                .relationshipOutside, in: record(old), line: 1, column: old.count + 29, fixIts: [.change(old, to: new)],
                fixed: record(new))
        }
    }

    @Test func relationshipOfAnotherRecord_isReported() {
        expectDiagnostic(
            .relationshipOutside,
            in: "@IndexKeyRecord(\"name\") struct Film { let name: Int; @Relationship() var prequel: Film? }", line: 1,
            column: 54)
        expectDiagnostic(
            .relationshipOutside, in: "@RecordValue struct Film { let name: Int; @Relationship() var prequel: Film? }",
            line: 1, column: 43)
    }

    @Test func relation_isNotIndexed() {
        expectDiagnostic(
            .relationIndexed("prequel"),
            in: """
                @EntityModel struct Film {
                    #Index<Film>(\\.prequel)
                    let id: Int
                    @Relationship() var prequel: Film?
                }
                """, line: 2, column: 20)
    }

    @Test func otherDeclarations_belongToEntitiesToo() {
        #expect(diagnosticCount(in: entity("@Renamed(\"b\") @Relationship() var a: Film?")) == 0)
        #expect(diagnosticCount(in: entity("@Renamed(\"b\") var a: Int")) == 0)
        #expect(diagnosticCount(in: entity("#Index<Film>(\\.a)\n    var a: Int")) == 0)
    }

    @Test func oldNamesOfRelations_areChecked() {
        expectDiagnostic(
            .oldNameIsPresent("a", of: "a"), in: entity("@Renamed(\"a\") @Relationship() var a: Film?"), line: 4,
            column: 14, fixIts: [.remove("@Renamed(\"a\")")], fixed: entity("@Relationship() var a: Film?"))
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
