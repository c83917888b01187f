// Values come back as they were sealed.

#if canImport(CryptoKit) || Encryption
import Foundation
import Testing
import Trove
import TroveCrypto
import TroveTestSupport

@Suite struct SealingTests {
    private let keys: SealingKeys
    private let place = SealedPlace(property: "value", keyPrefix: 7, key: StoredKey([1, 2, 3], of: "Thing"))

    init() throws { keys = try .sample() }

    private func expectRoundTrip<Value: Codable & Hashable & Sendable>(_ value: Value) throws {
        let sealed = try keys.seal(value, at: place)
        #expect(try keys.open(sealed, at: place) == value)
        #expect(sealed.keyNumber == 1)
        let again = Sealed<Value>(opaqueBytes: sealed.opaqueBytes)
        #expect(again == sealed)
        #expect(try keys.open(again, at: place) == value)
        // Each sealing has a nonce of its own.
        #expect(try keys.seal(value, at: place) != sealed)
    }

    @Test func allKindsOfValues_comeBack() throws {
        try expectRoundTrip("")
        try expectRoundTrip("Größe 📏")
        try expectRoundTrip(String(repeating: "x", count: 100_000))
        try expectRoundTrip(Int.min)
        try expectRoundTrip(UInt8.max)
        try expectRoundTrip(0.1)
        try expectRoundTrip(true)
        try expectRoundTrip(Date(timeIntervalSince1970: 1.5))
        try expectRoundTrip(Data([0, 1, 255]))
        try expectRoundTrip(UUID())
        try expectRoundTrip(Decimal(string: "12.30"))
        try expectRoundTrip(URL(string: "https://example.com/a?b"))
        try expectRoundTrip(String?.none)
        try expectRoundTrip(String?.some("a"))
        try expectRoundTrip([1, 2, 3])
        try expectRoundTrip([Int]())
        try expectRoundTrip(Set(["a", "b"]))
        try expectRoundTrip(["a": [1], "b": []])
        try expectRoundTrip(Status.blocked)
        try expectRoundTrip(Guest(name: "Ruby", age: 30, friends: [Guest(name: "Zorg", age: 52)]))
        try expectRoundTrip(Card(number: "4111"))
        try expectRoundTrip([Card(number: "4111"), Card(number: "5500", isValid: false)])
    }

    @Test func aSealedValue_has33BytesMore() throws {
        #expect(try keys.seal(Int8(1), at: place).opaqueBytes.count == 33 + 1)
        #expect(try keys.seal("four", at: place).opaqueBytes.count == 33 + 5)
    }

    @Test func records_keepSealedValues() throws {
        let store = try Store.temporary(records: [Person.self, Seat.self])
        var person = Person(id: 1, name: "Korben")
        #expect(try person.open(\.diary, with: keys) == nil)
        try person.seal("Big badaboom", in: \.diary, with: keys)
        let guest = Guest(name: "Ruby", age: 30)
        let seat = Seat(
            room: "A", number: 7, guest: try keys.seal(guest, in: \Seat.guest, of: Tuple("A", 7)))
        try store.write { context in
            try context.insert(person)
            try context.insert(seat)
        }
        let storedPerson = try #require(try Person.get(in: store, id: 1))
        #expect(storedPerson == person)
        #expect(try storedPerson.open(\.diary, with: keys) == "Big badaboom")
        let storedSeat = try #require(try Seat.get(in: store, room: "A", number: 7))
        #expect(try storedSeat.open(\.guest, with: keys) == guest)
        #expect(try keys.open(storedSeat.guest, in: \Seat.guest, of: storedSeat.indexKey) == guest)
        #expect(Person.schema.layout == "(id:Int64){name:String,diary:Data?,letter:Data?,emailPrint:enum<UInt128>?}")
    }

    @Test func sealedValuesInsideOthers_open() throws {
        let store = try Store.temporary(records: [Vault.self])
        func place(_ property: String) -> SealedPlace {
            SealedPlace(property: property, keyPrefix: Vault.keyPrefix, key: StoredKey(1, of: Vault.self))
        }
        let box = Box(
            number: 3, code: try keys.seal(1234, at: place("box.code")),
            hint: try keys.seal("birthday", at: place("box.hint")))
        let codes = try (0..<3).map { try keys.seal($0, at: place("codes")) }
        try store.insert(Vault(id: 1, box: box, codes: codes))
        let vault = try #require(try Vault.get(in: store, id: 1))
        #expect(vault == Vault(id: 1, box: box, codes: codes))
        #expect(try keys.open(vault.box.code, at: place("box.code")) == 1234)
        #expect(try vault.box.hint.map { try keys.open($0, at: place("box.hint")) } == "birthday")
        #expect(try vault.codes.map { try keys.open($0, at: place("codes")) } == [0, 1, 2])
        // A key path into a value is no stored property.
        #expect(throws: StoreError.self) { _ = try keys.open(vault.box.code, in: \Vault.box.code, of: 1) }
    }

    @Test func nilIsFound_andValuesAreNot() throws {
        let store = try Store.temporary(records: [Person.self])
        var person = Person(id: 1, name: "Korben")
        try person.seal("Big badaboom", in: \.diary, with: keys)
        let (sealed, other) = (person, Person(id: 2, name: "Leeloo"))
        try store.insert(contentsOf: [sealed, other])
        #expect(try Person.filter(\.diary == nil).keys(in: store) == [2])
        #expect(try Person.filter(\.diary != nil).keys(in: store) == [1])
    }

    @Test func queriesOfOtherProperties_openNothing() throws {
        let store = try Store.temporary(records: [Person.self])
        // Bytes that do not open: a query that opened them would fail.
        try store.insert(
            contentsOf: (1...20).map {
                Person(id: $0, name: "P\($0 % 3)", diary: Sealed(opaqueBytes: [UInt8($0), 0, 1]))
            })
        #expect(try Person.filter(\.name == "P1").count(in: store) == 7)
        #expect(try Person.filter(\.name == "P1").sorted(by: \.name).resolve(in: store).count == 7)
        #expect(try Person.query().select(\.name).resolve(in: store).count == 20)
        #expect(try Person.filter(\.name == "P0").update(in: store) { $0.name = "P" } == 6)
        #expect(try Person.get(in: store, id: 20)?.diary?.opaqueBytes == [20, 0, 1])
    }

    @Test func randomValues_comeBack() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let store = try Store.temporary(records: [Person.self])
        var texts: [Int: String] = [:]
        var keys = try SealingKeys.sample()
        for round in 0..<200 {
            let id = Int.random(in: 0..<40, using: &generator)
            var person = try Person.get(in: store, id: id) ?? Person(id: id, name: "")
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                person.diary = nil
                texts[id] = nil
            case 1:
                try person.reseal(\.diary, with: keys)
            case 2 where round % 40 == 0:
                let number = UInt8(round / 40 + 2)
                if !keys.numbers.contains(number) { try keys.rotate(to: SealingKeys.bytes(number), number: number) }
            default:
                let count = Int.random(in: 0..<300, using: &generator)
                let text = String((0..<count).map { _ in "aé漢😀\n".randomElement(using: &generator) ?? " " })
                try person.seal(text, in: \.diary, with: keys)
                texts[id] = text
            }
            try store.insert(person)
            #expect(try person.open(\.diary, with: keys) == texts[id], "seed \(seed), round \(round)")
        }
        for person in try Person.query().resolve(in: store) {
            #expect(try person.open(\.diary, with: keys) == texts[person.id], "seed \(seed), id \(person.id)")
        }
        #expect(try Person.query().count(in: store) > 10, "seed \(seed)")
    }

    @Test func codable_hasTheSealedBytes() throws {
        let sealed = try keys.seal("secret", at: place)
        let json = try JSONEncoder().encode([sealed])
        #expect(try JSONDecoder().decode([String].self, from: json) == [Data(sealed.opaqueBytes).base64EncodedString()])
        #expect(try JSONDecoder().decode([Sealed<String>].self, from: json) == [sealed])
    }

    @Test func theValue_isNotShown() throws {
        var person = Person(id: 1, name: "Korben")
        try person.seal("secret", in: \.diary, with: keys)
        var text = "\(person) \(String(reflecting: person)) \(String(describing: person.diary)) \(keys) "
        dump(person, to: &text)
        dump(keys, to: &text)
        text += String(reflecting: keys)
        #expect(!text.contains("secret"))
        #expect(!text.contains("\(SealingKeys.bytes(1)[5]), \(SealingKeys.bytes(1)[6])"))
        #expect(text.contains("sealed value of 40 bytes, key 1"))
        #expect("\(keys)" == "sealing keys 1, current 1")
    }
}
#endif
