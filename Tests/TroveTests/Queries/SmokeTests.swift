import Testing
import Trove

@IndexKeyRecord("lastName", "firstName")
struct Person: Equatable {
    let lastName: String
    let firstName: String
    var age: Int
}

@Suite struct SmokeTests {
    @Test func insertAndSelect() throws {
        let store = try Store.temporary()
        try store.write { context in
            try context.insert(Person(lastName: "Dallas", firstName: "Korben", age: 45))
            try context.insert(Person(lastName: "Dallas", firstName: "Zorg", age: 46))
            try context.insert(Person(lastName: "Xi", firstName: "Leeloo", age: 2000))
        }
        let some = try store.read { context in
            try Person.select(in: context, limit: 10, lastName: "Dallas", firstName: .lessThanOrEqual("Ruby"))
        }
        #expect(some == [Person(lastName: "Dallas", firstName: "Korben", age: 45)])
        #expect(try Person.select(in: store, lastName: "Dallas").count == 2)
        #expect(try Person.query().count(in: store) == 3)
        #expect(try Person.get(in: store, lastName: "Xi", firstName: "Leeloo")?.age == 2000)
        #expect(try Person.query().select(\.age).resolve(in: store) == [45, 46, 2000])
        #expect(
            try Person.query().select(\.age, \.firstName).resolve(in: store).map(\.1) == ["Korben", "Zorg", "Leeloo"])
        #expect(try Person.delete(in: store, lastName: "Dallas") == 2)
        #expect(try Person.query().exists(in: store))
        #expect(try store.commitSequence == 2)
    }
}
