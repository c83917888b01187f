// Records that are intact, and that their type cannot read: a case was removed from an enum, or a `Codable` type has
// gained a property. They can be replaced and deleted, and their index entries go with them.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Unreadable records") struct UnreadableRecordTests {
    private let count = 6

    /// Record 3 has values that the next program does not have.
    private func file() throws -> MigratedFile {
        let file = try MigratedFile()
        try file.open(Faded.Old.self).insert(
            contentsOf: (0..<count).map { id in
                id == 3 ? Faded.old(3, mood: .ugly, grade: .high) : Faded.old(id)
            })
        return file
    }

    private func expectUnreadable(_ error: (any Error)?, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .record(.unreadable(_, let key, "mood", _))? = error as? StoreError else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        let text =
            "\(StoreError.record(.unreadable(type: "", key: key, field: "", reason: CodingError(.trailingBytes(0)))))"
        #expect(!text.contains("Restore"), sourceLocation: sourceLocation)
        let whole = error.map { "\($0)" } ?? ""
        for part in ["id: 3", "mood: \"ugly\" is not a value of NewMood", "intact"] {
            #expect(whole.contains(part), "\(whole)", sourceLocation: sourceLocation)
        }
        #expect(!whole.contains("malformed") && !whole.contains("Restore"), sourceLocation: sourceLocation)
    }

    // MARK: Reading and checking

    @Test func reading_namesThePropertyAndTheValue() throws {
        let file = try file()
        let store = try file.open(Faded.New.self)
        expectUnreadable(storeError { try store.get(Faded.New.self, key: 3) })
        expectUnreadable(storeError { try Faded.New.filter(\.n == 3).resolve(in: store) })
        expectUnreadable(storeError { try Faded.New.query().resolve(in: store) })
        expectUnreadable(storeError { try Faded.New.filter(\.n == 3).select(\.mood).resolve(in: store) })
        expectUnreadable(storeError { try Faded.New.filter(\.n == 3).update(in: store) { $0.n += 1 } })
        #expect(try Faded.New.filter(\.n == 3).select(\.name).resolve(in: store) == ["n3"])
        #expect(try Faded.New.filter(\.n == 4).resolve(in: store).map(\.id) == [4])
    }

    @Test func theKey_isNamedLikeAField() throws {
        let file = try MigratedFile()
        try file.open(GradeKey.Old.self).insert(GradeKey.Old(grade: .high, n: 1))
        let error = storeError { try GradeKey.New.query().resolve(in: file.open(GradeKey.New.self)) }
        guard case .record(.unreadable(_, _, "grade", let reason))? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.reason == .noSuchValue("9", type: "NewGrade"))
    }

    @Test func check_listsIt_andComparesTheOthers() throws {
        let file = try file()
        let store = try file.open(Faded.New.self)
        let expected = IndexDifference(
            type: "Faded.New", index: nil, kind: .unreadableRecord, key: StoredKey(3, of: Faded.New.self))
        #expect(try store.check() == [expected])
        #expect(try store.check(Faded.New.self) == [expected])
        #expect(expected.description.contains("intact"))
        let index = try store.storedIndex(Faded.New.keyPrefix, "index(n)")
        let entry = try #require(try store.entries(of: index).first)
        try store.remove(entry, from: index)
        #expect(try store.check().map(\.kind) == [.missing, .unreadableRecord])
    }

    // MARK: Replacing and deleting

    private func expectSound(
        _ store: Store, count: Int, _ record: Faded.New?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try store.check() == [], sourceLocation: sourceLocation)
        #expect(try Faded.New.query().count(in: store) == count, sourceLocation: sourceLocation)
        #expect(try store.get(Faded.New.self, key: 3) == record, sourceLocation: sourceLocation)
        #expect(try Faded.New.filter(\.n == 3).count(in: store) == (record?.n == 3 ? 1 : 0))
        #expect(try Faded.New.matching("number3").resolve(in: store) == [], sourceLocation: sourceLocation)
        #expect(
            try Faded.New.filter(.contains(\.tags, "t3")).count(in: store) == 0, sourceLocation: sourceLocation)
        #expect(
            try Faded.New.filter(.contains(\.tags, "u3")).resolve(in: store) == (record.map { [$0] } ?? []),
            sourceLocation: sourceLocation)
        // All values are free.
        try store.insert(
            Faded.New(id: 99, n: 3, name: record == nil ? "n3" : "free", tags: [], note: "", mood: .good, grade: .low))
        #expect(try store.check() == [], sourceLocation: sourceLocation)
    }

    @Test(arguments: [3, 4, 0]) func itIsReplaced(n: Int) throws {
        let file = try file()
        let store = try file.open(Faded.New.self)
        let record = Faded.new(3, n: n)
        #expect(try store.insert(record))
        try expectSound(store, count: count, record)
    }

    @Test func itIsReplaced_inASharedTransaction_andAmongOthers() throws {
        let file = try file()
        let store = try file.open(Faded.New.self)
        let records = (0..<count).map { Faded.new($0) }
        try store.insert(contentsOf: records)
        try expectSound(store, count: count, records[3])
    }

    @Test func itIsDeleted_byKey_andByQueries() throws {
        let deletes: [(Store) throws -> Bool] = [
            { try $0.delete(Faded.New.self, key: 3) },
            { try Faded.New.query(id: 3).delete(in: $0) == 1 },
            { try Faded.New.filter(\.n == 3).delete(in: $0) == 1 },
            { try Faded.New.filter(\.name == "n3" && \.n > 2).delete(in: $0) == 1 },
            { try $0.delete(Faded.New.self, key: 3, ignoringDamage: true) },
        ]
        for delete in deletes {
            let file = try file()
            let store = try file.open(Faded.New.self)
            #expect(try delete(store))
            try expectSound(store, count: count - 1, nil)
        }
    }

    @Test func itsUniqueValues_areItsOwn() throws {
        let file = try file()
        let store = try file.open(Faded.New.self)
        var record = Faded.new(7)
        record.name = "n3"
        guard case .record(.notUnique(_, "unique(name)", _, let existing))? = storeError({ try store.insert(record) })
        else {
            Issue.record("the value was free")
            return
        }
        #expect(existing == StoredKey(3, of: Faded.New.self))
        #expect(try store.check().map(\.kind) == [.unreadableRecord])
    }

    /// Not even the layout shows where its fields end: the indexes are searched for its entries.
    @Test func withAFieldThatOnlyItsTypeReads_itIsReplacedAndDeleted() throws {
        func file() throws -> MigratedFile {
            let file = try MigratedFile()
            try file.open(Coffer.Old.self).insert(
                contentsOf: (0..<5).map {
                    Coffer.Old(
                        id: $0, n: $0 % 2, name: "n\($0)", price: .init(cents: 7), mood: $0 == 3 ? .ugly : .good)
                })
            return file
        }
        func expectFree(_ store: Store) throws {
            #expect(try store.check() == [])
            #expect(try Coffer.New.matching("n3").resolve(in: store) == [])
            try store.insert(Coffer.New(id: 9, n: 1, name: "n3", price: .init(cents: 7), mood: .good))
            #expect(try store.check() == [])
        }
        let first = try file()
        let replaced = try first.open(Coffer.New.self)
        try replaced.insert(Coffer.New(id: 3, n: 1, name: "other", price: .init(cents: 8), mood: .good))
        #expect(try Coffer.New.filter(\.n == 1).resolve(in: replaced).map(\.id) == [1, 3])
        try expectFree(replaced)
        let second = try file()
        let deleted = try second.open(Coffer.New.self)
        #expect(try deleted.delete(Coffer.New.self, key: 3))
        #expect(try Coffer.New.filter(\.n == 1).resolve(in: deleted).map(\.id) == [1])
        try expectFree(deleted)
    }

    @Test func inAnOlderLayout_itIsReplacedAndDeleted() throws {
        let wider = Faded.Wider(
            id: 3, n: 8, name: "w", tags: [], note: "wide", mood: .good, grade: .low, extra: 1)
        for replaces in [true, false] {
            let file = try file()
            let store = try file.open(Faded.Wider.self, migrations: .lazily)
            guard case .schema(.unconvertible)? = storeError({ try store.get(Faded.Wider.self, key: 3) }) else {
                Issue.record("the record was read")
                return
            }
            if replaces { try store.insert(wider) } else { try store.delete(Faded.Wider.self, key: 3) }
            try store.finishMigrations()
            #expect(try store.check() == [])
            #expect(try Faded.Wider.query().count(in: store) == (replaces ? count : count - 1))
            #expect(try Faded.Wider.filter(\.n == 8).count(in: store) == (replaces ? 1 : 0))
        }
    }

    // MARK: New indexes

    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily])
    func anIndexOfTheEnum_isBuilt_andTheRecordIsReported(policy: MigrationPolicy) throws {
        let log = CapturedLog.installed
        let file = try file()
        let store = try file.open(Faded.Moody.self, migrations: policy)
        if policy == .lazily { expectUnreadable(storeError { try store.finishMigrations() }) }
        while try store.indexes(Faded.Moody.keyPrefix).count < 8 || !store.unreadyIndexes(Faded.Moody.keyPrefix).isEmpty
        {
            sched_yield()
        }
        if policy == .onOpen {
            let message = log.messages(about: file.path).first { $0.contains("ugly") }
            #expect(message?.contains("mood") == true)
        }
        #expect(try Faded.Moody.filter(\.mood == .good).resolve(in: store).map(\.id) == [0, 1, 2, 4, 5])
        #expect(try store.storedIndex(Faded.Moody.keyPrefix, "index(mood)").count == count)
        #expect(try store.check().map(\.kind) == [.unreadableRecord])
        // Without the types, every entry is compared with its record.
        #expect(
            try store.read { context in
                try context.storedTypes().flatMap { try context.checkStoredIndexes(of: $0).differences }
            } == [])
        try store.insert(Faded.moody(3))
        #expect(try store.check() == [])
        #expect(try Faded.Moody.filter(\.mood == .good).count(in: store) == count)
    }

    @Test func thePlan_namesIt_whenItValidates() throws {
        let file = try file()
        let store = try file.open()
        let plan = try store.migrationPlan(for: [Faded.New.self])
        #expect(plan.isEmpty)
        let validated = try store.migrationPlan(for: [Faded.New.self], validating: true)
        #expect(validated.types.first?.unreadable?.records == 1)
        #expect(validated.isPossible)
        #expect(validated.description.contains("1 record cannot be read: "))
        #expect(validated.description.contains("mood: \"ugly\""))
        let moody = try store.migrationPlan(for: [Faded.Moody.self], validating: true)
        #expect(moody.description.contains("index(mood) is built") && moody.description.contains("\"ugly\""))
        let wider = try store.migrationPlan(for: [Faded.Wider.self], validating: true)
        #expect(!wider.isPossible && wider.description.contains("\"ugly\""))
        #expect(try store.migrationPlan(for: [Faded.Old.self], validating: true).isEmpty)
    }

    // MARK: Codable types

    @Test func aGrownCodableType_isRefusedWithTheWordsOfItsDecoder() throws {
        let file = try MigratedFile()
        try file.open(Grown.Old.self).insert(Grown.Old(id: 1, n: 1, settings: [.init(a: 7)]))
        do {
            let store = try file.open(Grown.New.self)
            let error = storeError { try store.get(Grown.New.self, key: 1) }
            guard case .record(.unreadable(_, _, "settings", _))? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("settings: The JSON of "), "\(text)")
            #expect(text.contains("Settings> cannot be decoded: [0].theme is missing"), "\(text)")
            #expect(!text.contains("Restore") && !text.contains("malformed"), "\(text)")
            try store.insert(Grown.New(id: 1, n: 2, settings: []))
            #expect(try store.check() == [])
        }
        let other = try MigratedFile()
        try other.open(Grown.Old.self).insert(Grown.Old(id: 1, n: 1, settings: [.init(a: 7)]))
        let error = storeError { try other.open(Grown.Wider.self) }
        guard case .schema(.unconvertible)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(error.debugDescription)".contains("theme is missing"), "\(error.debugDescription)")
    }

    /// Damaged bytes are damage, whatever the decoder says of them.
    @Test func aDamagedRecord_isNotCalledIntact() throws {
        let file = try file()
        let store = try file.open()
        let type = try store.storedType(Faded.New.keyPrefix)
        let record = try #require(try store.entries(in: type.records).first)
        var value = record.value
        value[value.count - 1] ^= 0x7F
        try store.put(RawEntry(key: record.key, value: value), into: type.records)
        guard case .record(.corrupted)? = storeError({ try store.get(Faded.New.self, key: 0) }) else {
            Issue.record("the record is no damaged one")
            return
        }
        #expect(storeError { try store.delete(Faded.New.self, key: 0) } != nil)
    }
}
