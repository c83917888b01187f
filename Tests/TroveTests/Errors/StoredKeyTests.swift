// Keys in errors: as a person writes them, as a bound of `trove dump`, and as values of their types.

import Foundation
import Testing
import Trove

@Suite("Stored keys") struct StoredKeyTests {
    private let store: Store

    init() throws { store = try Store.temporary() }

    /// Inserts a record twice. Returns the key in the error, after trying what can be done with it.
    private func key<Record: IndexKeyRecord>(
        of record: Record, among others: [Record] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        try store.insert(contentsOf: others + [record])
        let error = try #require(
            storeError { try store.insert(record, onConflict: .throw) }, sourceLocation: sourceLocation)
        let key = try #require(error.key, sourceLocation: sourceLocation)
        #expect("\(error)".contains("the key \(key) already"), sourceLocation: sourceLocation)
        #expect(error.key(as: Record.self) == record.indexKey, sourceLocation: sourceLocation)
        #expect(key == StoredKey(record.indexKey, of: Record.self), sourceLocation: sourceLocation)
        // The bound is exactly the key: `--from` finds the record first, `--to` stops before it.
        try store.read { context in
            let type = try #require(try context.storedTypes().first { $0.keyPrefix == Record.keyPrefix })
            var (first, before): ([UInt8]?, [[UInt8]]) = (nil, [])
            try context.forEachStoredRecord(of: type, in: StoredKeyRange(of: type, from: ["\(key)"])) { stored in
                first = stored.key
                return false
            }
            try context.forEachStoredRecord(of: type, in: StoredKeyRange(of: type, upTo: ["\(key)"])) { stored in
                before.append(stored.key)
                return true
            }
            #expect(first == key.bytes, sourceLocation: sourceLocation)
            #expect(!before.contains(key.bytes), sourceLocation: sourceLocation)
            // Half of the other records sort before this record.
            #expect(before.count == others.count / 2, sourceLocation: sourceLocation)
        }
        return "\(key)"
    }

    @Test func aKeyOfEachKind_isPrinted_readBack_andTyped() throws {
        typealias K = Keyed
        #expect(
            try key(of: K.ByNumber(id: 19999), among: [K.ByNumber(id: -1), K.ByNumber(id: 20000)]) == "id: 19999")
        #expect(
            try key(
                of: K.Person(lastName: "Dallas", firstName: "Korben"),
                among: [K.Person(lastName: "Dallas", firstName: "A"), K.Person(lastName: "E", firstName: "A")])
                == #"(lastName: "Dallas", firstName: "Korben")"#)
        let name = "say \"name: 1\", \\ (or\nnot)"
        #expect(
            try key(of: K.ByName(name: name), among: [K.ByName(name: "a"), K.ByName(name: "t")])
                == #"name: "say \"name: 1\", \\ (or\nnot)""#)
        let id = try #require(UUID(uuidString: "5C0D9E2A-7F5B-4C0E-9C8B-0A1B2C3D4E5F"))
        #expect(try key(of: K.ByUUID(id: id)) == "id: 5C0D9E2A-7F5B-4C0E-9C8B-0A1B2C3D4E5F")
        let at = Date(timeIntervalSinceReferenceDate: 378_691_200.25)
        #expect(
            try key(
                of: K.ByDate(at: at),
                among: [
                    K.ByDate(at: at - 0.001), K.ByDate(at: at + 0.001), K.ByDate(at: .distantPast),
                    K.ByDate(at: .distantFuture),
                ])
                == "at: 2013-01-01T00:00:00.25Z")
        #expect(try key(of: K.ByBool(isOn: true)) == "isOn: true")
        #expect(
            try key(of: K.BySize(size: 0.1), among: [K.BySize(size: -.infinity), K.BySize(size: .nan)])
                == "size: 0.1")
        #expect(try key(of: K.ByData(digest: Data([1, 2, 3]))) == "digest: AQID")
        #expect(try key(of: K.ByEnum(status: .open)) == #"status: "open""#)
        #expect(try key(of: K.ByOptional(owner: nil)) == "owner: nil")
        #expect(
            try key(of: K.ByOptional(owner: "nil"), among: [K.ByOptional(owner: nil), K.ByOptional(owner: "o")])
                == #"owner: "nil""#)
        #expect(
            try key(
                of: K.ByTuple(place: Tuple(1, "b")),
                among: [K.ByTuple(place: Tuple(1, "a")), K.ByTuple(place: Tuple(2, ""))])
                == #"place: (1, "b")"#)
        #expect(
            try key(of: K.ByStruct(seat: K.Seat(row: 3, letter: "A"))) == #"seat: (row: 3, letter: "A")"#)
        #expect(
            try key(
                of: K.ByDescending(day: Descending(5)),
                among: [K.ByDescending(day: Descending(6)), K.ByDescending(day: Descending(4))])
                == "day: 5")
        #expect(
            try key(of: K.ByMany(day: at, status: .closed, owner: nil, seat: K.Seat(row: 1, letter: ",)")))
                == #"(day: 2013-01-01T00:00:00.25Z, status: "closed", owner: nil, seat: (row: 1, letter: ",)"))"#)
    }

    @Test func componentsAlone_andTheFirstComponents_areBounds_asBefore() throws {
        try store.insert(contentsOf: ["a", "Dallas", "name: x"].map { Keyed.Person(lastName: $0, firstName: "f") })
        try store.insert(contentsOf: [1, 2].map { Keyed.ByTuple(place: Tuple($0, "a")) })
        func first<Record: IndexKeyRecord>(_ type: Record.Type, from texts: String...) throws -> FieldValue? {
            try store.read { context in
                let stored = try #require(try context.storedTypes().first { $0.keyPrefix == type.keyPrefix })
                var found: FieldValue?
                try context.forEachStoredRecord(of: stored, in: StoredKeyRange(of: stored, from: texts)) { record in
                    found = record.fields.fields.first?.value
                    return false
                }
                return found
            }
        }
        let person = Keyed.Person.self
        #expect(try first(person, from: #"(lastName: "Dallas")"#) == .string("Dallas"))
        #expect(try first(person, from: "Dallas", "f") == .string("Dallas"))
        #expect(try first(person, from: "Dallas", "g") == .string("a"))
        #expect(try first(person, from: "name: x") == .string("name: x"))
        #expect(try first(person, from: "(") == .string("Dallas"))
        #expect(try first(Keyed.ByTuple.self, from: #"(2, "a")"#) == .array([.integer(2), .string("a")]))
        #expect(
            storeError { try first(Keyed.ByTuple.self, from: "(2") }
                == .query(
                    .notAComponent(
                        type: "TroveTests.Keyed.ByTuple", component: "place", layout: "(Int64,String)", text: "(2")))
    }

    @Test func aKeyOfAnotherType_orOfAnIndexEntry_isNotTyped() throws {
        let key = StoredKey(3, of: Keyed.ByNumber.self)
        #expect(key.value(as: Keyed.ByNumber.self) == 3)
        #expect(key.value(as: Tick.self) == nil)
        #expect(key.value(as: Keyed.ByUUID.self) == nil)
        let qualified = StoredKey(key.bytes, of: "TroveTests.Keyed.ByNumber", layout: "(id:Int64)")
        #expect(qualified.value(as: Keyed.ByNumber.self) == 3)
        #expect(StoredKey(key.bytes, of: "Keyed.ByNumber").value(as: Keyed.ByNumber.self) == nil)
        #expect(StoredKey([1], of: "Keyed.ByNumber", layout: "(id:Int64)").value(as: Keyed.ByNumber.self) == nil)
        #expect(StoreError.transaction(.readOnly(path: "/p")).key == nil)
        let person = StoredKey([1], of: "Person")
        #expect(StoreError.record(.collisionRuleRepeats(type: "Person", index: "unique(a)", key: person)).key == person)
        let other = StoredKey([2], of: "Pet")
        #expect(
            StoreError.entity(.deleteDenied(type: "Person", key: person, relation: "Person.pets", other: other)).key
                == person)
        #expect(StoreError.query(.noContinuation(type: "Person", key: person)).key == person)
        #expect(StoreError.live(.recordGone(type: "Person", key: person)).key == person)
        #expect(StoreError.schema(.keysCollide(type: "Person", key: person, records: [other])).key == person)
        #expect(
            StoreError.schema(.relationNotUnique(relation: "Person.pets", owner: person, targets: [other])).key
                == person)
        #expect(StoreError.text(.noGatheredText(type: "Person")).key == nil)
        #expect(StoreError.file(.notAFileURL(url: "a")).key == nil)
        #expect(StoreError.transaction(.readOnly(path: "/p")).key(as: Keyed.ByNumber.self) == nil)
    }

    @Test func whereNoLayoutIsKnown_theKeyIsHexadecimal_andTypedAllTheSame() throws {
        try store.insert(Keyed.BySealed(seal: Keyed.Sealed(0xAB)))
        let error = try #require(
            storeError { try store.insert(Keyed.BySealed(seal: Keyed.Sealed(0xAB)), onConflict: .throw) })
        #expect("\(error)".contains("the key ab already"))
        #expect(error.key(as: Keyed.BySealed.self) == Keyed.Sealed(0xAB))
        #expect("\(StoredKey([1], of: "P", layout: "(id:Int64)"))" == "01")
        #expect("\(StoredKey([1], of: "P", layout: "(id:"))" == "01")
    }

    @Test func aKey_inJSON_hasItsText() throws {
        let key = StoredKey("a", of: Keyed.ByName.self)
        let json = try JSONEncoder().encode(key)
        #expect(String(decoding: json, as: UTF8.self).contains(#""text":"name: \"a\"""#))
        let read = try JSONDecoder().decode(StoredKey.self, from: json)
        #expect(read == key && read.layout == key.layout && "\(read)" == "\(key)")
    }
}
