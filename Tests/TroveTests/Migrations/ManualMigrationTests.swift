// Migrations by hand that change some values and leave the others to the rules.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Migrations by hand") struct ManualMigrationTests {
    private typealias Person = ThirdStep.Person

    @Test func stepsThatAreWrittenOnce_bringRecordsOfAnyVersionUpToDate() throws {
        let directory = try TemporaryDirectory()
        func open() throws -> Store {
            try Store(path: directory.path("people.trove"), options: StoreOptions(durability: .noSync))
        }
        let home = FirstStep.Address(road: "Elm", zip: -1)
        try open().insert(FirstStep.Person(nr: 1, name: "Korben Dallas", level: 7, home: home, scores: [1, -2]))
        try open().insert(
            SecondStep.Person(nr: 2, first: "Ruby", last: "Rhod", level: 2, home: nil, scores: []))
        let korben = Person(
            id: 1, first: "Korben", last: "Dallas", rank: .high, home: ThirdStep.Address(street: "Elm", zip: -1),
            scores: [1, -2])
        let ruby = Person(id: 2, first: "Ruby", last: "Rhod", rank: .low, scores: [])
        let store = try open()
        #expect(try Person.query().resolve(in: store) == [korben, ruby])
        try store.insert(korben)
        #expect(try store.get(Person.self, key: 1) == korben)
    }

    private let fields = StoredFields([
        StoredFields.Field("scores", .array([.double(1.5)])), StoredFields.Field("id", .integer(5)),
        StoredFields.Field("first", .string("a")), StoredFields.Field("last", .string("b")),
        StoredFields.Field("rank", .string("low")), StoredFields.Field("gone", .uuid(.init())),
    ])

    private let person = Person(id: 5, first: "a", last: "b", rank: .low, scores: [1.5])

    @Test func valuesByHand_becomeARecord_inAnyOrder() throws {
        #expect(try Person(converting: fields) == person)
        #expect(try Person(converting: StoredFields(fields.fields.reversed())) == person)
        var fields = fields
        fields.rename("id", to: "nr")
        fields["first"] = .integer(12)
        fields["note"] = .null
        fields["home"] = .null
        var expected = person
        expected.first = "12"
        #expect(try Person(converting: fields) == expected)
    }

    @Test func valuesInsideValues_areOfTheNewLayout_orOfThatOfTheirType() throws {
        var fields = fields
        fields["home"] = .record(
            StoredFields([
                StoredFields.Field("street", .string("Main")), StoredFields.Field("zip", .integer(2)),
                StoredFields.Field("city", .string("Paris")),
            ]))
        let home = ThirdStep.Address(street: "Main", zip: 2, city: "Paris")
        #expect(try Person(converting: fields).home == home)
        try fields.setValue(FirstStep.Address(road: "Main", zip: 2), for: "home")
        #expect(try Person(converting: fields).home == ThirdStep.Address(street: "Main", zip: 2))
        fields["home"] = .record(StoredFields([StoredFields.Field("road", .string("Main"))]))
        #expect(failure(of: fields)?.field == "home")
    }

    private func failure(of fields: StoredFields) -> ConversionError? {
        do {
            _ = try Person(converting: fields)
            return nil
        } catch {
            return error as? ConversionError
        }
    }

    @Test func whatHasNoValue_orDoesNotConvert_isNamed() throws {
        func failure(_ change: (inout StoredFields) -> Void) -> ConversionError? {
            var fields = fields
            change(&fields)
            return self.failure(of: fields)
        }
        #expect(failure { $0["last"] = nil } == ConversionError(field: "last", reason: .noDefault))
        #expect(failure { $0["id"] = nil } == ConversionError(field: "id", reason: .noDefault))
        #expect(failure { $0["last"] = .null }?.field == "last")
        #expect(failure { $0["id"] = .integer(1 << 70) }?.field == "id")
        #expect(failure { $0["rank"] = .string("medium") }?.field == "rank")
        #expect(failure { $0["scores"] = .array([.string("a")]) }?.field == "scores")
        let different = ConversionError.Reason.differentTypes(from: .uuid, to: .integer(bits: 64, isSigned: true))
        #expect(failure { $0["id"] = .uuid(.init()) } == ConversionError(field: "id", reason: different))
    }

    @Test func aKeyThatTheTypeRefuses_isNamed() throws {
        func failure(_ name: String, _ rank: String) -> ConversionError? {
            do {
                _ = try ThirdStep.Title(
                    converting: StoredFields([
                        StoredFields.Field("name", .string(name)), StoredFields.Field("rank", .string(rank)),
                    ]))
                return nil
            } catch {
                return error as? ConversionError
            }
        }
        #expect(failure("a", "high") == nil)
        #expect(failure("a", "medium")?.field == "rank")
        let size = 600 + 1 + "high".utf8.count + 1
        let reason = CodingError(.keyTooLarge(size: size, limit: KeyWriter.sizeLimit))
        #expect(
            failure(String(repeating: "a", count: 600), "high")
                == ConversionError(field: "name,rank", reason: .value(reason)))
    }

    @Test func whatIsStored_comesBackTheSame() throws {
        let store = try Store.temporary()
        func check<Record: IndexKeyRecord & Equatable>(_ record: Record) throws {
            try store.insert(record)
            try store.read { context in
                for type in try context.storedTypes() where type.keyPrefix == Record.keyPrefix {
                    try context.forEachStoredRecord(of: type) { stored in
                        let again = try Record(converting: stored.fields)
                        #expect(again == record)
                        return true
                    }
                }
            }
        }
        try check(person)
        try check(ThirdStep.Title(name: "é\0", rank: .high, count: nil))
        try check(FourthProgram.Visit(place: "Salem", stars: 2, others: 3, level: .high))
        let leaf = LargeTreeProgram.Node(children: [], note: "a", value: 3)
        try check(
            LargeTreeProgram.Tree(id: 1, root: LargeTreeProgram.Node(children: [leaf, leaf], note: nil, value: 1)))
        try check(
            SecondProgram.Car(
                id: 1, title: "a car", wheels: [SecondProgram.Wheel(tyre: nil, size: 17)], seats: 5, price: 12_000,
                owner: "nobody", colour: nil, doors: 4, state: .moving(speed: 30)))
    }
}
