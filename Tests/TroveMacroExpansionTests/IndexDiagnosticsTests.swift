// Diagnostics of the macros about `#Index` and `#Unique`.

import Testing

@testable import TroveMacroExpansion

@Suite("Diagnostics about indexes")
struct IndexDiagnosticsTests {
    /// Returns a record with more members, from line 3, column 5 on.
    private func record(_ members: String) -> String {
        """
        @IndexKeyRecord("id", "name")
        struct User {
            \(members)
            let id: Int
            let name: String
            var age: Int
            var tags: [String]
            var address: Address
            var upper: String { name.uppercased() }
        }
        """
    }

    // MARK: Allowed positions

    @Test(
        arguments: [
            "struct User { #Index<User>(\\.age) }",
            "#Index<User>(\\.age)",
            "@IndexKeyRecord(\"id\") struct User { let id: Int; struct Inner { #Index<Inner>(\\.age) } }",
            "extension User { #Index<User>(\\.age) }",
            "@RecordValue enum Kind { case a(Int); #Index<Kind>(\\.age) }",
        ])
    func indexes_belongToRecords(source: String) throws {
        let column = try #require(source.firstRange(of: "#Index")).lowerBound
        expectDiagnostic(
            .indexOutside("#Index"), in: source, line: 1,
            column: source.distance(from: source.startIndex, to: column) + 1)
    }

    @Test func uniqueValues_belongToRecords() {
        expectDiagnostic(
            .indexOutside("#Unique"), in: "struct User { #Unique<User>(\\.age, collisions: .throw) }", line: 1,
            column: 15)
    }

    @Test func values_haveNoIndexes() {
        expectDiagnostic(
            .indexOfValue("#Index"), in: "@RecordValue struct Address { #Index<Address>(\\.city); var city: String }",
            line: 1, column: 31)
    }

    @Test func indexes_doNotDependOnTheBuild() {
        expectDiagnostic(
            .conditionalMember("'#Index'"), in: record("#if DEBUG\n    #Index<User>(\\.age)\n    #endif"), line: 4,
            column: 5)
    }

    @Test func indexes_areOfTheirOwnRecord() {
        expectDiagnostic(
            .indexOfAnotherType("#Index", "Group", in: "User"), in: record("#Index<Group>(\\.age)"), line: 3,
            column: 12, fixIts: [.change("Group", to: "User")], fixed: record("#Index<User>(\\.age)"))
        expectDiagnostic(
            .indexOfAnotherType("#Unique", "Other.User", in: "User"),
            in: """
                enum Outer {
                    @IndexKeyRecord("id")
                    struct User {
                        #Unique<Other.User>(\\.age, collisions: .throw)
                        let id: Int
                        let age: Int
                    }
                }
                """,
            line: 4, column: 17, fixIts: [.change("Other.User", to: "User")],
            fixed: """
                enum Outer {
                    @IndexKeyRecord("id")
                    struct User {
                        #Unique<User>(\\.age, collisions: .throw)
                        let id: Int
                        let age: Int
                    }
                }
                """)
    }

    @Test func keyPaths_areOfTheirOwnRecord() {
        expectDiagnostic(
            .indexOfAnotherType("#Index", "Group", in: "User"), in: record("#Index(\\Group.age)"), line: 3,
            column: 12)
    }

    // MARK: Properties

    @Test func indexes_haveProperties() {
        expectDiagnostic(.noIndexedProperties("#Index"), in: record("#Index<User>()"), line: 3, column: 5)
        expectDiagnostic(
            .noIndexedProperties("#Unique"), in: record("#Unique<User>(collisions: .throw)"), line: 3, column: 5)
    }

    @Test(arguments: ["path", "Paths.age", "\"age\"", "path(of: 1)", "\\.[0]", "\\.?.age"])
    func properties_areLiteralKeyPaths(expression: String) {
        expectDiagnostic(
            .indexedNotLiteral("#Index"), in: record("#Index<User>(\(expression))"), line: 3, column: 18)
    }

    @Test func unknownProperty_suggestsTheNearestName() {
        expectDiagnostic(
            .unknownProperty("agee", in: "User"), in: record("#Index<User>(\\.name, \\.agee.desc)"), line: 3,
            column: 28, fixIts: [.change("agee", to: "age")], fixed: record("#Index<User>(\\.name, \\.age.desc)"))
    }

    @Test func unknownProperty_unlikeAnyName_suggestsNothing() {
        expectDiagnostic(
            .unknownProperty("colour", in: "User"), in: record("#Index<User>(\\.colour)"), line: 3, column: 20)
    }

    // MARK: Elements

    @Test(
        arguments: [
            ("String", "name"), ("Int?", "age"), ("[String: Int]", "map"), ("Dictionary<String, Int>", "map"),
            ("(Date)", "born"),
        ])
    func elements_areThoseOfACollection(type: String, name: String) {
        func source(_ index: String) -> String {
            "@IndexKeyRecord(\"id\") struct User { #Index<User>(\(index)); let id: Int; var \(name): \(type) }"
        }
        expectDiagnostic(
            .eachOfNoCollection(name, type: type), in: source("\\.\(name).each"), line: 1, column: 50,
            fixIts: [.change("\\.\(name).each", to: "\\.\(name)")], fixed: source("\\.\(name)"))
    }

    @Test(arguments: ["[String]", "[Int?]?", "Set<Int>", "Array<String>", "Tags", "Module.Tags?"])
    func elements_areThoseOfAnyOtherType(type: String) {
        let source =
            "@IndexKeyRecord(\"id\") struct User { #Index<User>(\\.tags.each); let id: Int; var tags: \(type) }"
        #expect(diagnostics(in: source).map(\.message) == [])
    }

    @Test func elements_haveNoDirection() {
        for path in ["\\.tags.each.desc", "\\.tags.desc.each"] {
            expectDiagnostic(
                .descendingElements("tags"), in: record("#Index<User>(\(path))"), line: 3, column: 18,
                fixIts: [.change(path, to: "\\.tags.each")], fixed: record("#Index<User>(\\.tags.each)"))
        }
    }

    @Test func anIndex_hasTheElementsOfOneProperty() {
        expectDiagnostic(
            .severalElements,
            in: """
                @IndexKeyRecord("id")
                struct User {
                    #Index<User>(\\.tags.each, \\.marks.each)
                    let id: Int
                    var tags: [String]
                    var marks: Set<Int>
                }
                """,
            line: 3, column: 31)
    }

    @Test func uniqueValues_areNoElements() {
        expectDiagnostic(
            .uniqueElements, in: record("#Unique<User>(\\.tags.each, collisions: .throw)"), line: 3, column: 19,
            fixIts: [.change("\\.tags.each", to: "\\.tags")],
            fixed: record("#Unique<User>(\\.tags, collisions: .throw)"))
    }

    @Test func computedProperty_isRefused() {
        expectDiagnostic(.computedIndexed("upper"), in: record("#Index<User>(\\.upper)"), line: 3, column: 20)
    }

    @Test func constantWithAValue_isRefused() {
        let source = "@IndexKeyRecord(\"id\") struct User { let id: Int; #Index<User>(\\.kind); let kind: Int = 1 }"
        let messages = diagnostics(in: source).map(\.message)
        #expect(
            messages == [
                MacroDiagnostic.constantWithInitialValue("kind").message,
                MacroDiagnostic.constantIndexed("kind").message,
            ])
        #expect(
            diagnostics(in: source)[1].fixIts.map(\.message.message) == [MacroFixIt.change("let", to: "var").message])
    }

    @Test func aPropertyWithAnErrorOfItsOwn_hasNoSecondOne() {
        expectDiagnostic(
            .missingType("born"),
            in: "@IndexKeyRecord(\"id\") struct User { #Index<User>(\\.born); let id: Int; var born = Date() }",
            line: 1, column: 76)
    }

    @Test(
        arguments: [
            ("\\.address.city", "address"), ("\\.address.city.desc", "address"), ("\\.address?.city", "address"),
            ("\\.tags[0]", "tags"), ("\\User.tags.count", "tags"),
        ])
    func partsOfProperties_areRefused(path: String, property: String) {
        expectDiagnostic(
            .partIndexed(path, of: property), in: record("#Index<User>(\\.age, \(path))"), line: 3, column: 25,
            fixIts: [.change(path, to: "\\.\(property)")], fixed: record("#Index<User>(\\.age, \\.\(property))"))
    }

    @Test func whatHasNoOrder_doesNotDescend() {
        expectDiagnostic(
            .unorderedDescending("tags", type: "[String]"), in: record("#Index<User>(\\.tags.desc)"), line: 3,
            column: 18, fixIts: [.change("\\.tags.desc", to: "\\.tags")], fixed: record("#Index<User>(\\.tags)"))
    }

    @Test func oneProperty_isSortedByOnce() {
        expectDiagnostic(
            .repeatedIndexed("#Index", "age"), in: record("#Index<User>(\\.age, \\.tags, \\.age.desc)"), line: 3,
            column: 33, fixIts: [.remove("\\.age.desc")], fixed: record("#Index<User>(\\.age, \\.tags)"))
    }

    // MARK: Other arguments

    @Test func uniqueValues_needARule() {
        expectDiagnostic(
            .noCollisions, in: record("#Unique<User>(\\.age)"), line: 3, column: 5,
            fixIts: [.insert("collisions: .throw")], fixed: record("#Unique<User>(\\.age, collisions: .throw)"))
        expectDiagnostic(
            .noCollisions, in: record("#Unique<User>(\\.age, where: { $0.age > 1 })"), line: 3, column: 5,
            fixIts: [.insert("collisions: .throw")],
            fixed: record("#Unique<User>(\\.age, collisions: .throw, where: { $0.age > 1 })"))
    }

    @Test(arguments: ["isAdult", "\\.isAdult", "makeCondition()"])
    func conditions_areClosures(expression: String) {
        expectDiagnostic(
            .conditionNotClosure("#Index"), in: record("#Index<User>(\\.age, where: \(expression))"), line: 3,
            column: 32)
    }

    // MARK: Useless indexes

    @Test(
        arguments: [
            ("#Index<User>(\\.age)", "#Index<User>(\\User.age)"),
            ("#Index<User>(\\.age, \\.id.desc)", "#Index<User>(\\.age, \\.id.desc, where: nil)"),
            ("#Index<User>(\\.age, where: { $0.age > 1 })", "#Index<User>(\\.age) {\n        $0.age > 1\n    }"),
            ("#Unique<User>(\\.age, collisions: .throw)", "#Unique<User>(\\.age, collisions: .ignore)"),
        ])
    func indexes_areDeclaredOnce(first: String, second: String) throws {
        let macro = try #require(second.split(separator: "<").first)
        expectDiagnostic(
            .duplicateIndex(String(macro)), in: record("\(first)\n    \(second)"), line: 4, column: 5,
            fixIts: [.remove(second)], fixed: record(first))
    }

    @Test(
        arguments: [
            ("#Index<User>(\\.age)", "#Index<User>(\\.age.desc)"),
            ("#Index<User>(\\.age)", "#Index<User>(\\.age, where: { $0.age > 1 })"),
            ("#Index<User>(\\.age, \\.tags)", "#Index<User>(\\.tags, \\.age)"),
            ("#Index<User>(\\.age)", "#Unique<User>(\\.age, collisions: .throw)"),
        ])
    func anyDifference_makesAnotherIndex(first: String, second: String) {
        expectDiagnostics([], in: record("\(first)\n    \(second)"))
    }

    @Test(
        arguments: ["\\.id", "\\.id, \\.name", "\\.id, \\.name, \\.age.desc", "\\.id.desc, \\.name.desc"])
    func theOrderOfTheKey_needsNoIndex(properties: String) {
        let index = "#Index<User>(\(properties))"
        expectDiagnostic(
            .indexInKeyOrder("User"), in: record("var x: Int\n    \(index)"), line: 4, column: 5,
            fixIts: [.remove(index)], fixed: record("var x: Int"))
    }

    @Test(
        arguments: [
            "\\.name", "\\.name, \\.id", "\\.id.desc", "\\.id, \\.age", "\\.id, \\.name.desc",
            "\\.id, where: { $0.age > 1 }",
        ])
    func anyOtherOrder_mayNeedAnIndex(arguments: String) {
        expectDiagnostics([], in: record("#Index<User>(\(arguments))"))
    }

    @Test(arguments: ["\\.id, \\.name", "\\.name, \\.age, \\.id"])
    func theKey_isUniqueAnyway(properties: String) {
        let index = "#Unique<User>(\(properties), collisions: .throw)"
        expectDiagnostic(
            .uniqueKey("User"), in: record("var x: Int\n    \(index)"), line: 4, column: 5, fixIts: [.remove(index)],
            fixed: record("var x: Int"))
        expectDiagnostics([], in: record("#Unique<User>(\\.id, collisions: .throw)"))
    }

    @Test(
        arguments: [
            ("User(id: 1, name: new.name, age: 1)", "User"), ("Self(id: 1)", "Self"), ("User.init(id: 1)", "User.init"),
            ("try User.get(in: context, id: 1)", "User.get"), ("try Self.delete(in: context, id: 1)", "Self.delete"),
            ("try [1].map { try User.select(in: context, id: $0) }", "User.select"),
        ])
    func aRule_cannotUseTheRecordsOwnMembers(statement: String, use: String) throws {
        let rule = ".custom { context, new, _ in try context.insert(\(statement)) }"
        let member = "#Unique<User>(\\.name, collisions: \(rule))"
        let place = try #require(member.ranges(of: use + "(").last).lowerBound
        expectDiagnostic(
            .ruleBeforeMembers(use, in: "User"), in: record(member), line: 3,
            column: 5 + member.distance(from: member.startIndex, to: place))
    }

    @Test(
        arguments: [
            ".updateCurrent", ".custom(User.resolve)", "CollisionRule<User>.updateCurrent",
            ".custom { context, new, _ in try context.insert(new.user()) }",
            ".custom { context, new, _ in try context.delete(User.self, key: new.id); _ = User.filter(\\.age == 1) }",
        ])
    func anyOtherRule_isTaken(rule: String) {
        expectDiagnostics([], in: record("#Unique<User>(\\.name, collisions: \(rule))"))
    }

    @Test func aNeedlessIndex_isKept() {
        #expect(expansion(of: record("#Index<User>(\\.id)")).contains("Trove.IndexedProperty(\"id\", \\.id, "))
    }

    @Test func aWrongKey_makesNoIndexNeedless() {
        let source = "@IndexKeyRecord(\"id\", \"nam\") struct User { #Index<User>(\\.id); let id: Int; let name: Int }"
        expectDiagnostic(
            .unknownProperty("nam", in: "User"), in: source, line: 1, column: 23,
            fixIts: [.change("nam", to: "name")], fixed: source.replacing("\"nam\"", with: "\"name\""))
    }
}
