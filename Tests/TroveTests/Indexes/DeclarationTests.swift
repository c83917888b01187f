// The declarations of `#Index` and `#Unique` in real types: names, definitions, and closures that do what the
// declaration says.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Declared indexes") struct DeclarationTests {
    private func texts(_ schema: RecordSchema) -> [String] { schema.indexes.map(\.text) }

    private func definitions(_ schema: RecordSchema) -> [String] { schema.indexes.map(\.definition) }

    // MARK: The schema

    @Test func indexes_areNamedAfterStoredNames() {
        let condition = "{ user in user.status == .active && user.age > 17 }"
        #expect(
            texts(DeclaredUser.schema) == [
                "index(age)", "index(last,first desc)", "index(age where { $0.isActive })",
                "index(born desc,id where \(condition))", "index(status where { $0.age > 17 })", "unique(email)",
                "unique(status,age)", "unique(last where { !$0.lastName.isEmpty })",
                "unique(isCurrent where { $0.isCurrent })",
            ])
        #expect(DeclaredUser.schema.indexes.map(\.text) == DeclaredUser.indexes.map(\.descriptor.text))
    }

    @Test func definitions_sayTheTypes() {
        #expect(
            definitions(DeclaredUser.schema).prefix(4) == [
                "age:Int64", "last:String,first desc:desc<String>", "age:Int64 where { $0.isActive }",
                "born desc:desc<Date?>,id:Int64 where { user in user.status == .active && user.age > 17 }",
            ])
    }

    @Test func whatHasNoOrder_isDefinedAsEqual() {
        #expect(
            definitions(DeclaredPlace.schema) == [
                "address:equal<{street:String,city:String,number:Int64?}>",
                "second:equal<{street:String,city:String,number:Int64?}?>,id desc:desc<Int64>",
                "shape:equal<\(LayoutBuilder.text(of: Shape.self))>", "numbers:equal<[Int64]>",
                "counts:equal<[String:Int64]>", "bytes:Data", "climate:equal<enum<String>>",
                "former:equal<enum<String>?>", "tree:equal<\(LayoutBuilder.text(of: Tree?.self))>",
            ])
    }

    @Test func indexes_areNotAPartOfTheLayout() {
        #expect(IndexesByHand.schema.layout == "(id:Int64){age:Int64}")
    }

    @Test func indexesByHand_areInTheSchema() {
        #expect(texts(IndexesByHand.schema) == ["index(age)"])
        #expect(MacroPerson.schema.indexes == [])
    }

    @Test func twoIndexesOfTheSameName_areRefused_whenTheTypeIsFirstUsed() throws {
        let directory = try TemporaryDirectory()
        let expected = StoreError.schema(.indexDeclaredTwice(type: "IndexesTwice", index: "index(age)"))
        let path = directory.path("twice.trove")
        #expect(storeError { try Store(path: path, records: [IndexesTwice.self]) } == expected)
        let store = try Store(path: path)
        #expect(storeError { try store.insert(IndexesTwice(id: 1, age: 1, rank: 1)) } == expected)
        #expect(storeError { try IndexesTwice.query().resolve(in: store) } == expected)
    }

    /// A set in JSON has a different order in each process.
    @Test func indexesOverJSON_areRefused_whenTheTypeIsFirstUsed() throws {
        let expected = StoreError.schema(.indexOfJSON(type: "IndexOfJSON", index: "index(label)"))
        let directory = try TemporaryDirectory()
        let path = directory.path("json.trove")
        #expect(storeError { try Store(path: path, records: [IndexOfJSON.self]) } == expected)
        let record = IndexOfJSON(id: 1, label: Label(tags: Label.Tags(names: ["a"])))
        #expect(storeError { try Store(path: path).insert(record) } == expected)
    }

    @Test func typesInsideOthers_andThoseOfActors_haveIndexes() {
        #expect(
            texts(DeclaredLibrary.Book.schema) == [
                "index(genre,year desc where { $0.genre == Genre.crime && $0.year > oldest })", "unique(class)",
            ])
        #expect(texts(DeclaredLibrary.PublicBook.schema) == ["index(year)"])
        #expect(PrivateDeclarations.schemas.map(texts) == [["index(year)"], ["index(year)"]])
        #expect(
            texts(DeclaredActorRecord.schema) == ["index(count desc where { $0.count > 1 })", "unique(note)"])
    }

    // MARK: The indexes at work

    @Test func properties_areColumns() {
        let columns = DeclaredUser.indexes.map { $0.properties.map(\.column.label) }
        #expect(columns[0] == ["age"])
        #expect(columns[1] == ["last", "first desc"])
        #expect(columns[3] == ["born desc", "id"])
        #expect(DeclaredActorRecord.indexes[0].properties[0].column.label == "count desc")
    }

    @Test func properties_areWrittenAsInKeys() {
        let user = DeclaredUser(id: 7, firstName: "Ruby", lastName: "Rhod", age: 30)
        let written = DeclaredUser.indexes[1].properties.map { property in
            KeyWriter.bytes { property.encode(user, &$0) }
        }
        #expect(written == [KeyWriter.bytes(of: "Rhod"), KeyWriter.bytes(of: Descending("Ruby"))])
    }

    @Test func conditions_testTheRecord() {
        let conditions = DeclaredUser.indexes.map(\.condition)
        #expect(conditions.map { $0 == nil } == [true, true, false, false, false, true, true, false, false])
        let user = DeclaredUser(id: 1, age: 18)
        let gone = DeclaredUser(id: 2, age: 18, status: .gone)
        let young = DeclaredUser(id: 3, age: 17)
        func holds(_ index: Int) -> [Bool?] { [user, gone, young].map { conditions[index]?.holds($0) } }
        #expect(holds(2) == [true, false, true])
        #expect(holds(3) == [true, false, false])
        #expect(holds(4) == [true, true, false])
    }

    @Test func rules_areTheOnesThatAreWritten() {
        let rules = DeclaredUser.indexes.dropFirst(5).map { index in
            switch index.collisions?.kind {
            case .throw?: "throw"
            case .upsert?: "upsert"
            case .ignore?: "ignore"
            case .custom?: "custom"
            case nil: "none"
            }
        }
        #expect(rules == ["throw", "upsert", "ignore", "custom"])
        #expect(DeclaredUser.indexes[0].collisions?.kind == nil)
    }

    @Test func rules_holdInAStore() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("users.trove"), records: [DeclaredUser.self])
        try store.insert(DeclaredUser(id: 1, lastName: "Rhod", age: 1, email: "ruby@fhloston", isCurrent: true))
        #expect(throws: StoreError.self) { try store.insert(DeclaredUser(id: 2, age: 2, email: "ruby@fhloston")) }
        try store.insert(DeclaredUser(id: 3, lastName: "Rhod", age: 3))
        try store.insert(DeclaredUser(id: 4, age: 4))
        try store.insert(DeclaredUser(id: 5, age: 4))
        try store.insert(DeclaredUser(id: 6, age: 6, isCurrent: true))
        let users = try DeclaredUser.query().resolve(in: store)
        #expect(users.map(\.id) == [1, 5, 6], "2 is refused, 3 is ignored, 4 makes way")
        #expect(users.map(\.isCurrent) == [false, false, true])
        #expect(try store.check(DeclaredUser.self) == [])
    }
}
