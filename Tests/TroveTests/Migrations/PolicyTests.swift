// The time at which records are rewritten under each policy, and reads before they are.

import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Migration policies") struct PolicyTests {
    private let prefix = Bulky.Old.keyPrefix

    // MARK: In the background

    @Test func inTheBackground_everythingIsReadAndWrittenRight_fromTheFirstMomentOn() throws {
        let count = 4000
        let file = try MigratedFile(of: Bulky.old(count))
        let gate = MigrationGate()
        let store = try file.open(Bulky.New.self, migrations: .background, progress: gate.pass)
        gate.waitUntilReached()
        // Some records are rewritten, the others are not.
        #expect(Set(try store.storedRecords(prefix).map(\.fieldsVersion)).count == 2)
        #expect(try Bulky.New.query().resolve(in: store) == Bulky.new(count))
        #expect(try Bulky.New.query().select(\.size).resolve(in: store) == Bulky.new(count).map(\.size))
        let migration = try #require(try store.storedType(prefix).migration)
        #expect(migration.version == Bulky.New.fieldsVersion && !migration.changesKeys)
        #expect((1..<count).contains(migration.done) && migration.total == count)
        // A rewritten record, a record of the older layout, and a new record.
        var expected = Bulky.new(count)
        for id in [0, count - 1] {
            expected[id].note = "written meanwhile"
            try store.insert(expected[id])
        }
        expected.append(Bulky.New(id: count, size: 1, body: Data(), note: nil))
        try store.insert(expected[count])
        try store.delete(Bulky.New.self, key: 5)
        expected.remove(at: 5)
        gate.open()
        while try !store.storedType(prefix).isMigrated { sched_yield() }
        #expect(try Bulky.New.query().resolve(in: store) == expected)
        #expect(try store.storedRecords(prefix).allSatisfy { $0.fieldsVersion == Bulky.New.fieldsVersion })
    }

    @Test func inTheBackground_aTypeThatFails_keepsNoOtherBack() throws {
        let file = try MigratedFile(of: Bulky.old(10))
        try file.write([LostCase.Old(id: 1, level: .medium, levels: [])])
        for policy in [MigrationPolicy.background, .lazily] {
            let store = try Store(
                path: file.path, records: [LostCase.New.self, Bulky.New.self], migrations: policy,
                options: StoreOptions(durability: .noSync))
            if policy == .background {
                while try !store.storedType(prefix).isMigrated { sched_yield() }
            }
            guard case .schema(.unconvertible("LostCase.New", _, _, _))? = storeError({ try store.finishMigrations() })
            else {
                Issue.record("the migration did not fail")
                return
            }
            #expect(try store.storedType(LostCase.Old.keyPrefix).versions == [LostCase.Old.fieldsVersion])
            #expect(try store.storedType(prefix).isMigrated)
        }
    }

    @Test func closedMeanwhile_itGoesOnAtTheNextOpening_whereItStopped() throws {
        let count = 4000
        let file = try MigratedFile(of: Bulky.old(count))
        let gate = MigrationGate()
        try withExtendedLifetime(file.open(Bulky.New.self, migrations: .background, progress: gate.pass)) {
            gate.waitUntilReached()
        }
        gate.open()
        let done = gate.steps[0].done
        #expect(try file.type(prefix).migration?.done == done)
        #expect(try file.read(Bulky.New.self) == Bulky.new(count))
        let steps = MigrationSteps()
        _ = try file.open(Bulky.New.self, progress: steps.take)
        #expect(steps.all.allSatisfy { $0.done > done && $0.total == count })
        #expect(steps.all.last?.done == count)
        #expect(try file.type(prefix).isMigrated)
        #expect(try file.read(Bulky.New.self) == Bulky.new(count))
    }

    @Test func finishing_doesNotWait_forABackgroundThatRests() throws {
        let count = 4000
        let file = try MigratedFile(of: Bulky.old(count))
        let gate = MigrationGate()
        let store = try file.open(Bulky.New.self, migrations: .background, progress: gate.pass)
        gate.waitUntilReached()
        let steps = MigrationSteps()
        try store.finishMigrations { step in
            steps.take(step)
            // Between two transactions, the store can be used.
            #expect(storeError { try store.insert(Bulky.new(count)[step.done - 1]) } == nil)
        }
        #expect(steps.all.last?.done == count)
        #expect(try store.storedType(prefix).isMigrated)
        gate.open()
        #expect(try Bulky.New.query().resolve(in: store) == Bulky.new(count))
    }

    @Test func inTheBackground_whatDoesNotConvert_stopsItsOwnType_andIsThrownByFinishing() throws {
        let file = try MigratedFile(of: [1, 300].enumerated().map { Narrowed.Old(id: $0, size: $1) })
        let before = try file.bytes()
        do {
            let store = try file.open(Narrowed.New.self, migrations: .background)
            #expect(try store.get(Narrowed.New.self, key: 0) == Narrowed.New(id: 0, size: 1))
            guard case .schema(.unconvertible(_, _, let key, _))? = storeError({ try store.finishMigrations() }) else {
                Issue.record("the migration was finished")
                return
            }
            #expect(key.bytes == Narrowed.New(id: 1, size: 0).keyBytes)
        }
        #expect(try file.bytes() == before)
    }

    /// Under the old key, the records would be in an order that no query of the type can use.
    @Test func aTypeWithANewKey_isMigratedWhileTheStoreOpens() throws {
        for policy in [MigrationPolicy.onOpen, .background, .lazily] {
            let file = try MigratedFile(of: [Moved.Old(id: 1, name: "b"), Moved.Old(id: 2, name: "a")])
            let store = try file.open(Moved.New.self, migrations: policy)
            #expect(try store.storedRecords(Moved.New.keyPrefix).map { $0["id"] } == [.integer(2), .integer(1)])
            #expect(try Moved.New.query().resolve(in: store).map(\.name) == ["a", "b"])
        }
    }

    // MARK: Lazily

    @Test func lazily_eachRecordIsRewrittenWhenItIsWritten() throws {
        let file = try MigratedFile(of: Bulky.old(5))
        let before = try file.bytes()
        do {
            let store = try file.open(Bulky.New.self, migrations: .lazily)
            #expect(try Bulky.New.query().resolve(in: store) == Bulky.new(5))
            #expect(try store.get(Bulky.New.self, key: 3) == Bulky.new(5)[3])
        }
        #expect(try file.bytes() == before)
        let store = try file.open(Bulky.New.self, migrations: .lazily)
        try store.insert(Bulky.new(5)[3])
        let (old, new) = (Bulky.Old.fieldsVersion, Bulky.New.fieldsVersion)
        #expect(try store.storedRecords(prefix).map(\.fieldsVersion) == [old, old, old, new, old])
        #expect(try store.storedType(prefix).possibleVersions == [old, new])
        let steps = MigrationSteps()
        try store.finishMigrations(progress: steps.take)
        #expect(steps.all.map(\.done) == [5])
        #expect(try store.storedRecords(prefix).map(\.fieldsVersion) == Array(repeating: new, count: 5))
        #expect(try store.storedType(prefix).isMigrated)
        #expect(try Bulky.New.query().resolve(in: store) == Bulky.new(5))
        let sequence = try store.commitSequence
        try store.finishMigrations()
        #expect(try store.commitSequence == sequence)
    }

    @Test func whatWasLeft_isFinishedByTheAsyncForm_too() async throws {
        let file = try MigratedFile(of: Bulky.old(5))
        let store = try file.open(Bulky.New.self, migrations: .lazily)
        let steps = MigrationSteps()
        try await store.finishMigrations(progress: steps.take)
        #expect(steps.all.map(\.done) == [5])
        #expect(try store.storedRecords(prefix).allSatisfy { $0.fieldsVersion == Bulky.New.fieldsVersion })
    }

    @Test func finishing_concernsDeclaredTypes_andStoresOpenForWriting() throws {
        let file = try MigratedFile(of: Bulky.old(5))
        let before = try file.bytes()
        try file.open().finishMigrations()
        let readOnly = try file.open(Bulky.New.self, isReadOnly: true)
        #expect(storeError { try readOnly.finishMigrations() } == .transaction(.readOnly(path: file.path)))
        #expect(try file.bytes() == before)
    }

    // MARK: Refusing

    @Test func refused_withThePlan_andNothingIsChanged() throws {
        let file = try MigratedFile(of: Bulky.old(5))
        try file.write([Moved.Old(id: 1, name: "b")])
        let before = try file.bytes()
        let types: [any IndexKeyRecord.Type] = [Bulky.New.self, Moved.New.self]
        let plan = try file.open().migrationPlan(for: types).description
        let error = storeError { try file.migrate(Bulky.New.self, Moved.New.self, migrations: .refuse) }
        #expect(error == .schema(.migrationRefused(path: file.path, plan: plan)))
        #expect(error?.description.contains("size was Int8, is Int64") == true)
        #expect(try file.bytes() == before)
    }

    @Test func whereNothingIsToBeDone_refusingOpensTheStore() throws {
        let file = try MigratedFile(of: Bulky.old(5))
        try file.migrate(Bulky.Old.self, Moved.New.self, migrations: .refuse)
        #expect(try file.read(Bulky.Old.self) == Bulky.old(5))
        try file.migrate(Bulky.New.self)
        try file.migrate(Bulky.New.self, migrations: .refuse)
        #expect(try file.read(Bulky.New.self) == Bulky.new(5))
    }

    /// The catalog cannot show that the last old record was rewritten. Later opens must work all the same.
    @Test func recordsThatWereAllRewritten_oneByOne_leaveNothingToDo() throws {
        let file = try MigratedFile(of: Bulky.old(3))
        do {
            let store = try file.open(Bulky.New.self, migrations: .lazily)
            try store.insert(contentsOf: Bulky.new(3))
            #expect(try store.migrationPlan(for: [Bulky.New.self]).isEmpty)
        }
        try file.migrate(Bulky.New.self, migrations: .refuse)
        try file.migrate(Bulky.New.self)
        #expect(try file.type(prefix).isMigrated)
        #expect(try file.read(Bulky.New.self) == Bulky.new(3))
    }

    // MARK: Read-only

    @Test func readOnly_recordsAreReadRight_andNothingIsWritten() throws {
        let file = try MigratedFile(of: Bulky.old(5))
        let before = try file.bytes()
        for policy in [MigrationPolicy.onOpen, .background, .lazily] {
            let store = try file.open(Bulky.New.self, migrations: policy, isReadOnly: true)
            #expect(try Bulky.New.query().resolve(in: store) == Bulky.new(5))
        }
        #expect(try file.bytes() == before)
    }

    @Test func readOnly_aNewKey_orANewFieldWithoutAValue_isRefused() throws {
        let file = try MigratedFile(of: [Moved.Old(id: 1, name: "b")])
        try file.write([Hopeless.Old(id: 1, name: "a", point: .init(x: 1))])
        let before = try file.bytes()
        #expect(
            storeError { try file.open(Moved.New.self, isReadOnly: true) }
                == .schema(
                    .keyLayoutChanged(
                        path: file.path, type: "Moved.New", stored: "(id:Int64)", declared: "(name:String,id:Int64)")))
        #expect(
            storeError { try file.open(Hopeless.WithoutDefault.self, isReadOnly: true) }
                == .schema(
                    .noConversion(
                        type: "Hopeless.WithoutDefault", version: Hopeless.Old.fieldsVersion,
                        reason: ConversionError(field: "size", reason: .noDefault))))
        #expect(try file.bytes() == before)
    }

    // MARK: Cancelling

    @Test func aCancelledTask_stopsFinishing_andWhatIsDoneStaysDone() async throws {
        let count = 20_000
        let file = try MigratedFile(of: Bulky.old(count))
        let store = try file.open(Bulky.New.self, migrations: .lazily)
        let gate = MigrationGate()
        let task = Task { try await store.finishMigrations(progress: gate.pass) }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                gate.waitUntilReached()
                continuation.resume()
            }
        }
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try store.storedType(prefix).migration?.done == gate.steps.last?.done)
        try await store.finishMigrations()
        #expect(try await Bulky.New.query().resolve(in: store) == Bulky.new(count))
        #expect(try store.storedType(prefix).isMigrated)
    }

    // MARK: Undeclared

    @Test func anUndeclaredType_isMigratedRecordByRecord() throws {
        let file = try MigratedFile(of: Bulky.old(3))
        try file.write([Bulky.new(3)[1]])
        let (old, new) = (Bulky.Old.fieldsVersion, Bulky.New.fieldsVersion)
        #expect(try file.stored(prefix).map(\.fieldsVersion) == [old, new, old])
        #expect(try file.read(Bulky.New.self) == Bulky.new(3))
        // The migration does not touch undeclared types.
        try file.migrate(Moved.New.self)
        #expect(try file.stored(prefix).map(\.fieldsVersion) == [old, new, old])
        try file.migrate(Bulky.New.self)
        #expect(try file.stored(prefix).map(\.fieldsVersion) == [new, new, new])
    }
}
