// The expansion of `#Index` and `#Unique` to elements of `indexes`.

import Testing

@testable import TroveMacroExpansion

@Suite("Expansion of indexes")
struct IndexExpansionTests {
    /// Returns a record with indexes.
    private func user(_ indexes: String) -> String {
        """
        @IndexKeyRecord("id")
        struct User {
            \(indexes)
            let id: Int
            var lastName: String
            var age: Int
            var `class`: String?
            enum CodingKeys: String, CodingKey { case id, lastName = "last", age }
        }
        """
    }

    // MARK: The complete expansion

    @Test func indexes_areMembersOfTheStruct() throws {
        let text = expansion(
            of: """
                @IndexKeyRecord("id")
                struct User {
                    #Index<User>(\\.age, \\.name.desc, where: { $0.age > 17 })
                    #Unique<User>(\\.name, collisions: .throw)
                    let id: Int
                    var name: String
                    var age: Int
                }
                """)
        let start = try #require(text.firstRange(of: "    var name")).lowerBound
        let end = try #require(text.firstRange(of: ": Trove.RecordSchema = .init(")).lowerBound
        #expect(
            text[start..<end] == """
                    var name: String
                    var age: Int

                    nonisolated static let indexes: [Trove.RecordIndex<Self>] = [
                        .index([
                            Trove.IndexedProperty("age", \\.age, Trove.fieldCoding(of: Int.self)) {
                                $0.age
                            },
                            Trove.IndexedProperty("name", descending: \\.name) {
                                $0.name
                            }
                        ], where: Trove.IndexCondition("{ $0.age > 17 }", filter: \\.age > 17, isExact: true) { $0.age > 17 }),
                        .unique([
                            Trove.IndexedProperty("name", \\.name, Trove.fieldCoding(of: String.self)) {
                                $0.name
                            }
                        ], collisions: .throw)
                    ]
                }

                nonisolated extension User: Trove.IndexKeyRecord, Identifiable {
                    static let schema
                """)
    }

    /// In one expression with the index, the compiler would choose the coding of a type that cannot be stored.
    @Test func codingsOfUnknownTypes_areChosenFirst_onceEach() throws {
        let text = expansion(
            of: """
                @IndexKeyRecord("id")
                struct Item {
                    #Index<Item>(\\.shelf, \\.`in`)
                    #Unique<Item>(\\.shelf, collisions: .throw)
                    #Index<Item>(\\.grade.desc)
                    #FullTextIndex<Item>(\\.label)
                    let id: Int
                    var shelf: Shelf
                    var `in`: Mark?
                    var grade: Grade
                    var label: Label
                }
                """)
        let start = try #require(text.firstRange(of: "    nonisolated static let indexes")).lowerBound
        let end = try #require(text.firstRange(of: "nonisolated extension")).lowerBound
        #expect(
            text[start..<end] == """
                    nonisolated static let indexes: [Trove.RecordIndex<Self>] = {
                        let shelfCoding = Trove.fieldCoding(of: Shelf.self)
                        let `inCoding` = Trove.fieldCoding(of: Mark?.self)
                        return [
                            .index([
                                Trove.IndexedProperty("shelf", \\.shelf, shelfCoding) {
                                    $0.shelf
                                },
                                Trove.IndexedProperty("in", \\.`in`, `inCoding`) {
                                    $0.`in`
                                }
                            ]),
                            .unique([
                                Trove.IndexedProperty("shelf", \\.shelf, shelfCoding) {
                                    $0.shelf
                                }
                            ], collisions: .throw),
                            .index([
                                Trove.IndexedProperty("grade", descending: \\.grade) {
                                    $0.grade
                                }
                            ]),
                            .fullText([
                                Trove.TextProperty("label", \\.label) {
                                    $0.label
                                }
                            ])
                        ]
                    }()
                }


                """)
    }

    @Test func withoutIndexes_thereIsNoMember() {
        #expect(!expansion(of: user("")).contains("static let indexes"))
    }

    // MARK: Properties

    @Test func index_usesStoredNames() {
        expectIndexes(
            of: user("#Index<User>(\\.lastName, \\.`class`.desc, \\.id)"),
            """
            .index([
                Trove.IndexedProperty("last", \\.lastName, Trove.fieldCoding(of: String.self)) { $0.lastName },
                Trove.IndexedProperty("class", descending: \\.`class`) { $0.`class` },
                Trove.IndexedProperty("id", \\.id, Trove.fieldCoding(of: Int.self)) { $0.id }
            ])
            """)
    }

    @Test(
        arguments: [
            "#Index<User>(\\.age)", "#Index<User>(\\User.age)", "#Index(\\User.age)", "#Index<Self>(\\.age)",
            "#Index<Module.User>(\\Module.User.age)", "#Index<`User`>(\\.`age`)", "#Index<User>(\\.age, where: nil)",
        ])
    func properties_areFoundInEverySpelling(index: String) {
        expectIndexes(
            of: user(index),
            ".index([ Trove.IndexedProperty(\"age\", \\.age, Trove.fieldCoding(of: Int.self)) { $0.age } ])")
    }

    @Test func aPropertyNamedLikeTheOrder_isAProperty() {
        expectIndexes(
            of: """
                @IndexKeyRecord("id")
                struct Item {
                    #Index<Item>(\\.desc)
                    #Index<Item>(\\.desc.desc)
                    let id: Int
                    let desc: String
                }
                """,
            """
            .index([ Trove.IndexedProperty("desc", \\.desc, Trove.fieldCoding(of: String.self)) { $0.desc } ]),
            .index([ Trove.IndexedProperty("desc", descending: \\.desc) { $0.desc } ])
            """)
    }

    @Test func elements_standBetweenTheOtherProperties() {
        let id = "Trove.IndexedProperty(\"id\", \\.id, Trove.fieldCoding(of: Int.self)) { $0.id }"
        let age = "Trove.IndexedProperty(\"age\", descending: \\.age) { $0.age }"
        let tags = "each: Trove.IndexedElements(\"labels\", \\.tags, Trove.fieldCoding(of: [String]?.self)) { $0.tags }"
        expectIndexes(
            of: """
                @IndexKeyRecord("id")
                struct Item {
                    #Index<Item>(\\.tags.each)
                    #Index<Item>(\\.age.desc, \\.tags.each)
                    #Index<Item>(\\.tags.each, \\.age.desc, where: { $0.age > 3 })
                    #Index<Item>(\\.age.desc, \\Item.tags.each, \\.id)
                    #Index<Item>(\\.tags)
                    let id: Int
                    var age: Int
                    var tags: [String]?
                    enum CodingKeys: String, CodingKey { case id, age, tags = "labels" }
                }
                """,
            """
            .index(\(tags)),
            .index([ \(age) ], \(tags)),
            .index(\(tags), [ \(age) ],
                where: Trove.IndexCondition("{ $0.age > 3 }", filter: \\.age > 3, isExact: true) { $0.age > 3 }),
            .index([ \(age) ], \(tags), [ \(id) ]),
            .index([ Trove.IndexedProperty("labels", \\.tags, Trove.fieldCoding(of: [String]?.self)) { $0.tags } ])
            """)
    }

    @Test func aPropertyNamedEach_isAProperty() {
        expectIndexes(
            of: "@IndexKeyRecord(\"id\") struct Item { #Index<Item>(\\.each); let id: Int; let each: String }",
            ".index([ Trove.IndexedProperty(\"each\", \\.each, Trove.fieldCoding(of: String.self)) { $0.each } ])")
    }

    // MARK: Rules and conditions

    @Test func rules_areAsTheyAreWritten() {
        expectIndexes(
            of: user(
                """
                #Unique<User>(\\.age, \\.lastName, collisions: .custom { context, new, existing in
                        guard new.age > existing.age else { return }
                        try context.delete(existing)
                    }, where: { $0.age > 0 })
                    #Unique<User>(\\.lastName, collisions: Rules.first) { !$0.lastName.isEmpty }
                """),
            """
            .unique([
                Trove.IndexedProperty("age", \\.age, Trove.fieldCoding(of: Int.self)) { $0.age },
                Trove.IndexedProperty("last", \\.lastName, Trove.fieldCoding(of: String.self)) { $0.lastName }
            ], collisions: .custom { context, new, existing in
                guard new.age > existing.age else { return }
                try context.delete(existing)
            }, where: Trove.IndexCondition("{ $0.age > 0 }", filter: \\.age > 0, isExact: true) { $0.age > 0 }),
            .unique([ Trove.IndexedProperty("last", \\.lastName, Trove.fieldCoding(of: String.self)) { $0.lastName } ],
                collisions: Rules.first,
                where: Trove.IndexCondition("{ !$0.lastName.isEmpty }") { !$0.lastName.isEmpty })
            """)
    }

    @Test func oneOrder_withSeveralConditions_isSeveralIndexes() {
        let indexes = "#Index<User>(\\.age)\n#Index<User>(\\.age) { $0.age > 1 }\n#Index<User>(\\.age) { $0.age > 2 }"
        let property = "Trove.IndexedProperty(\"age\", \\.age, Trove.fieldCoding(of: Int.self)) { $0.age }"
        expectIndexes(
            of: user(indexes),
            """
            .index([ \(property) ]),
            .index([ \(property) ],
                where: Trove.IndexCondition("{ $0.age > 1 }", filter: \\.age > 1, isExact: true) { $0.age > 1 }),
            .index([ \(property) ],
                where: Trove.IndexCondition("{ $0.age > 2 }", filter: \\.age > 2, isExact: true) { $0.age > 2 })
            """)
    }

    @Test(
        arguments: [
            "{ user in user.age > 1 && [2, 3].contains(user.age) }",
            "{user in user.age>1&&[2,3].contains(user.age)}",
            "{ user in\n        user.age > 1\n            && [2, 3].contains(\n  user.age)\n    }",
            "{ user in // adults\n user.age > 1 && /* some */ [ 2 , 3 ]\n.contains( user.age ) }",
        ])
    func conditions_areTheSameInEveryFormat(closure: String) throws {
        let text = expansion(of: user("#Index<User>(\\.age, where: \(closure))"))
        let condition = try #require(text.firstRange(of: "Trove.IndexCondition(\"")).upperBound
        #expect(
            text[condition...].prefix { $0 != "\"" } == "{ user in user.age > 1 && [2, 3].contains(user.age) }")
    }

    @Test(
        arguments: [
            ("{ $0.lastName == \"a  b\" }", ##"#"{ $0.lastName == "a  b" }"#"##),
            ("{ $0.`class` is String }", "\"{ $0.`class` is String }\""),
            ("{ $0.age == -1 ? true : false }", "\"{ $0.age == -1 ? true: false }\""),
            (
                "{ (u: User) -> Bool in let x = u.age; return x > 1 }",
                "\"{ (u: User) -> Bool in let x = u.age; return x > 1 }\""
            ),
        ])
    func conditions_areReadable(closure: String, literal: String) {
        let text = expansion(of: user("#Index<User>(\\.age, where: \(closure))"))
        #expect(text.contains("Trove.IndexCondition(\(literal)"), "\(text)")
    }

    @Test(
        arguments: [
            ("{ $0.age > 17 }", "\\.age > 17", true),
            ("{ user in user.age >= -3 }", "\\.age >= -3", true),
            ("{ return $0.age != 0 }", "\\.age != 0", true),
            ("{ $0.isActive }", "\\.isActive == true", true),
            ("{ !$0.isActive }", "\\.isActive == false", true),
            ("{ $0.isActive == false && $0.age == 3 }", "(\\.isActive == false).and(\\.age == 3)", true),
            (
                "{ ($0.age > 1 && $0.age < 9) && $0.name == \"a\" }",
                "((\\.age > 1).and(\\.age < 9)).and(\\.name == \"a\")", false
            ),
            ("{ $0.score == 1.5 }", "\\.score == 1.5", true), ("{ $0.score == nil }", "\\.score == nil", true),
            ("{ $0.score != nil }", "\\.score != nil", true),
            ("{ $0.status == .active }", "\\.status == .active", false),
            ("{ $0.`class` == 3 }", "\\.`class` == 3", true),
        ])
    func conditions_thatAreComparisons_areFilters(closure: String, filter: String, isExact: Bool) {
        let text = expansion(of: conditional(closure))
        #expect(text.contains(", filter: \(filter)\(isExact ? ", isExact: true" : "")) {"), "\(text)")
    }

    @Test(
        arguments: [
            "{ $0.name < \"a\" }", "{ $0.name != \"a\" }", "{ $0.score > 1 }", "{ $0.score != 1.5 }",
            "{ $0.status != .active }", "{ $0.age > limit }", "{ $0.age > 1 || $0.isActive }", "{ $0.name.isEmpty }",
            "{ $0.age > $0.other }", "{ 17 < $0.age }", "{ other.age > 17 }", "{ $0.status }",
            "{ $0.name == \"\\($0.age)\" }",
            "{ let age = $0.age; return age > 3 }", "{ $0.age + 1 > 3 }", "{ $0.age == .max }",
            "{ user, other in user.age > 3 }",
        ])
    func conditions_thatMayMeanSomethingElse_areNoFilters(closure: String) {
        let text = expansion(of: conditional(closure))
        #expect(text.contains("Trove.IndexCondition("))
        #expect(!text.contains("filter:"), "\(text)")
    }

    private func conditional(_ closure: String) -> String {
        """
        @IndexKeyRecord("id")
        struct User {
            #Index<User>(\\.id.desc, where: \(closure))
            let id: Int
            var name: String
            var age: Int
            var other: Int
            var `class`: Int
            var score: Double?
            var isActive: Bool
            var status: Status
        }
        """
    }

    // MARK: The position of the record

    @Test(arguments: [("public", "public "), ("package", "package "), ("private", ""), ("internal", "")])
    func indexes_haveTheAccessOfTheRecord(access: String, prefix: String) {
        let text = expansion(
            of: "@IndexKeyRecord(\"id\") \(access) struct User { #Index<User>(\\.age); let id: Int; let age: Int }")
        #expect(text.contains("nonisolated \(prefix)static let indexes:"))
    }

    /// A condition may use names of the types around the record, so it stays inside them.
    @Test func insideOtherTypes_indexesNeedNoOtherNames() throws {
        let text = expansion(
            of: """
                extension Library.Rooms {
                    enum Shelf {
                        @IndexKeyRecord("id")
                        struct Book {
                            #Index<Book>(\\.genre) { $0.genre == Genre.crime }
                            #Index<Shelf.Book>(\\Shelf.Book.genre.desc)
                            #Index<Library.Rooms.Shelf.Book>(\\.genre, \\.id)
                            #Index<Module.Library.Rooms.Shelf.Book>(\\.genre.desc, \\.id)
                            let id: Int
                            let genre: Genre
                        }
                    }
                }
                """)
        #expect(text.contains("Trove.IndexCondition(\"{ $0.genre == Genre.crime }\") {"))
        #expect(text.ranges(of: ".index([").count == 4)
        let end = try #require(text.firstRange(of: "nonisolated extension")).lowerBound
        #expect(text[..<end].contains("indexes: [Trove.RecordIndex<Self>] = {"))
    }

    // MARK: Errors

    @Test func aWrongIndex_isLeftOut() {
        expectIndexes(
            of: user("#Index<User>(\\.agee)\n#Index<User>(\\.age)\n#Unique<User>(\\.age)"),
            ".index([ Trove.IndexedProperty(\"age\", \\.age, Trove.fieldCoding(of: Int.self)) { $0.age } ])")
    }
}
