// Indexes that a program no longer declares, or does not know: what hinders, who says so, and how they are dropped.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Undeclared indexes") struct UndeclaredIndexTests {
    private let prefix = Reindexed.First.keyPrefix
    private let first = (0..<20).map { Reindexed.First(id: $0, a: 1000 + $0, b: $0) }

    private func file() throws -> MigratedFile {
        let file = try MigratedFile()
        try file.open(Reindexed.First.self).insert(contentsOf: first)
        return file
    }

    private func expectDone(_ store: Store) throws {
        #expect(try store.indexes(prefix).map(\.name) == ["index(b)"])
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.storedType(prefix).isMigrated)
        #expect(try Reindexed.Second.filter(\.b == 3).explain(in: store).contains("index(b)"))
        try store.insert(Reindexed.Second(id: 3, a: 1, b: 33, c: "new"))
        #expect(try Reindexed.Second.filter(\.b == 33).resolve(in: store).map(\.id) == [3])
        #expect(try store.check() == [])
    }

    // MARK: A changed index

    @Test func thePlan_namesTheOldAndTheNewIndex() throws {
        let file = try file()
        let plan = try file.open().migrationPlan(for: [Reindexed.Second.self])
        let type = try #require(plan.types.first)
        #expect(type.undeclaredIndexes == ["index(a)"])
        #expect(type.indexes == ["index(b)"])
        #expect(!plan.isPossible)
        for part in ["c is new", "index(a) is no longer declared", "index(b) is built"] {
            #expect(plan.description.contains(part), "\(plan)")
        }
        // The store is not the newer program's any more.
        #expect(try file.open().migrationPlan(for: [Reindexed.First.self]).isEmpty)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily])
    func eachOpening_warns_andTheDropDoesTheRest(policy: MigrationPolicy) throws {
        let log = CapturedLog.installed
        let file = try file()
        let store = try file.open(Reindexed.Second.self, migrations: policy)
        let message = try #require(log.messages(about: file.path).first { $0.contains("does not declare") })
        for part in ["index(a)", "Reindexed.Second", "droppingUndeclaredIndexes"] {
            #expect(message.contains(part), "\(message)")
        }
        let record = Reindexed.Second(id: 1, a: 1, b: 2, c: nil)
        let error = storeError { try store.insert(record) }
        #expect("\(error.debugDescription)".contains("dropUndeclaredIndexes()"))
        #expect("\(error.debugDescription)".contains(".onOpen.droppingUndeclaredIndexes"))
        #expect(try store.dropUndeclaredIndexes() == ["Reindexed.Second, index(a)"])
        if policy == .lazily { try store.finishMigrations() }
        if policy == .background {
            while try store.indexes(prefix).isEmpty || !store.unreadyIndexes(prefix).isEmpty
                || !store.storedType(prefix).isMigrated
            {
                sched_yield()
            }
        }
        try expectDone(store)
        #expect(log.messages(about: file.path).filter { $0.contains("does not declare") }.count == 1)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .onOpen.refusingLoss, .allowOlderLayout])
    func theOption_dropsThem_whileTheStoreOpens(policy: MigrationPolicy) throws {
        let log = CapturedLog.installed
        let file = try file()
        let store = try file.open(Reindexed.Second.self, migrations: policy.droppingUndeclaredIndexes)
        try expectDone(store)
        #expect(log.messages(about: file.path).isEmpty)
    }

    @Test func anIndexThatIsOnlyRemoved_isDropped() throws {
        let file = try file()
        do {
            let store = try file.open(Reindexed.Bare.self, migrations: .onOpen.droppingUndeclaredIndexes)
            #expect(try store.indexes(prefix).isEmpty)
            try store.insert(Reindexed.Bare(id: 1, a: 1, b: 1))
        }
        // The older program builds it again.
        let older = try file.open(Reindexed.First.self)
        #expect(try older.unreadyIndexes(prefix) == [])
        #expect(try older.check() == [])
    }

    @Test func nothingIsDropped_ifTheStoreDoesNotOpen() throws {
        let file = try file()
        let before = try file.bytes()
        func expectKept(_ policy: MigrationPolicy, _ type: any IndexKeyRecord.Type) throws -> StoreError? {
            let error = storeError { try file.migrate(type, migrations: policy.droppingUndeclaredIndexes) }
            #expect(try file.bytes() == before)
            return error
        }
        guard case .schema(.migrationRefused(_, let plan))? = try expectKept(.refuse, Reindexed.Second.self) else {
            Issue.record("the migration was not refused")
            return
        }
        #expect(plan.contains("index(a) is no longer declared") && plan.contains("index(b) is built"))
        guard case .schema(.unconvertible)? = try expectKept(.onOpen, Reindexed.Narrow.self),
            case .schema(.valuesWouldBeLost)? = try expectKept(.onOpen.refusingLoss, Reindexed.Shorter.self)
        else {
            Issue.record("another error")
            return
        }
        // A reader changes nothing.
        let reader = try Store(
            path: file.path, records: [Reindexed.Second.self], migrations: .onOpen.droppingUndeclaredIndexes,
            options: StoreOptions(durability: .noSync, isReadOnly: true))
        #expect(try Reindexed.Second.query().count(in: reader) == 20)
        #expect(try file.bytes() == before)
    }

    // MARK: What hinders

    /// A store that was opened without types knows those that the program has used.
    @Test func theAdvisedCall_works_withoutDeclaredTypes() throws {
        let file = try file()
        let store = try file.open()
        let record = Reindexed.Bare(id: 1, a: 1, b: 1)
        let error = storeError { try store.insert(record) }
        #expect("\(error.debugDescription)".contains("dropUndeclaredIndexes()"))
        #expect(try store.dropUndeclaredIndexes() == ["Reindexed.Bare, index(a)"])
        try store.insert(record)
        #expect(try store.check(Reindexed.Bare.self) == [])
    }

    /// A newer program has renamed a field and added an index. The index does not hinder reading.
    @Test func aNewerLayout_isNamedFirst() throws {
        let file = try MigratedFile()
        try file.open(Retitled.Old.self).insert(Retitled.Old(id: 1, name: "a", age: 1))
        try file.open(Retitled.New.self).insert(Retitled.New(id: 2, title: "b", age: 2))
        let expected = StoreError.schema(
            .schemaNewer(
                path: file.path, type: "Retitled.Old", stored: Retitled.New.schema.layout,
                declared: Retitled.Old.schema.layout))
        #expect(expected.description.contains(".allowOlderLayout"))
        #expect(!expected.description.contains("dropUndeclaredIndexes"))
        do {
            let store = try file.open()
            #expect(storeError { try store.get(Retitled.Old.self, key: 2) } == expected)
            #expect(storeError { try store.insert(Retitled.Old(id: 3, name: "c", age: 3)) } == expected)
            #expect(storeError { try store.dropUndeclaredIndexes() } == expected)
        }
        #expect(storeError { try file.open(Retitled.Old.self) } == expected)
        #expect(storeError { try file.open(Retitled.Old.self, isReadOnly: true) } == expected)
    }

    /// The advised calls follow one another, and in the end the older program writes.
    @Test func theAdvice_helps_stepByStep() throws {
        func file() throws -> MigratedFile {
            let file = try MigratedFile()
            try file.open(Extended.Old.self).insert(Extended.Old(id: 1, age: 1))
            try file.open(Extended.New.self).insert(Extended.New(id: 2, age: 2, note: nil))
            return file
        }
        let record = Extended.Old(id: 3, age: 3)
        let (first, second) = (try file(), try file())
        let refusal = storeError { try first.open(Extended.Old.self) }
        guard case .schema(.schemaNewer(_, _, _, _, []))? = refusal,
            "\(refusal.debugDescription)".contains(".allowOlderLayout")
        else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        let store = try first.open(Extended.Old.self, migrations: .allowOlderLayout)
        guard case .schema(.schemaNewer(_, _, _, _, ["index(age)"]))? = storeError({ try store.insert(record) }) else {
            Issue.record("the record was stored")
            return
        }
        #expect(try store.dropUndeclaredIndexes() == ["Extended.Old, index(age)"])
        try store.insert(record)
        #expect(try Extended.Old.query().count(in: store) == 3)
        let other = try second.open(Extended.Old.self, migrations: .allowOlderLayout.droppingUndeclaredIndexes)
        try other.insert(record)
        #expect(try other.check() == [])
    }
}
