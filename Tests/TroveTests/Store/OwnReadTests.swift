// The walks of the store itself under a tiny maximum age of reads: none of them is ended.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("The store's own reads") struct OwnReadTests {
    enum Member {
        @IndexKeyRecord(keyPrefix: 6_700_001, "id")
        struct Plain {
            let id: Int
            var age: Int
            var email: String?
        }

        @IndexKeyRecord(keyPrefix: 6_700_001, "id")
        struct Indexed {
            #Unique<Indexed>(\.email, collisions: .throw)

            let id: Int
            var age: Int
            var email: String?
        }

        /// Its records may fail to convert, and may collide.
        @IndexKeyRecord(keyPrefix: 6_700_001, "email")
        struct Rekeyed {
            var email: String?
            let id: Int16
            var age: Int
        }
    }

    private static let count = 8_000
    private static let plain = Result {
        try MigratedFile(of: (0..<count).map { Member.Plain(id: $0, age: $0, email: "\($0)@ship") })
    }
    private let directory: TemporaryDirectory
    private let path: String
    private var count: Int { Self.count }

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("a.trove")
        try FileManager.default.copyItem(atPath: Self.plain.get().path, toPath: path)
    }

    private func open(_ types: any IndexKeyRecord.Type..., migrations: MigrationPolicy = .onOpen) throws -> Store {
        try Store(
            path: path, records: types, migrations: migrations,
            options: StoreOptions(durability: .noSync, maximumReadAge: .milliseconds(1), endsOldReads: true))
    }

    /// Returns the catalog's description of the type. A write cannot expire.
    private func storedType(in store: Store) throws -> StoredType {
        try store.write { context in try #require(try context.storedTypes().first) }
    }

    @Test func aReadOfTheProgram_isEnded() throws {
        let store = try open()
        let error = storeError {
            try store.read { context in while try Member.Plain.query().count(in: context) == count {} }
        }
        #expect(error == .transaction(.readExpired(path: store.path)))
    }

    @Test func opening_buildsIndexes_check_andRebuild() throws {
        let store = try open(Member.Indexed.self)
        #expect(try storedType(in: store).indexes.map(\.isReady) == [true])
        #expect(try store.check() == [])
        #expect(try store.check(Member.Indexed.self) == [])
        try store.rebuild(Member.Indexed.self, index: "unique(email)")
        try store.rebuild()
        #expect(try store.check() == [])
    }

    @Test func buildingLater_andInTheBackground() throws {
        do {
            let store = try open(Member.Indexed.self, migrations: .lazily)
            try store.finishMigrations()
            #expect(try store.check() == [])
            #expect(try store.markForRebuild(of: storedType(in: store)).count == 1)
        }
        let store = try open(Member.Indexed.self, migrations: .background)
        while try storedType(in: store).indexes.first?.isReady != true { sched_yield() }
        #expect(try store.check() == [])
    }

    @Test func planning_validating_andRewriting() throws {
        let plan = try open().migrationPlan(for: [Member.Rekeyed.self], validating: true)
        #expect(plan.types.first?.records == count && plan.isPossible)
        let refusal = storeError { _ = try open(Member.Rekeyed.self, migrations: .refuse) }
        #expect("\(refusal, default: "")".contains("\(count) of version"))
        #expect(try open(Member.Rekeyed.self).check() == [])
    }

    @Test(arguments: [false, true]) func copying(compacting: Bool) throws {
        let store = try open(Member.Indexed.self)
        let report = try store.copy(to: path + "-copy", compacting: compacting)
        #expect(report.types.map(\.records) == [count])
    }

    @Test func verifying_salvaging_andMarking() throws {
        let store = try open(Member.Indexed.self)
        #expect(try Store.verify(path: path).isSound)
        let salvaged = try Store.salvage(from: path, to: path + "-salvaged")
        #expect(salvaged.tables.map(\.copied) == [UInt64(count)])
        let type = try storedType(in: store)
        #expect(try store.markForRebuild(of: type).count == 1)
        try store.finishMigrations()
        #expect(try store.check() == [])
        #expect(try store.info.readers.allSatisfy { $0.commitsBehind == nil })
    }

    @Test func theNextRead_canExpireAgain() throws {
        let store = try open(Member.Indexed.self)
        let error = storeError {
            try store.read { context in while try Member.Indexed.query().count(in: context) == count {} }
        }
        #expect(error == .transaction(.readExpired(path: store.path)))
        #expect(try store.check() == [])
    }
}
