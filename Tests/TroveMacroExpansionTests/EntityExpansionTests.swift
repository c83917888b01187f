// The expansion of entities: what it adds to the expansion of a record.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of entities")
struct EntityExpansionTests {
    @Test func members_areTheKeysAndTheListOfRelations() {
        let expanded = expansion(
            of: #"""
                @EntityModel
                struct Message {
                    let id: String
                    @Relationship(.required) var author: User?
                    @Relationship(deleteRule: .cascade, inverse: \.message) var file: Attachment?
                }
                """#)
        expectContains(
            expanded,
            #"""
                nonisolated enum RelationKeys: Trove.RelationNames {
                    enum author: Trove.RelationKey {
                        typealias OwnerEntity = Message
                        typealias TargetEntity = User
                        typealias InverseKey = Trove.NoInverse
                    }
                    enum file: Trove.RelationKey {
                        typealias OwnerEntity = Message
                        typealias TargetEntity = Attachment
                        #sourceLocation(file: "test.swift", line: 5)
                        nonisolated static let inverse = Attachment.RelationKeys.message.self
                        #sourceLocation()
                    }
                }

                nonisolated static let relations: [Trove.EntityRelation<Self>] = {
                    #sourceLocation(file: "test.swift", line: 4)
                    let relation0: Trove.EntityRelation<Self> = .oneWay(RelationKeys.author.self, property: "author", at: \.$author, value: \.author, get: { $0.$author }, set: { $0.$author = $1 })
                    #sourceLocation()
                    #sourceLocation(file: "test.swift", line: 5)
                    let relation1: Trove.EntityRelation<Self> = .mutual(RelationKeys.file.self, property: "file", inverse: "message", at: \.$file, value: \.file, get: { $0.$file }, set: { $0.$file = $1 }, deleteRule: .cascade)
                    #sourceLocation()
                    return [relation0, relation1]
                }()
            }
            """#)
        expectContains(
            expanded,
            "nonisolated extension Message: Trove.EntityModelProtocol, Trove.IndexKeyRecord, Identifiable {")
    }

    @Test func record_isThatOfTheIDWithoutTheRelations() {
        let fields = "var text: String\n    var note: String? = nil"
        let entity = expansion(
            of: """
                @EntityModel
                struct Message {
                    #Index<Message>(\\.text)
                    let id: String
                    \(fields)
                    @Relationship() var author: User?
                }
                """)
        let record = expansion(
            of: """
                @IndexKeyRecord("id")
                struct Message {
                    #Index<Message>(\\.text)
                    let id: String
                    \(fields)
                }
                """)
        expectContains(entity, indexes(in: record))
        let heads = ["Trove.IndexKeyRecord, Identifiable {", "    static func query(id: String)"]
        let (start, end) = (record.firstRange(of: heads[0]), record.firstRange(of: heads[1]))
        if let start, let end { expectContains(entity, String(record[start.upperBound..<end.lowerBound]).trimmedEnd) }
        #expect(start != nil && end != nil)
        expectContains(entity, "static let patches: [Trove.MergeStrategy<Self>] = [.patch(\\.note)]")
    }

    @Test func target_isTheTypeOfTheProperty() {
        let types = [
            ("User?", "User"), ("[User]?", "User"), ("Optional<User>", "User"), ("Array<User>?", "User"),
            ("(User)?", "User"), ("App.User?", "App.User"), ("[Self]?", "Message"), ("Self?", "Message"),
            ("Swift.Optional<Swift.Array<User>>", "User"),
        ]
        for (type, target) in types {
            let expanded = expansion(
                of: "@EntityModel struct Message { let id: Int; @Relationship(inverse: \\.x) var a: \(type) }")
            expectContains(expanded, "typealias TargetEntity = \(target)\n")
            expectContains(expanded, "static let inverse = \(target).RelationKeys.x.self\n")
        }
    }

    @Test func names_areWrittenWithBackticksWhereNecessary() {
        let expanded = expansion(
            of: """
                @EntityModel struct Item {
                    let id: Int
                    @Relationship(inverse: \\Item.`in`) var `default`: Item?
                }
                """)
        expectContains(expanded, "enum `default`: Trove.RelationKey {")
        expectContains(expanded, "static let inverse = Item.RelationKeys.`in`.self\n")
        expectContains(
            expanded,
            "RelationKeys.`default`.self, property: \"default\", inverse: \"in\", at: \\.$default, value: \\.`default`, get: {"
        )
    }

    @Test func storedNames_areThoseOfTheCodingKeysAndOfRenamed() {
        let expanded = expansion(
            of: """
                @EntityModel struct Item {
                    enum CodingKeys: String, CodingKey { case id, owner = "o" }
                    let id: Int
                    @Renamed("x", "y") @Relationship() var owner: User?
                }
                """)
        expectContains(expanded, "}, storedAs: \"o\", renamedFrom: [\"x\", \"y\"])")
    }

    @Test func initialValues_areUnsetAfterDecoding() {
        let expanded = expansion(
            of: """
                @EntityModel struct Item {
                    let id: Int
                    @Relationship var a: User? = nil
                    @Relationship var b: User? = .id(3)
                    @Relationship() var c: User?
                }
                """)
        expectContains(expanded, "self.init(decoded: (), value0)\n        self.$b = .none\n    }")
    }

    @Test func normalize_isStraightLineCode() {
        let expanded = expansion(
            of: """
                @EntityModel struct Item {
                    let id: Int
                    @Relationship() var a: User?
                    @Relationship() var b: [User]?
                }
                """)
        expectContains(
            expanded,
            """
                mutating func normalize() {
                    self.$a = .none
                    self.$b = .none
                }

                var isNormalized: Bool { self.$a.isNone && self.$b.isNone }
            """)
        expectContains(
            expansion(of: "@EntityModel struct Item { let id: Int }"), "var isNormalized: Bool { true }")
    }

    @Test func computedID_isChecked() {
        let expanded = expansion(of: "@EntityModel struct Item { var id: String { \"x\" }; var a: Int }")
        expectContains(expanded, "Trove.KeyProperty(\"id\", \\Self.id)")
        expectContains(expanded, "self.init(decoded: (), value0)\n        try reader.checkKey(self.id)\n    }")
        #expect(!expanded.contains("self.id = "))
    }

    @Test func options_arePassedOn() {
        let expanded = expansion(of: "@EntityModel(keepsDeleted: true, keyPrefix: 3) struct Item { let id: Int }")
        expectContains(expanded, "Trove.EntityOptions(keepsDeleted: true)")
        expectContains(expanded, "keyPrefix: 3")
        #expect(!expansion(of: "@EntityModel struct Item { let id: Int }").contains("entityOptions"))
    }

    @Test func accessLevels_areThoseOfTheType() {
        let expanded = expansion(
            of: """
                @EntityModel public struct Item {
                    public let id: Int
                    @Relationship() private var a: User?
                    @Relationship(inverse: \\.b) fileprivate var b: Item?
                }
                """)
        expectContains(expanded, "public static let relations")
        expectContains(expanded, "public static let patches")
        expectContains(
            expanded, "fileprivate enum a: Trove.RelationKey {\n            fileprivate typealias OwnerEntity")
        expectContains(expanded, "fileprivate enum b: Trove.RelationKey {")
    }

    @Test func entityWithoutRelations_hasAnEmptyList() {
        let expanded = expansion(of: "@EntityModel struct Item { let id: Int }")
        expectContains(expanded, "static let relations: [Trove.EntityRelation<Self>] = []")
        // Other types can name it as the owner of an inverse.
        expectContains(expanded, "nonisolated enum RelationKeys: Trove.RelationNames {")
    }

    @Test func relationWithAnError_hasAKeyAndNoDeclaration() {
        let expanded = expansion(
            of: """
                @EntityModel struct Item {
                    let id: Int
                    @Relationship(inverse: \\.$b) var a: Item?
                    @Relationship(inverse: \\.a) var b: Item?
                }
                """)
        expectContains(expanded, "static let inverse = Item.RelationKeys.b.self\n")
        expectContains(expanded, "return [relation0]\n")
        expectContains(expanded, "property: \"b\"")
        #expect(!expanded.contains("property: \"a\""))
    }

    @Test func validated_doesNotDependOnRelations() {
        let plain = "@IndexKeyRecord(validated: 0, \"id\") struct Item { let id: Int; var a: Int }"
        let entity =
            "@EntityModel(validated: 0) struct Item { let id: Int; @Relationship() var b: Item?; var a: Int }"
        #expect(diagnostics(in: plain).map(\.message) == diagnostics(in: entity).map(\.message))
    }

    // MARK: Comparisons

    private func expectContains(
        _ text: String, _ part: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(text.contains(part), "\(text)", sourceLocation: sourceLocation)
    }

    private func indexes(in text: String) -> String {
        let start = text.firstRange(of: "nonisolated static let indexes")?.lowerBound ?? text.endIndex
        let end = text[start...].firstRange(of: "\n    ]")?.upperBound ?? text.endIndex
        return String(text[start..<end])
    }
}

extension String {
    /// The text without white space at its end.
    fileprivate var trimmedEnd: String {
        String(self[..<(lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? startIndex)])
    }
}
