// Builds of indexes over existing records.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Building indexes") struct BuildTests {
    private let prefix = Crew.prefix
    /// Limits each transaction to 124 records, because the first batches of a scan are small.
    private static let steps = BuildSize(bytes: 0, readTime: .zero, writeTime: .seconds(10), rests: false)

    private struct Stopped: Error {}

    /// Builds the indexes of a type in at most `count` transactions. Returns whether the build is complete.
    private func build<Record: IndexKeyRecord>(
        _ type: Record.Type, in store: Store, atMost count: Int = .max, _ take: (MigrationProgress) -> Void = { _ in }
    ) throws -> Bool {
        var steps = 0
        func next() throws -> Store {
            guard steps < count else { throw Stopped() }
            return store
        }
        do {
            let reports = try Store.buildIndexes(of: type, in: next(), Self.steps) { step in
                steps += 1
                take(step)
            }
            #expect(reports == [])
            return true
        } catch is Stopped {
            return false
        }
    }

    // MARK: At opening

    @Test func indexesOfStoredRecords_areBuiltAtOpening_andEqualThoseOfInserts() throws {
        let files = (try MigratedFile(of: Crew.plain(0..<500)), try MigratedFile())
        let (built, inserted) = (try files.0.open(Crew.Indexed.self), try files.1.open(Crew.Indexed.self))
        for record in Crew.indexed(0..<500).shuffled() { try inserted.insert(record) }
        #expect(try built.unreadyIndexes(prefix) == [])
        #expect(try built.check() == [])
        for (index, other) in zip(try built.indexes(prefix), try inserted.indexes(prefix)) {
            #expect(try built.entries(of: index) == inserted.entries(of: other), "\(index.name)")
        }
    }

    @Test func aTypeWithoutRecords_hasItsIndexesAtOnce() throws {
        let file = try MigratedFile()
        let store = try file.open(Crew.Indexed.self)
        #expect(try store.indexes(prefix).isEmpty)
        try store.insert(contentsOf: Crew.indexed(0..<1))
        #expect(try store.indexes(prefix).map(\.count) == [1, 1, 0, 0])
        #expect(try store.unreadyIndexes(prefix) == [])
    }

    @Test func indexes_areBuiltInASinglePass() throws {
        let file = try MigratedFile(of: Crew.plain(0..<640))
        let store = try file.open()
        var steps: [MigrationProgress] = []
        #expect(try build(Crew.Indexed.self, in: store) { steps.append($0) })
        #expect(steps.map(\.done) == [124, 248, 372, 496, 620, 640])
        #expect(
            steps.allSatisfy {
                $0.total == 640 && $0.phase == .indexing && $0.type == Crew.Indexed.schema.qualifiedName
            })
        #expect(try store.check(Crew.Indexed.self) == [])
    }

    @Test func anIndexThatIsAhead_waitsForTheOthers() throws {
        let file = try MigratedFile(of: Crew.plain(0..<640))
        #expect(try !build(Crew.ByAge.self, in: file.open(), atMost: 2))
        let store = try file.open()
        #expect(try store.storedIndex(prefix, "index(age)").done == 248)
        var counts: [Int] = []
        #expect(
            try build(Crew.Indexed.self, in: store) { step in
                counts.append((try? store.storedIndex(prefix, "index(age)").count) ?? -1)
            })
        #expect(counts == [248, 248, 372, 496, 620, 640])
        #expect(try store.check(Crew.Indexed.self) == [])
    }

    @Test func afterWritesMeanwhile_theIndexesAreCorrect() throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let comment: Comment = "TROVE_TEST_SEED=\(seed)"
        for _ in 0..<6 {
            let file = try MigratedFile(of: Crew.plain(0..<800).filter { _ in Bool.random(using: &random) })
            repeat {
                let store = try file.open()
                for _ in 0..<Int.random(in: 0..<40, using: &random) {
                    let id = Int.random(in: 0..<800, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: try store.delete(Crew.Indexed.self, key: id)
                    case 1: try Query<Crew.Indexed>(last: .range(id..<id + 5)).delete(in: store)
                    default:
                        var record = Crew.indexed(id..<id + 1)[0]
                        record.age = Int.random(in: 0..<100, using: &random)
                        if Bool.random(using: &random) { record.email = "new\(id)@ship" }
                        try store.insert(record)
                    }
                }
                if Int.random(in: 0..<6, using: &random) == 0 {
                    #expect(throws: CancellationError.self) {
                        try store.write { context in
                            try Query<Crew.Indexed>().delete(in: context)
                            throw CancellationError()
                        }
                    }
                }
                #expect(try store.check(Crew.Indexed.self) == [], comment)
            } while try !build(Crew.Indexed.self, in: file.open(), atMost: Int.random(in: 1..<3, using: &random))
            let store = try file.open(Crew.Indexed.self)
            #expect(try store.unreadyIndexes(prefix) == [], comment)
            #expect(try store.check() == [], comment)
        }
    }

    @Test func aRead_takesAtMostHalfOfTheMaximumAge() throws {
        let options = StoreOptions(durability: .noSync, maximumReadAge: .milliseconds(600), endsOldReads: true)
        let store = try Store.temporary(options: options)
        #expect(store.environment.maximumReadAge == .milliseconds(600))
        for size in [BuildSize.small, .large] {
            #expect(size.reading(within: .milliseconds(600)).readTime == .milliseconds(300))
            #expect(size.reading(within: .milliseconds(1)).readTime == .milliseconds(50))
            #expect(size.reading(within: .seconds(3600)).readTime == size.readTime)
            #expect(size.reading(within: nil).readTime == size.readTime)
        }
    }

    // MARK: Policies

    @Test func inTheBackground_indexesAreBuilt_afterTheStoreIsOpen() throws {
        let file = try MigratedFile(of: Crew.plain(0..<2000))
        let gate = MigrationGate()
        let store = try file.open(Crew.Indexed.self, migrations: .background, progress: gate.pass)
        gate.waitUntilReached()
        try store.insert(Crew.Indexed(id: -1, name: "first", age: 1, email: "first@ship"))
        try store.insert(Crew.Indexed(id: 5000, name: "last", age: 1, email: "last@ship"))
        gate.open()
        while try !store.unreadyIndexes(prefix).isEmpty { sched_yield() }
        #expect(try store.check() == [])
    }

    @Test func inTheBackground_indexesFollowTheRecords() throws {
        let file = try MigratedFile(of: Crew.plain(0..<500))
        let steps = MigrationSteps()
        let store = try file.open(Crew.Relaid.self, migrations: .background, progress: steps.take)
        // A step is reported after its commit.
        while steps.all.last?.phase != .indexing || steps.all.last?.done != 500 { sched_yield() }
        #expect(try store.indexes(prefix).first?.isReady == true)
        #expect(steps.all.contains { $0.phase == .rewriting })
        #expect(steps.all.drop { $0.phase != .indexing }.allSatisfy { $0.phase == .indexing })
        #expect(try store.check() == [])
        #expect(try store.entries(of: store.storedIndex(prefix, "index(age)")).count == 500)
    }

    @Test func lazily_indexesAreBuilt_onRequest() throws {
        let file = try MigratedFile(of: Crew.plain(0..<100))
        let store = try file.open(Crew.Indexed.self, migrations: .lazily)
        #expect(try store.indexes(prefix).isEmpty)
        try store.insert(contentsOf: Crew.indexed(50..<150))
        #expect(try store.unreadyIndexes(prefix).count == 4)
        // Records with unchanged values write no entries.
        #expect(try store.storedIndex(prefix, "index(age)").count == 50)
        let steps = MigrationSteps()
        try store.finishMigrations(progress: steps.take)
        #expect(steps.all.map(\.done) == [150])
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.check() == [])
    }

    @Test func refusing_indexesAreInThePlan() throws {
        let file = try MigratedFile(of: Crew.plain(0..<100))
        let name = Crew.ByAge.schema.qualifiedName
        let plan = "\(name): 100 records\n  index(age) is built from all records"
        #expect(try file.open().migrationPlan(for: [Crew.ByAge.self]).description == plan)
        #expect(
            storeError { try file.open(Crew.ByAge.self, migrations: .refuse) }
                == .schema(.migrationRefused(path: file.path, plan: plan)))
        try file.migrate(Crew.ByAge.self)
        #expect(try file.open().migrationPlan(for: [Crew.ByAge.self]).isEmpty)
        #expect(try file.open(Crew.ByAge.self, migrations: .refuse).check() == [])
        let relaid = try file.open().migrationPlan(for: [Crew.Relaid.self])
        #expect(relaid.types.map(\.indexes) == [["index(age)"]])
        #expect(relaid.types.map { $0.versions.map(\.records) } == [[100]])
    }

    @Test func readOnly_nothingIsBuilt() throws {
        let file = try MigratedFile(of: Crew.plain(0..<100))
        let bytes = try file.bytes()
        #expect(try file.open(Crew.Indexed.self, isReadOnly: true).check() == [])
        #expect(try file.bytes() == bytes)
    }

    // MARK: Changed definitions, layouts and keys

    @Test func anIndexOfAnotherDefinition_isRebuilt() throws {
        let file = try MigratedFile(of: Crew.plain(0..<100))
        try file.migrate(Crew.ByAge.self)
        let before = try file.open().entries(of: file.open().storedIndex(prefix, "index(age)"))
        for _ in 0..<2 {
            let store = try file.open(Crew.Redefined.self)
            #expect(try store.indexes(prefix).map(\.definition) == ["age:String"])
            #expect(try store.unreadyIndexes(prefix) == [])
            #expect(try store.check() == [])
        }
        try file.migrate(Crew.ByAge.self)
        #expect(try file.open().entries(of: file.open().storedIndex(prefix, "index(age)")) == before)
    }

    @Test func anotherOrder_andAnotherCondition_rebuildTheIndex_andTheOlderProgramIsRefused() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        try file.migrate(Crew.ByAge.self)
        try file.migrate(Crew.ByAgeDown.self)
        do {
            let store = try file.open()
            #expect(try store.indexes(prefix).map(\.name) == ["index(age desc where { $0.age >= 50 })"])
            #expect(try store.unreadyIndexes(prefix) == [])
            try store.insert(Crew.ByAgeDown(id: 1000, name: "new", age: 70, email: nil))
            #expect(try store.check(Crew.ByAgeDown.self) == [])
        }
        let older = try file.open()
        #expect(throws: StoreError.self) { try older.insert(Crew.ByAge(id: 1, name: "a", age: 1, email: nil)) }
        #expect(try Query<Crew.ByAge>().count(in: older) == 301)
    }

    @Test func anOlderProgram_thatInsists_getsItsIndexBack() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        try file.migrate(Crew.ByAge.self)
        try file.migrate(Crew.ByAgeDown.self)
        let store = try file.open(Crew.ByAge.self)
        #expect(try store.dropUndeclaredIndexes() == ["Crew.ByAge, index(age desc where { $0.age >= 50 })"])
        try store.finishMigrations()
        #expect(try store.indexes(prefix).map(\.name) == ["index(age)"])
        #expect(try store.check() == [])
        #expect(try store.unreadyIndexes(prefix) == [])
    }

    @Test func aRenamedProperty_keepsItsIndex() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        try file.migrate(Crew.ByAge.self)
        let store = try file.open(Crew.ByYears.self)
        #expect(try store.indexes(prefix).map(\.name) == ["index(years)"])
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.check() == [])
        try store.insert(Crew.ByYears(id: 1000, name: "new", years: 70, email: nil))
        #expect(try Query<Crew.ByYears>().filter(\.years == 70).count(in: store) == 4)
    }

    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily])
    func anotherLayout_rebuildsIndexes(_ policy: MigrationPolicy) throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        try file.migrate(Crew.ByAge.self)
        let store = try file.open(Crew.Relaid.self, migrations: policy)
        if policy == .lazily {
            // The index belongs to the older layout, so it is not used.
            #expect(try store.unreadyIndexes(prefix) == [])
            #expect(
                try store.read { try $0.table(for: Crew.Relaid.schema)?.indexes.contains(where: \.isReady) }
                    == false)
            try store.insert(Crew.Relaid(id: 7, name: "new", age: nil, email: nil))
            #expect(try store.unreadyIndexes(prefix) == ["index(age)"])
            #expect(try store.storedIndex(prefix, "index(age)").count == 1)
            try store.finishMigrations()
        }
        func isFinished() throws -> Bool {
            let type = try store.storedType(prefix)
            return type.possibleVersions == [Crew.Relaid.fieldsVersion] && type.indexes.allSatisfy(\.isReady)
        }
        while try !isFinished() { sched_yield() }
        #expect(try store.indexes(prefix).map(\.definition) == ["age:Double?"])
        #expect(try store.check() == [])
    }

    @Test func anotherKey_rebuildsIndexes() throws {
        let file = try MigratedFile(of: Crew.short(0..<300))
        do {
            let store = try file.open(Crew.ByAge.self)
            #expect(try store.check() == [])
        }
        let store = try file.open(Crew.Rekeyed.self)
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.indexes(prefix).map(\.count) == [300, 200])
        #expect(try store.check() == [])
        #expect(try Store.verify(path: file.path).isSound)
    }

    // MARK: Records that contradict a unique constraint

    @Test func aConstraintThatRecordsContradict_isReported_untilTheyDoNot() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        do {
            var copy = Crew.plain(200..<201)[0]
            copy.email = Crew.plain(100..<101)[0].email
            try file.write([copy])
        }
        let expected = StoreError.record(
            .notUnique(
                type: "Crew.Indexed", index: "unique(email)", key: StoredKey(200, of: Crew.Indexed.self),
                existing: StoredKey(100, of: Crew.Indexed.self)))
        for _ in 0..<2 {
            let store = try file.open(Crew.Indexed.self)
            #expect(try store.unreadyIndexes(prefix) == [])
            #expect(try store.check().map(\.kind) == [.notUnique])
            #expect(storeError { try store.finishMigrations() } == expected)
            #expect(storeError { try store.rebuild(Crew.Indexed.self) } == expected)
            #expect(storeError { try store.rebuild() } == expected)
            #expect(try store.unreadyIndexes(prefix) == [])
            #expect(try store.get(Crew.Indexed.self, key: 5) == Crew.indexed(5..<6)[0])
            try store.insert(Crew.Indexed(id: 900, name: "new", age: 3, email: "new@ship"))
        }
        let store = try file.open(Crew.Indexed.self)
        try store.delete(Crew.Indexed.self, key: 200)
        try store.finishMigrations()
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.check() == [])
    }

    /// The colliding record is in a later batch than the first record.
    @Test func collidingRecords_areFound_inWhicheverTransactionTheyAre() throws {
        let file = try MigratedFile(of: Crew.plain(0..<300))
        let long = String(repeating: "e", count: 900)
        try file.write([
            Crew.Plain(id: 10, name: "", age: 0, email: long), Crew.Plain(id: 290, name: "", age: 0, email: long),
        ])
        let store = try file.open()
        let reports = try Store.buildIndexes(of: Crew.Indexed.self, in: store, Self.steps) {
            _ in
        }
        #expect(
            reports == [
                .record(
                    .notUnique(
                        type: "Crew.Indexed", index: "unique(email)", key: StoredKey(290, of: Crew.Indexed.self),
                        existing: StoredKey(10, of: Crew.Indexed.self)))
            ])
        #expect(try store.unreadyIndexes(prefix) == [])
    }

    @Test func aRuleThatAllowsDuplicates_buildsTheIndexWithThem() throws {
        let file = try MigratedFile(of: (0..<300).map { Crew.Plain(id: $0, name: "", age: 0, email: "\($0 % 7)") })
        let store = try file.open(Crew.Lenient.self)
        #expect(try store.unreadyIndexes(prefix) == [])
        #expect(try store.indexes(prefix).map(\.count) == [300])
        #expect(try store.check() == [])
    }
}
