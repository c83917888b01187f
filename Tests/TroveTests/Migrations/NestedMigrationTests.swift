// Old names and default values inside values, at every place of a record.

import Testing
import Trove
import TroveTestSupport

@Suite("Migrations of nested values") struct NestedMigrationTests {
    private typealias Old = SmallHouseProgram
    private typealias New = LargeHouseProgram

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open() throws -> Store {
        try Store(path: directory.path("houses.trove"), options: StoreOptions(durability: .noSync))
    }

    private func migrated(_ owner: Old.Owner) throws -> New.House {
        let elm = Old.Address(road: "Elm", zip: -1)
        try open().insert(
            Old.House(id: 1, address: elm, others: [elm], named: ["a": elm], owner: owner))
        return try #require(try open().get(New.House.self, key: 1))
    }

    private let elm = New.Address(land: .there, street: "Elm", zip: -1)
    private let unknown = New.Address(land: .here, street: "unknown", zip: 0)

    @Test func rules_holdInOtherValues_arraysOptionalsAndDictionaries() throws {
        let house = try migrated(.nobody)
        #expect(house == New.House(id: 1, place: elm, others: [elm], named: ["a": elm], owner: .nobody))
    }

    @Test func rules_holdInAssociatedValues() throws {
        let seat = Old.Address(road: "Main", zip: 5)
        let house = try migrated(.firm(name: "Zorg", seat: seat))
        #expect(house.owner == .firm(name: "Zorg", seat: New.Address(land: .there, street: "Main", zip: 5)))
    }

    @Test func rules_holdOnEveryLevelOfATypeThatContainsItself_andDefaultsOfThatTypeToo() throws {
        let home = Old.Address(road: "Main", zip: 5)
        let friend = Old.Person(name: "Ruby", home: nil, friends: [Old.Person(name: "Leeloo", home: home, friends: [])])
        let house = try migrated(.person(Old.Person(name: "Korben", home: home, friends: [friend])))
        let child = New.Person(home: unknown, fullName: "child", friends: [], children: [])
        let main = New.Address(land: .there, street: "Main", zip: 5)
        let leeloo = New.Person(home: main, fullName: "Leeloo", friends: [], children: [child])
        let ruby = New.Person(home: unknown, fullName: "Ruby", friends: [leeloo], children: [child])
        #expect(house.owner == .person(New.Person(home: main, fullName: "Korben", friends: [ruby], children: [child])))
    }

    @Test func rules_areNoPartOfTheLayout() {
        #expect(LayoutBuilder.text(of: New.Address.self) == LayoutBuilder.text(of: BareHouseProgram.Address.self))
        #expect(LayoutBuilder.text(of: New.Address.self) == "{land:enum<String>,street:String,zip:Int64}")
    }
}
