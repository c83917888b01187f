// A value that was changed or moved, or whose key is missing, does not open: the error names its place.

#if canImport(CryptoKit) || Encryption
import Foundation
import Testing
import Trove
import TroveCrypto

@Suite struct AuthenticityTests {
    private let keys: SealingKeys
    private let person: Person
    private let sealed: Sealed<String>

    init() throws {
        keys = try .sample()
        var person = Person(id: 1, name: "Korben")
        try person.seal("secret", in: \.diary, with: keys)
        self.person = person
        sealed = try #require(person.diary)
    }

    private func error(
        _ sealed: Sealed<String>, in property: KeyPath<Person, Sealed<String>?> = \.diary, of id: Int = 1,
        keys: SealingKeys? = nil
    ) -> SealingError? {
        sealingError { _ = try (keys ?? self.keys).open(sealed, in: property, of: id) }
    }

    private func place(_ property: String = "diary", _ id: Int = 1) -> SealedPlace {
        SealedPlace(property: property, keyPrefix: Person.keyPrefix, key: StoredKey(id, of: Person.self))
    }

    @Test func everyFlippedBit_isNoticed() throws {
        for index in sealed.opaqueBytes.indices {
            for bit in 0..<8 {
                var bytes = sealed.opaqueBytes
                bytes[index] ^= 1 << UInt8(bit)
                let error = error(Sealed(opaqueBytes: bytes))
                let expected =
                    index == 0
                    ? SealingError.unknownKey(number: bytes[0], place: place()) : .notAuthentic(place: place())
                #expect(error == expected, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test func theNumberOfTheKey_isAuthenticated() throws {
        // The same bytes under two numbers, by mistake.
        var keys = keys
        try keys.add(SealingKeys.bytes(1), number: 0)
        var bytes = sealed.opaqueBytes
        bytes[0] = 0
        #expect(error(Sealed(opaqueBytes: bytes), keys: keys) == .notAuthentic(place: place()))
    }

    @Test func everyCut_isNoticed() throws {
        let bytes = sealed.opaqueBytes
        for count in bytes.indices {
            let expected: SealingError =
                count < 33 ? .tooShort(size: count, place: place()) : .notAuthentic(place: place())
            #expect(error(Sealed(opaqueBytes: Array(bytes.prefix(count)))) == expected, "\(count) bytes")
            if count > 0 {
                #expect(error(Sealed(opaqueBytes: Array(bytes.dropFirst(count)))) != nil, "without the first \(count)")
            }
        }
        #expect(error(Sealed(opaqueBytes: bytes + [0])) == .notAuthentic(place: place()))
        #expect(error(sealed) == nil)
    }

    @Test func aMovedValue_doesNotOpen() throws {
        #expect(error(sealed, of: 2) == .notAuthentic(place: place("diary", 2)))
        #expect(error(sealed, in: \.letter) == .notAuthentic(place: place("letter")))
        var otherType = place()
        otherType.keyPrefix += 1
        #expect(sealingError { _ = try keys.open(sealed, at: otherType) } == .notAuthentic(place: otherType))
        // A shift of bytes between the name of the property and the key.
        let first = SealedPlace(property: "ab", keyPrefix: 1, key: StoredKey([99], of: "T"))
        let second = SealedPlace(property: "a", keyPrefix: 1, key: StoredKey([98, 99], of: "T"))
        let shifted = try keys.seal(1, at: first)
        #expect(sealingError { _ = try keys.open(shifted, at: second) } == .notAuthentic(place: second))
        #expect(try keys.open(shifted, at: first) == 1)
    }

    @Test func aMovedValueInAStore_doesNotOpen() throws {
        let store = try Store.temporary(records: [Person.self])
        try store.insert(contentsOf: [person, Person(id: 2, name: "Zorg", diary: person.diary)])
        let thief = try #require(try Person.get(in: store, id: 2))
        #expect(
            sealingError { _ = try thief.open(\.diary, with: keys) } == .notAuthentic(place: place("diary", 2)))
    }

    @Test func anotherKeyOrLabel_doesNotOpen() throws {
        let other = try SealingKeys(SealingKeys.bytes(2), number: 1)
        #expect(error(sealed, keys: other) == .notAuthentic(place: place()))
        let labeled = try SealingKeys(SealingKeys.bytes(1), number: 1, label: "notes")
        #expect(error(sealed, keys: labeled) == .notAuthentic(place: place()))
        let numbered = try SealingKeys.sample(9)
        #expect(error(sealed, keys: numbered) == .unknownKey(number: 1, place: place()))
        #expect(sealingError { _ = try SealingKeys([1, 2, 3]) } == .wrongKeySize(number: 1, size: 3))
        #expect(sealingError { _ = try SealingKeys([UInt8](repeating: 1, count: 33)) } != nil)
        var keys = keys
        #expect(sealingError { try keys.rotate(to: SealingKeys.bytes(2), number: 1) } == .keyNumberTaken(1))
        #expect(sealingError { try keys.add(SealingKeys.bytes(2), number: 1) } == .keyNumberTaken(1))
        #expect(keys.current == 1 && keys.numbers == [1])
    }

    @Test func anotherType_isReported() throws {
        let place = place()
        func opened<Value: Codable & Sendable>(_ type: Value.Type, _ bytes: [UInt8]) -> SealingError? {
            sealingError { _ = try keys.open(Sealed<Value>(opaqueBytes: bytes), at: place) }
        }
        #expect(opened(Data.self, sealed.opaqueBytes) == .otherLayout(type: "Data", place: place))
        #expect(opened(Card.self, sealed.opaqueBytes) == .otherLayout(type: "Card", place: place))
        // A case that the enum no longer has, and JSON without a property.
        enum Former: String, Codable, RecordValue { case gone }
        let former = try keys.seal(Former.gone, at: place)
        #expect(opened(Status.self, former.opaqueBytes) == .undecodable(type: "Status", place: place))
        let card = try keys.seal(FormerTypes.Card(digits: "4111"), at: place)
        #expect(opened(Card.self, card.opaqueBytes) == .undecodable(type: "Card", place: place))
        #expect(try keys.open(card, at: place).digits == "4111")
    }

    private enum FormerTypes {
        struct Card: Codable { var digits: String }
    }

    @Test func aValueWithoutBytes_isNotSealed() throws {
        struct Refusing: Codable {
            init() {}
            init(from decoder: any Decoder) throws { self.init() }
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue("secret", .init(codingPath: [], debugDescription: "secret"))
            }
        }
        let error = sealingError { _ = try keys.seal(Refusing(), at: place()) }
        #expect(error == .unencodable(type: "Refusing", place: place()))
        #expect(sealingError { _ = try keys.seal(Set([Double.nan, .nan]), at: place()) } != nil)
    }

    @Test func errors_nameThePlace_andNotTheValue() throws {
        let errors: [SealingError] = [
            .unknownKey(number: 3, place: place()), .tooShort(size: 3, place: place()), .notAuthentic(place: place()),
            .otherLayout(type: "Card", place: place()), .undecodable(type: "Card", place: place()),
            .unencodable(type: "Card", place: place()),
        ]
        for error in errors {
            #expect(error.place == place())
            #expect(error.description.contains("Person.diary of the record id: 1"), "\(error)")
            #expect(error.localizedDescription == error.description)
        }
        #expect(SealingError.wrongKeySize(number: 3, size: 16).description.contains("16 bytes"))
        #expect(SealingError.keyNumberTaken(3).place == nil)
    }

    @Test func aPathThatIsNotStored_isRefused() throws {
        #expect(throws: StoreError.self) { _ = try keys.seal("x", in: \Person.computed, of: 1) }
        #expect(throws: StoreError.self) { _ = try keys.open(sealed, in: \Person.computed, of: 1) }
        #expect(throws: StoreError.self) { _ = try keys.fingerprint(of: "x", in: \Person.computed) }
    }
}

extension Person {
    var computed: Sealed<String>? { diary }
}
#endif
