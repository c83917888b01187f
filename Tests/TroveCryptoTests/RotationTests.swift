// Old keys, new keys, renamed properties, and fingerprints.

#if canImport(CryptoKit) || Encryption
import Foundation
import Testing
import Trove
import TroveCrypto
import TroveTestSupport

enum Former {
    @IndexKeyRecord(keyPrefix: 4711, "id")
    struct Human {
        let id: Int
        var diary: Sealed<String>?
    }
}

enum Later {
    @IndexKeyRecord(keyPrefix: 4711, "id")
    struct Human {
        let id: Int
        @Renamed("diary") var journal: Sealed<String>?
    }
}

@Suite struct RotationTests {
    /// Seals all diaries again, in transactions of three records, and returns the numbers of the changed records.
    private func rotate(_ store: Store, to keys: SealingKeys, stopsAfter limit: Int = .max) throws -> Int {
        var last: Int?
        var (changed, transactions) = (0, 0)
        repeat {
            if transactions == limit { return changed }
            transactions += 1
            let start = last
            let (end, count) = try store.write { context in
                let page = try Person.select(in: context, limit: 3, after: start)
                var count = 0
                for var person in page where try person.reseal(\.diary, with: keys) {
                    try context.insert(person)
                    count += 1
                }
                return (page.last?.id, count)
            }
            last = end
            changed += count
        } while last != nil
        return changed
    }

    @Test func rotation_canBeStoppedAndRepeated() throws {
        let store = try Store.temporary(records: [Person.self])
        let old = try SealingKeys.sample(1)
        for id in 1...20 {
            var person = Person(id: id, name: "")
            if id % 4 != 0 { try person.seal("day \(id)", in: \.diary, with: old) }
            try store.insert(person)
        }
        var keys = old
        try keys.rotate(to: SealingKeys.bytes(2), number: 2)
        #expect(try rotate(store, to: keys, stopsAfter: 2) == 5)
        // Both keys are in use, and all values open.
        let numbers = try Person.query().resolve(in: store).compactMap(\.diary?.keyNumber)
        #expect(Set(numbers) == [1, 2])
        for person in try Person.query().resolve(in: store) where person.diary != nil {
            #expect(try person.open(\.diary, with: keys) == "day \(person.id)")
        }
        #expect(try rotate(store, to: keys) == 10)
        #expect(try rotate(store, to: keys) == 0)
        // The old key is no longer needed.
        let new = try SealingKeys.sample(2)
        for person in try Person.query().resolve(in: store) where person.diary != nil {
            #expect(try person.open(\.diary, with: new) == "day \(person.id)")
        }
    }

    @Test func anUnknownOldKey_isReportedByTheRotation() throws {
        var person = Person(id: 1, name: "")
        try person.seal("x", in: \.diary, with: .sample(1))
        let sealed = person.diary
        let error = sealingError { try person.reseal(\.diary, with: .sample(2)) }
        guard case .unknownKey(number: 1, let place)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(place.property == "diary")
        #expect(person.diary == sealed)
    }

    @Test func aRenamedProperty_opens() throws {
        let directory = try TemporaryDirectory()
        let keys = try SealingKeys.sample()
        var former = Former.Human(id: 1)
        try former.seal("x", in: \.diary, with: keys)
        do {
            let store = try Store(path: directory.path("a.trove"), records: [Former.Human.self])
            try store.insert(former)
        }
        let store = try Store(path: directory.path("a.trove"), records: [Later.Human.self])
        let human = try #require(try Later.Human.get(in: store, id: 1))
        #expect(try human.open(\.journal, with: keys) == "x")
        // A value sealed by the new name is not one of the old name.
        var new = human
        try new.seal("y", in: \.journal, with: keys)
        let journal = try #require(new.journal)
        #expect(sealingError { _ = try keys.open(journal, in: \Former.Human.diary, of: 1) } != nil)
    }

    @Test func anotherKeyOfTheRecord_needsTheFormerPlace() throws {
        let keys = try SealingKeys.sample()
        let former = SealedPlace(property: "diary", keyPrefix: 1, key: StoredKey([1], of: "Old"))
        let place = SealedPlace(property: "diary", keyPrefix: 1, key: StoredKey([2], of: "New"))
        let sealed = try keys.seal("x", at: former)
        let moved = try keys.seal(keys.open(sealed, at: former), at: place)
        #expect(try keys.open(moved, at: place) == "x")
    }

    @Test func fingerprints_findEqualValues() throws {
        let store = try Store.temporary(records: [Person.self])
        var keys = try SealingKeys.sample(1)
        for (id, email) in [(1, "a@example.com"), (2, "b@example.com"), (3, "a@example.com")] {
            var person = Person(id: id, name: "")
            try person.seal(email, in: \.diary, with: keys)
            person.emailPrint = try keys.fingerprint(of: email, in: \Person.diary)
            try store.insert(person)
        }
        let print = try keys.fingerprint(of: "a@example.com", in: \Person.diary)
        #expect(try Person.filter(\.emailPrint == print).keys(in: store) == [1, 3])
        #expect(try Person.filter(\.emailPrint == print).explain(in: store).description.contains("emailPrint"))
        // Another property, key or label has other fingerprints.
        #expect(try keys.fingerprint(of: "a@example.com", in: \Person.letter) != print)
        #expect(try SealingKeys.sample(2).fingerprint(of: "a@example.com", in: \Person.diary) != print)
        let labeled = try SealingKeys(SealingKeys.bytes(1), label: "x")
        #expect(try labeled.fingerprint(of: "a@example.com", in: \Person.diary) != print)
        // After a rotation, the old fingerprints are found, too.
        try keys.rotate(to: SealingKeys.bytes(0), number: 0)
        let prints = try keys.fingerprints(of: "a@example.com", in: \Person.diary)
        #expect(try prints == [keys.fingerprint(of: "a@example.com", in: \Person.diary), print])
        #expect(try Person.filter(.within(\.emailPrint, prints.map { $0 })).keys(in: store) == [1, 3])
    }

    /// Stored values depend on the derivation and on the grammar. These were made with another library, from the
    /// pictures in the sources: HKDF, AES-GCM and HMAC of Python's cryptography.
    @Test func theFirstVersion_opens() throws {
        let keys = try SealingKeys(SealingKeys.bytes(1), label: "sample")
        let place = SealedPlace(property: "diary", keyPrefix: 0x0102_0304, key: StoredKey([0x80, 1], of: "Person"))
        let sealed = Sealed<String>(opaqueBytes: [UInt8](try #require(Data(base64Encoded: Self.sample))))
        #expect(try keys.open(sealed, at: place) == "Big badaboom")
        let print = try SealingKeys.sample().fingerprint(of: "a", in: \Later.Human.journal)
        #expect(print.rawValue == Self.samplePrint)
    }

    private static let sample = "AQABAgMEBQYHCAkKC5t5/JxSbvi7EdVbPWpFfDqXGU6H2rfv9YCgbw+hYWPSIg=="
    private static let samplePrint: UInt128 = 0x1ae1_ace2_66f7_1551_cf5a_1fbf_0667_41f1
}
#endif
