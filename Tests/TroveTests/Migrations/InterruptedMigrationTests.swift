// A store whose migration was interrupted is a sound store, whatever happens to it later.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Interrupted migrations") struct InterruptedMigrationTests {
    private static let count = 20_000
    private let prefix = Bulky.Old.keyPrefix

    /// Returns a store in the middle of a migration.
    private func interruptedFile(_ type: any IndexKeyRecord.Type) async throws -> MigratedFile {
        let file = try MigratedFile(of: Bulky.old(Self.count))
        try await file.migrate(type, cancellingAfter: 1)
        let migration = try #require(try file.type(prefix).migration)
        #expect((1..<Self.count).contains(migration.done))
        #expect(migration.changesKeys == (type == Bulky.NewKey.self))
        return file
    }

    /// Expects a store to hold all records after the migration has finished.
    private func expectAll(_ type: any IndexKeyRecord.Type, in store: Store, _ comment: Comment) throws {
        if type == Bulky.NewKey.self {
            let expected = Bulky.old(Self.count).map { Bulky.NewKey(size: $0.size, id: Int16($0.id), body: $0.body) }
            let found = try Bulky.NewKey.query().resolve(in: store)
            #expect(found == expected.sorted { ($0.size, $0.id) < ($1.size, $1.id) }, comment)
        } else {
            #expect(try Bulky.New.query().resolve(in: store) == Bulky.new(Self.count), comment)
        }
        #expect(try store.storedType(prefix).isMigrated, comment)
    }

    /// A program whose layout the catalog does not know yet deletes records of the old order. Some of them were already
    /// copied.
    @Test func whatIsDeletedMeanwhile_staysDeleted() async throws {
        let file = try await interruptedFile(Bulky.NewKey.self)
        let doomed = [0, 1, 5, Self.count - 1]
        do {
            let store = try file.open()
            for id in doomed { #expect(try await store.delete(Bulky.New.self, key: id)) }
            try await store.close()
        }
        let store = try file.open(Bulky.NewKey.self)
        let found = try await Bulky.NewKey.query().resolve(in: store)
        #expect(found.count == Self.count - doomed.count)
        #expect(Set(found.map { Int($0.id) }).isDisjoint(with: doomed))
    }

    @Test func everythingDeletedMeanwhile_staysDeleted() async throws {
        let file = try await interruptedFile(Bulky.NewKey.self)
        do {
            let store = try file.open()
            #expect(try await Bulky.New.query().delete(in: store) == Self.count)
            try await store.close()
        }
        let store = try file.open(Bulky.NewKey.self)
        #expect(try await Bulky.NewKey.query().count(in: store) == 0)
    }

    @Test(arguments: [Bulky.New.self, Bulky.NewKey.self] as [any IndexKeyRecord.Type])
    func itIsSound_andGoesOn_inItsCopiesToo(_ type: any IndexKeyRecord.Type) async throws {
        let file = try await interruptedFile(type)
        #expect(try file.damage() == [])
        let directory = try TemporaryDirectory()
        for (name, isCompacting) in [("plain", false), ("compact", true)] {
            let path = directory.path(name)
            try await file.open().copy(to: path, compacting: isCompacting)
            #expect(try await Store.verify(path: path).findings.filter(\.isDamage).isEmpty)
            try await expectAll(type, in: Store(path: path, records: [type]), "\(name)")
        }
        // Of the two record tables of the type, the unfinished table is not a loss.
        let salvaged = directory.path("salvaged")
        let report = try await Store.salvage(from: file.path, to: salvaged)
        #expect(report.copied == UInt64(Self.count) && report.losses == [] && report.isComplete)
        try await expectAll(type, in: Store(path: salvaged, records: [type]), "salvaged")
        try expectAll(type, in: file.open(type), "the original")
    }

    @Test(
        .enabled(if: SmallDisk.isAvailable, "only root on Linux can mount a small disk"),
        arguments: [Bulky.New.self, Bulky.NewKey.self] as [any IndexKeyRecord.Type])
    func aFullDisk_stopsIt_andNothingIsLost(_ type: any IndexKeyRecord.Type) throws {
        let disk = try SmallDisk(megabytes: 128)
        let path = disk.path("store.trove")
        do { try Store(path: path).insert(contentsOf: Bulky.old(Self.count)) }
        let rest = disk.path("rest")
        try Data(repeating: 1, count: 90 << 20).write(to: URL(fileURLWithPath: rest))
        guard case .file(.diskFull)? = storeError({ try Store(path: path, records: [type]) }) else {
            Issue.record("the migration found room")
            return
        }
        do {
            let store = try Store(path: path)
            #expect(try Bulky.Old.query().resolve(in: store) == Bulky.old(Self.count))
        }
        #expect(try Store.verify(path: path).findings.filter(\.isDamage).isEmpty)
        try FileManager.default.removeItem(atPath: rest)
        try expectAll(type, in: Store(path: path, records: [type]), "with room")
    }

    /// The map grows between two transactions. No transaction may need more than the available space.
    @Test(arguments: [Bulky.New.self, Bulky.NewKey.self] as [any IndexKeyRecord.Type])
    func aMapThatHasToGrow_isNoObstacle(_ type: any IndexKeyRecord.Type) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("store.trove")
        let options = StoreOptions(mapSize: 1 << 20, durability: .noSync)
        do {
            let store = try Store(path: path, options: options)
            for record in Bulky.old(Self.count) { try store.insert(record) }
        }
        try expectAll(type, in: Store(path: path, records: [type], options: options), "a small map")
    }
}
