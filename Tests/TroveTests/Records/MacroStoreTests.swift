// The generated queries in a store: each overload finds the records described by its labels.

import Testing
import Trove

@Suite("Results of the generated queries")
struct MacroStoreTests {
    private let store: Store
    private let people = [
        MacroPerson(lastName: "Dallas", firstName: "Emma", age: 70),
        MacroPerson(lastName: "Dallas", firstName: "Korben", age: 45),
        MacroPerson(lastName: "Rhod", firstName: "Ruby", age: 35),
    ]

    init() throws {
        store = try Store.temporary()
        try store.insert(contentsOf: people)
    }

    @Test func select_takesEachPrefixOfTheKey() throws {
        #expect(try MacroPerson.select(in: store) == people)
        #expect(try MacroPerson.select(in: store, lastName: "Dallas") == Array(people[..<2]))
        #expect(try MacroPerson.select(in: store, lastName: .hasPrefix("R")) == [people[2]])
        #expect(try MacroPerson.select(in: store, lastName: "Dallas", firstName: "Korben") == [people[1]])
        #expect(
            try MacroPerson.select(in: store, lastName: "Dallas", firstName: .lessThan("L"))
                == [people[1], people[0]])
    }

    @Test func select_takesLimitOrderAndContinuation() throws {
        #expect(try MacroPerson.select(in: store, limit: 1, lastName: "Dallas") == [people[0]])
        #expect(try MacroPerson.select(in: store, limit: 1, order: .descending, lastName: "Dallas") == [people[1]])
        #expect(try MacroPerson.select(in: store, after: people[0].id, lastName: "Dallas") == [people[1]])
    }

    @Test func get_takesTheWholeKey() throws {
        #expect(try MacroPerson.get(in: store, lastName: "Rhod", firstName: "Ruby") == people[2])
        #expect(try MacroPerson.get(in: store, lastName: "Rhod", firstName: "Emma") == nil)
    }

    @Test func delete_saysHowMany() throws {
        #expect(try MacroPerson.delete(in: store, lastName: "Dallas", firstName: .greaterThan("F")) == 1)
        #expect(try MacroPerson.delete(in: store, lastName: "Dallas") == 1)
        #expect(try MacroPerson.select(in: store) == [people[2]])
    }

    @Test func componentsNamedLikeOptions_areFound() throws {
        let records = (1...3).map { AwkwardKey(in: 1, limit: $0, order: "a", after: true, default: 0) }
        try store.insert(contentsOf: records)
        #expect(try AwkwardKey.select(in: store, in: 1) == records)
        #expect(try AwkwardKey.select(in: store, in: 1, limit: 2) == [records[1]])
        #expect(try AwkwardKey.query(in: 1).limit(2).resolve(in: store) == Array(records[..<2]))
        #expect(try AwkwardKey.get(in: store, in: 1, limit: 3, order: "a", after: true) == records[2])
        #expect(try AwkwardKey.delete(in: store, in: 1, limit: .greaterThan(1)) == 2)
    }

    @Test func aComponentNamedLimit_isTheComponent() throws {
        let records = (1...3).map { LimitKey(limit: $0, text: "") }
        try store.insert(contentsOf: records)
        #expect(try LimitKey.select(in: store, limit: 2) == [records[1]])
        #expect(try LimitKey.select(in: store) == records)
    }

    @Test func optionalComponents_takeNil() throws {
        let records = [nil, "a", "b"].map {
            ManyKeys(
                rank: Descending(1), span: Tuple(1, "x"), nick: $0, active: true, kind: .large, bytes: [])
        }
        try store.insert(contentsOf: records)
        #expect(try ManyKeys.select(in: store, nick: nil) == [records[0]])
        #expect(try ManyKeys.select(in: store, nick: .greaterThan("a")) == [records[2]])
    }

    @Test func properties_areReadAlone() throws {
        #expect(try MacroPerson.query(lastName: "Dallas").select(\.age).resolve(in: store) == [70, 45])
        #expect(try MacroPerson.query(lastName: "Dallas").select(\.firstName).resolve(in: store) == ["Emma", "Korben"])
    }
}
