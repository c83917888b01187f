// Damaged records among thousands of others. Indexes are built and checked without them, and they are reported until
// they are deleted.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Damaged records and their indexes") struct DamagedRecordTests {
    private let prefix = Crew.prefix

    /// A damage to the bytes of a record.
    private enum Damage: CaseIterable {
        case cut, overwritten, length, lastByte

        func apply(to value: inout [UInt8]) {
            switch self {
            case .cut: value = Array(value.prefix(3))
            case .overwritten: value = [UInt8](repeating: 0xFF, count: value.count)
            case .length: value[8] = 0xFF
            // The record can be decoded, with other contents.
            case .lastByte: value[value.count - 1] ^= 1
            }
        }
    }

    private func key(_ id: Int) -> [UInt8] { KeyWriter.bytes(of: id) }

    private func storedKey(_ id: Int) -> StoredKey { StoredKey(id, of: Crew.Indexed.self) }

    private func damaged(_ ids: [Int]) -> [IndexDifference] {
        ids.sorted().map { IndexDifference(type: "Crew.Indexed", index: nil, kind: .damagedRecord, key: storedKey($0)) }
    }

    private func mismatch(_ id: Int) -> StoreError {
        .record(.checksumMismatch(type: "Crew.Indexed", key: storedKey(id)))
    }

    private func setValue(_ id: Int, in store: Store, _ change: (inout [UInt8], StoredType) -> Void) throws {
        let type = try store.storedType(prefix)
        try store.write { context in
            var value: [UInt8] = []
            let key = key(id)
            _ = try unsafe context.keyspace.withValue(type.records, key.span.bytes) { value = copiedBytes($0) }
            change(&value, type)
            _ = try unsafe context.keyspace.put(type.records, key.span.bytes, size: value.count) { bytes in
                copyBytes(unsafe value.span.bytes, into: &bytes)
            }
            context.noteChange()
        }
    }

    private func damage(_ id: Int, _ damage: Damage, in store: Store) throws {
        try setValue(id, in: store) { value, _ in damage.apply(to: &value) }
    }

    /// Deletes records, and expects an intact store afterwards.
    private func delete(_ ids: [Int], in store: Store) throws {
        for id in ids { #expect(try store.delete(Crew.Indexed.self, key: id, ignoringDamage: true)) }
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.check() == [])
    }

    // MARK: Building indexes

    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily])
    func indexes_areBuiltFromTheIntactRecords(_ policy: MigrationPolicy) throws {
        let file = try MigratedFile(of: Crew.plain(0..<1200))
        let ids = [0, 7, 700, 701, 1199]
        do {
            let store = try file.open()
            for (id, kind) in zip(ids, Damage.allCases + [.cut]) { try damage(id, kind, in: store) }
        }
        let store = try file.open(Crew.Indexed.self, migrations: policy)
        if policy == .lazily { #expect(storeError { try store.finishMigrations() } == mismatch(0)) }
        while try store.indexes(prefix).isEmpty || !store.unreadyIndexes(prefix).isEmpty { sched_yield() }
        // Reported damage does not cause another search for duplicates.
        while try store.read({ try $0.catalogStorage().type(prefix)?.indexes[4]?.mayHaveDuplicates }) == true {
            sched_yield()
        }
        try store.finishMigrations()
        #expect(try store.check() == damaged(ids))
        #expect(try store.check(Crew.Indexed.self) == damaged(ids))
        #expect(try Crew.Indexed.filter(\.age == Crew.plain(5..<6)[0].age).count(in: store) == 12)
        try delete(ids, in: store)
    }

    @Test func aRebuild_skipsDamagedRecords_andReportsTheFirst() throws {
        let file = try MigratedFile()
        let store = try file.open(Crew.Indexed.self)
        try store.insert(contentsOf: Crew.indexed(0..<600))
        let ids = [12, 400, 402]
        for (id, kind) in zip(ids, Damage.allCases) { try damage(id, kind, in: store) }
        #expect(storeError { try store.rebuild(Crew.Indexed.self, index: "index(name,age desc)") } == mismatch(12))
        #expect(storeError { try store.rebuild() } == mismatch(12))
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.indexes(prefix).first?.count == 597)
        #expect(try store.check() == damaged(ids))
        try delete(ids, in: store)
        try store.rebuild()
        #expect(try store.check() == [])
    }

    @Test func notAllOfThem_areReported() throws {
        let file = try MigratedFile(of: Crew.plain(0..<600))
        let store = try file.open(Crew.Indexed.self, migrations: .lazily)
        for id in 0..<50 { try damage(id * 12, .overwritten, in: store) }
        let steps = BuildSize(bytes: 0, readTime: .zero, writeTime: .zero, rests: false)
        let reports = try Store.buildIndexes(of: Crew.Indexed.self, in: store, steps) { _ in }
        #expect(reports == (0..<10).map { mismatch($0 * 12) })
        #expect(try store.check() == damaged((0..<50).map { $0 * 12 }))
    }

    @Test func aCollision_isReportedWithDamagedRecords() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        try file.write([Crew.Plain(id: 301, name: "", age: 0, email: "crew100@ship")])
        try damage(200, .cut, in: file.open())
        let store = try file.open()
        let reports = try Store.buildIndexes(of: Crew.Indexed.self, in: store, .large) { _ in }
        #expect(
            reports == [
                mismatch(200),
                .record(
                    .notUnique(
                        type: "Crew.Indexed", index: "unique(email)", key: storedKey(301), existing: storedKey(100))),
            ])
        #expect(try store.check(Crew.Indexed.self).map(\.kind) == [.damagedRecord, .notUnique])
    }

    @Test func duringABuild_aUniqueValue_isComparedWithIntactRecords() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        let store = try file.open(Crew.Indexed.self, migrations: .lazily)
        try damage(100, .overwritten, in: store)
        try store.insert(Crew.Indexed(id: 900, name: "", age: 1, email: "new@ship"))
        #expect(
            storeError { try store.insert(Crew.Indexed(id: 901, name: "", age: 1, email: "crew200@ship")) }
                == .record(
                    .notUnique(
                        type: "Crew.Indexed", index: "unique(email)", key: storedKey(901), existing: storedKey(200))))
        #expect(storeError { try store.finishMigrations() } == mismatch(100))
        try delete([100], in: store)
    }

    /// A later program may be able to decode the record, so it must not be missing in an index: an index is not built
    /// while its entries of the record are unknown.
    @Test func anIntactRecordThatIsNotEvenOfItsLayout_keepsItsIndexesFromBeingBuilt() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        try setValue(100, in: file.open()) { value, type in
            let key = key(100)
            value = [UInt8](repeating: 0xFF, count: 20)
            unsafe value.withUnsafeMutableBytes { value in
                var bytes = unsafe value.mutableBytes
                StoredValue.seal(
                    &bytes, Crew.Plain.fieldsVersion, key: unsafe key.span.bytes, seed: type.checksumSeed)
            }
        }
        let store = try file.open(Crew.Indexed.self)
        #expect(try store.unreadyIndexes(prefix).count == 4)
        guard case .record(.unreadable(_, let key, _, _))? = storeError({ try store.finishMigrations() }) else {
            Issue.record("the record was skipped")
            return
        }
        #expect(key == storedKey(100))
        #expect(try store.unreadyIndexes(prefix).count == 4)
        #expect(try store.get(Crew.Indexed.self, key: 101) != nil)
        #expect(try store.delete(Crew.Indexed.self, key: 100))
        try store.finishMigrations()
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.check() == [])
    }

    @Test func aDamagedPage_stopsTheBuild() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        var raw = try RawFile(file.path)
        // The record table comes before the catalog.
        let root = raw.root(raw.record(ofTable: 0))
        #expect(raw.kind(root) == 1)
        raw.set(1 << 24, 4, at: raw.node(root, 1))
        try raw.write(to: file.path)
        guard case .file(.damaged)? = storeError({ try file.open(Crew.Indexed.self) }) else {
            Issue.record("the damage was skipped")
            return
        }
    }

    /// Otherwise the entries shared by the new record and the rest of the old record would be missing from then on.
    @Test func aSkippedRecord_isNotReplaced_untilItIsDeleted() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        try damage(100, .lastByte, in: file.open())
        try damage(101, .overwritten, in: file.open())
        let store = try file.open(Crew.Indexed.self)
        #expect(try store.indexes(prefix).first?.count == 298)
        #expect(storeError { try store.insert(Crew.indexed(100..<101)[0]) } == mismatch(100))
        #expect(
            storeError { try Crew.Indexed.filter(\.id == 100).update(in: store) { $0.name = "other" } }
                == mismatch(100))
        try delete([100, 101], in: store)
        try store.insert(contentsOf: Crew.indexed(100..<102))
        #expect(try store.check() == [])
        #expect(try store.indexes(prefix).first?.count == 300)
    }

    // MARK: Existing indexes

    @Test func entriesOfDamagedRecords_stay_untilTheRecordsAreDeleted() throws {
        let file = try MigratedFile()
        let store = try file.open(Crew.Indexed.self)
        try store.insert(contentsOf: Crew.indexed(0..<700))
        let ids = [0, 52, 53, 503, 698]
        let entries = try store.indexes(prefix).map(\.count)
        for (id, kind) in zip(ids, Damage.allCases + [.overwritten]) { try damage(id, kind, in: store) }
        #expect(try store.check() == damaged(ids))
        // An orphaned entry is still reported.
        let byAge = try store.storedIndex(prefix, "index(age)")
        let entry = RawEntry(key: KeyWriter.bytes(of: 1) + key(1_000_000), value: [])
        try store.put(entry, into: byAge)
        #expect(Set(try store.check().map(\.kind)) == [.damagedRecord, .orphaned])
        try store.remove(entry, from: byAge)
        try delete(ids, in: store)
        let crew = Crew.indexed(0..<700).filter { ids.contains($0.id) }
        #expect(
            try store.indexes(prefix).map(\.count) == [
                entries[0] - 5, entries[1] - 5, entries[2] - crew.count { $0.age >= 50 },
                entries[3] - crew.count { $0.email != nil },
            ])
        // The deleted keys and values can be used again.
        try store.insert(contentsOf: Crew.indexed(0..<700))
        #expect(try store.check() == [])
        #expect(try store.indexes(prefix).map(\.count) == entries)
    }

    /// The last letter of the damaged record's email becomes the last letter of the other record's email.
    @Test func aRecordThatReadsAsAnother_isNoCollision() throws {
        let file = try MigratedFile(of: [
            Crew.Plain(id: 1, name: "", age: 0, email: "a@shiq"), Crew.Plain(id: 2, name: "", age: 0, email: "a@ship"),
        ])
        try damage(1, .lastByte, in: file.open())
        let store = try file.open(Crew.Indexed.self)
        #expect(try store.read { try $0.catalogStorage().type(prefix)?.indexes[4]?.mayHaveDuplicates } == false)
        #expect(try store.check() == damaged([1]))
        try delete([1], in: store)
    }

    @Test func aCollisionWithADamagedRecord_namesTheRecordToDelete() throws {
        let file = try MigratedFile()
        let store = try file.open(Crew.Indexed.self)
        try store.insert(Crew.Indexed(id: 1, name: "", age: 0, email: "a@shiq"))
        try damage(1, .lastByte, in: store)
        let other = Crew.Indexed(id: 2, name: "", age: 0, email: "a@shiq")
        #expect(storeError { try store.insert(other) } == mismatch(1))
        try delete([1], in: store)
        try store.insert(other)
    }

    @Test func whatBecomesOfRandomDamage() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        for _ in 0..<5 {
            let file = try MigratedFile()
            let isBefore = Bool.random(using: &random)
            if isBefore { try file.write(Crew.plain(0..<150)) }
            let store = try file.open(Crew.Indexed.self, migrations: .lazily)
            if !isBefore { try store.insert(contentsOf: Crew.indexed(0..<150)) }
            let ids = Set(
                (0..<Int.random(in: 1..<30, using: &random)).map { _ in Int.random(in: 0..<150, using: &random) })
            for id in ids {
                try setValue(id, in: store) { value, _ in
                    value[Int.random(in: 0..<value.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                }
            }
            // A damaged but decodable record may now have the values of another record.
            _ = storeError { try store.rebuild() }
            #expect(try store.unreadyIndexes(prefix) == [], comment)
            #expect(try store.check().filter { $0.kind != .notUnique } == damaged(Array(ids)), comment)
            for id in ids.shuffled(using: &random) {
                #expect(storeError { try store.insert(Crew.indexed(id..<id + 1)[0]) } == mismatch(id), comment)
                #expect(storeError { try store.delete(Crew.Indexed.self, key: id) } == mismatch(id), comment)
                #expect(try store.delete(Crew.Indexed.self, key: id, ignoringDamage: true), comment)
            }
            #expect(try store.check() == [], comment)
            try store.insert(contentsOf: Crew.indexed(0..<150))
            #expect(try store.check() == [], comment)
        }
    }
}
