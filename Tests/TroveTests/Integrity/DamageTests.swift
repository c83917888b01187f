// A flipped bit anywhere causes a typed error or, with checksums off, at worst another value; never a trap.

import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("key")
private struct Sample: Hashable {
    let key: String
    var number: Int
    var flag: Bool
    var text: String
    var list: [String]
    var table: [String: Int]
    var note: String?
    var moment: Date
}

@Suite("Damage") struct DamageTests {
    let directory: TemporaryDirectory
    let path: String
    private let sample = Sample(
        key: "key", number: 1 << 40, flag: true, text: "ein Täxt", list: ["a", "", "bc"], table: ["x": 1, "y": 2],
        note: "note", moment: Date(timeIntervalSinceReferenceDate: 1.5))

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("damage.trove")
    }

    private func open(verifying: Bool) throws -> Store {
        try Store(path: path, options: StoreOptions(durability: .noSync, verifiesChecksums: verifying))
    }

    private func environment() throws -> Environment {
        try Environment(path: path, options: EnvironmentOptions(durability: .noSync))
    }

    @Test func aFlippedBit_inARecord_isFound() throws {
        try open(verifying: false).insert(sample)
        let (plain, verifying) = (try open(verifying: false), try open(verifying: true))
        let environment = try environment()
        let name = try #require(try environment.databaseNames().first { $0 != "trove" })
        let table = try environment.openDatabase(name)
        let key = KeyWriter.bytes(of: sample.key)
        let value = try #require(try environment.read { try $0.get(key, from: table) })

        for index in value.indices {
            for bit in 0..<8 {
                var damaged = value
                damaged[index] ^= 1 << bit
                try environment.write { try $0.put(damaged, for: key, in: table) }
                let mismatch = StoreError.record(
                    .checksumMismatch(type: "Sample", key: StoredKey("key", of: Sample.self)))
                #expect(storeError { try verifying.get(Sample.self, key: "key") } == mismatch)
                #expect(storeError { try Sample.query().resolve(in: verifying) } == mismatch)
                #expect(storeError { try Sample.query().select(\.flag).resolve(in: verifying) } == mismatch)
                try expectValueOrStoreError { try plain.get(Sample.self, key: "key") }
                try expectValueOrStoreError { try Sample.query().select(\.number, \.note, \.moment).resolve(in: plain) }
            }
        }
        for length in value.indices {
            try environment.write { try $0.put(Array(value.prefix(length)), for: key, in: table) }
            #expect(storeError { try verifying.get(Sample.self, key: "key") } != nil)
            #expect(storeError { try plain.get(Sample.self, key: "key") } != nil)
            try expectValueOrStoreError { try Sample.query().select(\.number, \.note, \.moment).resolve(in: plain) }
        }
        try environment.write { try $0.put(value, for: key, in: table) }
        #expect(try verifying.get(Sample.self, key: "key") == sample)
    }

    @Test func aValueUnderAnotherKey_isFound() throws {
        let (plain, verifying) = (try open(verifying: false), try open(verifying: true))
        try plain.insert(contentsOf: [Tick(number: 1, note: "one"), Tick(number: 2, note: "two")])
        let environment = try environment()
        let name = try #require(try environment.databaseNames().first { $0 != "trove" })
        let table = try environment.openDatabase(name)
        let (one, two) = (KeyWriter.bytes(of: 1), KeyWriter.bytes(of: 2))
        try environment.write { transaction in
            let value = try #require(try transaction.get(one, from: table))
            try transaction.put(value, for: two, in: table)
        }
        #expect(
            storeError { try verifying.get(Tick.self, key: 2) }
                == .record(.checksumMismatch(type: "Tick", key: StoredKey(2, of: Tick.self))))
        #expect(try plain.get(Tick.self, key: 2)?.note == "one")
    }

    @Test func aDamagedKey_isFound() throws {
        let store = try open(verifying: false)
        try store.insert(sample)
        let environment = try environment()
        let name = try #require(try environment.databaseNames().first { $0 != "trove" })
        let table = try environment.openDatabase(name)
        try environment.write { transaction in
            let value = try #require(try transaction.get(KeyWriter.bytes(of: "key"), from: table))
            try transaction.put(value, for: [0xFF, 0xFE], in: table)
        }
        let error = storeError { try Sample.query().keys(in: store) }
        guard case .record(.corrupted("Sample", StoredKey([0xFF, 0xFE], of: "Sample"), let reason)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.offset <= 2)
        #expect(storeError { try Sample.query().resolve(in: store) } != nil)
        #expect(try Sample.query().count(in: store) == 2)
    }

    @Test func aFlippedBit_inTheCatalog_isFound() throws {
        try open(verifying: false).insert(sample)
        try open(verifying: false).insert(Tick(number: 1, note: ""))
        var entries: [(key: [UInt8], value: [UInt8])] = []
        do {
            let environment = try environment()
            let catalog = try environment.openDatabase("trove")
            try environment.read { transaction in
                try transaction.scan(catalog) { key, value in
                    entries.append(
                        (
                            unsafe key.withUnsafeBytes { unsafe Array($0) },
                            unsafe value.withUnsafeBytes { unsafe Array($0) }
                        ))
                    return .continue
                }
            }
        }
        #expect(entries.count == 7)
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for (key, value) in entries {
            for index in value.indices {
                var damaged = value
                damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                try write(damaged, for: key)
                let error = storeError {
                    let store = try open(verifying: false)
                    _ = try store.get(Tick.self, key: 1)
                    _ = try store.commitSequence
                }
                #expect(error != nil, "byte \(index) of entry \(key), TROVE_TEST_SEED=\(seed)")
                try expectValueOrStoreError { try open(verifying: false).insert(Tick(number: 1, note: "")) }
            }
            try write(nil, for: key)
            try expectValueOrStoreError { try open(verifying: false).get(Tick.self, key: 1) }
            try write(value, for: key)
        }
        #expect(try open(verifying: false).get(Tick.self, key: 1) != nil)
    }

    @Test func aDamagedRecord_isNotCopied() throws {
        let store = try open(verifying: false)
        try store.insert(contentsOf: (0..<100).map { Tick(number: $0, note: "note \($0)") })
        try store.insert(sample)
        let environment = try environment()
        let name = String(Tick.keyPrefix, radix: 16, uppercase: true)
        let table = try environment.openDatabase(
            try #require(try environment.databaseNames().first { $0.contains(name) }))
        let key = KeyWriter.bytes(of: 77)
        let value = try #require(try environment.read { try $0.get(key, from: table) })
        var damaged = value
        damaged[value.count - 1] ^= 1
        try environment.write { try $0.put(damaged, for: key, in: table) }
        for compacting in [false, true] {
            let error = storeError { try store.copy(to: directory.path("copy.trove"), compacting: compacting) }
            let key = StoredKey(key, of: "TroveTests.Tick")
            #expect(error == .record(.checksumMismatch(type: "TroveTests.Tick", key: key)))
            #expect(try directory.names() == ["damage.trove", "damage.trove-lock"])
        }
        try environment.write { try $0.put(value, for: key, in: table) }
        try store.copy(to: directory.path("copy.trove"))
        #expect(try directory.names() == ["copy.trove", "damage.trove", "damage.trove-lock"])
    }

    @Test func aDamagedCatalog_isNotCopied() throws {
        let store = try open(verifying: false)
        try store.insert(sample)
        let environment = try environment()
        let catalog = try environment.openDatabase("trove")
        // The commit sequence; opening does not read it.
        let value = try #require(try environment.read { try $0.get([1], from: catalog) })
        try write([value[0] ^ 1] + value.dropFirst(), for: [1])
        let error = storeError { try store.copy(to: directory.path("copy.trove")) }
        #expect(error == .record(.checksumMismatch(type: "catalog", key: StoredKey([1], of: "catalog"))))
        #expect(try directory.names() == ["damage.trove", "damage.trove-lock"])
    }

    @Test func aLayoutWithoutItsType_isPassedOver() throws {
        try open(verifying: false).insert(Tick(number: 1, note: ""))
        try write(nil, for: [3] + Tick.schema.keyPrefix.bigEndianBytes)
        try open(verifying: false).insert(Tick(number: 2, note: ""))
        #expect(try Tick.query().keys(in: open(verifying: false)) == [1, 2])
    }

    @Test func aMissingTable_isAnError() throws {
        try open(verifying: false).insert(Tick(number: 1, note: ""))
        do {
            let environment = try environment()
            let name = try #require(try environment.databaseNames().first { $0 != "trove" })
            try environment.dropDatabase(name)
        }
        guard case .record(.corrupted) = storeError({ try open(verifying: false) }) else {
            Issue.record("opened")
            return
        }
    }

    private func write(_ value: [UInt8]?, for key: [UInt8]) throws {
        let environment = try environment()
        let catalog = try environment.openDatabase("trove")
        try environment.write { transaction in
            if let value {
                try transaction.put(value, for: key, in: catalog)
            } else {
                try transaction.delete(key, from: catalog)
            }
        }
    }

    private func expectValueOrStoreError(_ body: () throws -> some Any) throws {
        do {
            _ = try body()
        } catch is StoreError {}
    }
}

extension UInt32 {
    fileprivate var bigEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * $0)) } }
}
