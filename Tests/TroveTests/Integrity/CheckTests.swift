// Checks of indexes with deliberate errors: a check finds these errors and nothing else, and a rebuild repairs the
// index.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Checking indexes") struct CheckTests {
    private let file: MigratedFile
    private let prefix = Crew.prefix
    private let names = ["index(age)", "index(name,age desc)", "index(age where { $0.age >= 50 })", "unique(email)"]

    init() throws {
        file = try MigratedFile()
        try file.open(Crew.Indexed.self).insert(contentsOf: Crew.indexed(0..<60))
    }

    private func key(_ id: Int) -> [UInt8] { KeyWriter.bytes(of: id) }

    private func difference(
        _ index: String?, _ kind: IndexDifference.Kind, _ key: [UInt8], other: [UInt8]? = nil
    ) -> IndexDifference {
        IndexDifference(
            type: "Crew.Indexed", index: index, kind: kind, key: StoredKey(key, of: "Crew.Indexed"),
            other: other.map { StoredKey($0, of: "Crew.Indexed") })
    }

    @Test func whatIsSound_hasNoDifferences() throws {
        let store = try file.open(Crew.Indexed.self)
        #expect(try store.indexes(prefix).map(\.name) == names)
        #expect(try store.indexes(prefix).map(\.count) == [60, 60, 30, 40])
        #expect(try store.entries(of: store.storedIndex(prefix, names[1])).contains { $0.value.count == 12 })
        #expect(try store.check() == [])
        #expect(try store.check(Crew.Indexed.self) == [])
        #expect(try file.open().check() == [])
    }

    @Test func aMissingEntry_isFound_inEveryIndex() throws {
        let store = try file.open(Crew.Indexed.self)
        for name in names {
            let index = try store.storedIndex(prefix, name)
            // The first entry and an entry in the middle. A long entry has its record key in the value.
            for entry in [try store.entries(of: index)[0], try store.entries(of: index)[17]] {
                let recordKey = Array(entry.value.isEmpty ? entry.key.suffix(8) : entry.value.suffix(8))
                try store.remove(entry, from: index)
                #expect(try store.check() == [difference(name, .missing, recordKey)])
                try store.put(entry, into: index)
            }
        }
        #expect(try store.check() == [])
    }

    @Test func anOrphanedEntry_isFound_inEveryIndex() throws {
        let store = try file.open(Crew.Indexed.self)
        for name in names {
            let index = try store.storedIndex(prefix, name)
            let first = try store.entries(of: index)[0]
            var ofAnother = first
            ofAnother.key[0] ^= 0x40
            let entries = [
                // An entry of a missing record, an entry with another value, and two malformed keys.
                RawEntry(key: first.key.dropLast(8) + key(1_000_000), value: []), ofAnother,
                RawEntry(key: [0xFF], value: []), RawEntry(key: [0xFF, 0xFE], value: [1, 2, 3, 4, 5]),
            ]
            for entry in entries {
                try store.put(entry, into: index)
                #expect(try store.check() == [difference(name, .orphaned, entry.key)])
                try store.remove(entry, from: index)
            }
        }
        #expect(try store.check() == [])
    }

    @Test func theValueOfAnEntry_isCompared() throws {
        let store = try file.open(Crew.Indexed.self)
        let byAge = try store.storedIndex(prefix, "index(age)")
        let entry = try store.entries(of: byAge)[5]
        try store.put(RawEntry(key: entry.key, value: [7]), into: byAge)
        #expect(try store.check() == [difference("index(age)", .damaged, entry.key.suffix(8))])
        try store.put(entry, into: byAge)

        let byName = try store.storedIndex(prefix, "index(name,age desc)")
        let long = try #require(try store.entries(of: byName).first { !$0.value.isEmpty })
        // A changed byte of the checksum or of the key, another record's key with the right checksum, and an empty
        // value.
        var values = [0, 5, 11].map { place in
            var value = long.value
            value[place] ^= 1
            return value
        }
        values.append(StoredEntry.value(key: long.key, recordKey: key(2)[...], seed: byName.checksumSeed))
        values.append([])
        for value in values where value != long.value {
            try store.put(RawEntry(key: long.key, value: value), into: byName)
            #expect(try store.check() == [difference("index(name,age desc)", .damaged, long.value.suffix(8))])
        }
        try store.put(long, into: byName)
        #expect(try store.check() == [])
    }

    @Test func valuesThatTwoRecordsHave_areFound_alsoLongOnes() throws {
        let long = String(repeating: "x", count: 600)
        let file = try MigratedFile()
        let emails = ["a", "b", "a", "b", long, long + "y", long, "c"]
        try file.open(Crew.Lenient.self).insert(
            contentsOf: emails.enumerated().map { Crew.Lenient(id: $0, name: "", age: 0, email: $1) })
        // If the rule allows duplicates, the check reports none.
        #expect(try file.open(Crew.Lenient.self).check() == [])
        let store = try file.open(Crew.Indexed.self)
        let expected = [(2, 0), (3, 1), (6, 4)].map { later, earlier in
            difference("unique(email)", .notUnique, key(later), other: key(earlier))
        }
        #expect(try store.check() == expected)
    }

    @Test func differences_areBounded() throws {
        let file = try MigratedFile(of: Crew.plain(0..<1500))
        let store = try file.open(Crew.ByAge.self)
        let index = try store.storedIndex(prefix, "index(age)")
        let entries = try store.entries(of: index)
        try store.write { context in
            try context.keyspace.deleteAll(index.database)
            context.noteChange()
        }
        #expect(try store.check().count == 1000)
        for entry in entries { try store.put(RawEntry(key: entry.key + [1], value: []), into: index) }
        #expect(try store.check().count == 1000)
    }

    @Test func aDifference_namesIndexAndKey() {
        let descriptions = [
            difference("index(age)", .missing, [1, 0xAB]), difference("index(age)", .orphaned, [2]),
            difference("index(age)", .damaged, [3]), difference("unique(email)", .notUnique, [4], other: [5]),
            difference(nil, .damagedRecord, [6]),
        ].map(\.description)
        #expect(
            descriptions == [
                "Crew.Indexed, index(age): the record with the key 01ab has no entry",
                "Crew.Indexed, index(age): the entry 02 belongs to no record",
                "Crew.Indexed, index(age): the entry of the record with the key 03 is damaged",
                "Crew.Indexed, unique(email): the record with the key 04 has the same values as the record with the key 05",
                "Crew.Indexed: the record with the key 06 is damaged",
            ])
    }

    @Test func everyChangeOfTheEntries_isFoundExactly_andRepaired() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        let store = try file.open(Crew.Indexed.self)
        for _ in 0..<20 {
            var expected: Set<IndexDifference> = []
            for name in names {
                let index = try store.storedIndex(prefix, name)
                for entry in try store.entries(of: index) where Int.random(in: 0..<8, using: &random) == 0 {
                    let recordKey = Array(entry.value.isEmpty ? entry.key.suffix(8) : entry.value.suffix(8))
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0:
                        try store.remove(entry, from: index)
                        expected.insert(difference(name, .missing, recordKey))
                    case 1:
                        try store.put(RawEntry(key: entry.key, value: entry.value + [1]), into: index)
                        expected.insert(difference(name, .damaged, recordKey))
                    default:
                        let other = RawEntry(key: Array(entry.key.prefix(500)) + [1, 2, 3], value: [])
                        try store.put(other, into: index)
                        expected.insert(difference(name, .orphaned, other.key))
                    }
                }
            }
            let found = try store.check()
            #expect(Set(found) == expected && found.count == expected.count, comment)
            for index in Set(found.compactMap(\.index)) { try store.rebuild(Crew.Indexed.self, index: index) }
            #expect(try store.check() == [], comment)
        }
    }
}
