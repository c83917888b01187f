// The async forms of a store's short forms.

import Foundation
import LMDB
import Testing
import Trove
import TroveSpellings
import TroveTestSupport

@IndexKeyRecord("number")
private struct Shipment: Hashable {
    #Index<Shipment>(\.weight)

    let number: Int
    var weight: Int
    var load: Double?
}

@Suite("Async forms") struct AsyncFormTests {
    private static let shipments = (0..<20).map {
        Shipment(number: $0, weight: $0 % 7, load: $0 % 3 == 0 ? nil : Double($0))
    }

    private func filled() async throws -> Store {
        let store = try await Store.temporary(records: [Shipment.self])
        try await store.insert(contentsOf: Self.shipments)
        return store
    }

    // MARK: Writes

    @Test func insertsThatWaitTogether_shareOneCommit() async throws {
        try await eventually(gives: 1) {
            let line = try WriterLine()
            let store = line.store
            return try await line.commits {
                let held = await line.hold()
                var tasks: [Task<Bool, any Error>] = []
                for number in 0..<20 {
                    tasks.append(
                        await held.queue { Task { try await store.insert(Tick(number: number, note: "")) } })
                }
                held.end()
                for task in tasks {
                    let isNew = try await task.value
                    #expect(isNew)
                }
                let keys = try await Tick.query().keys(in: store)
                #expect(keys == Array(0..<20))
            }
        }
    }

    @Test func aTaskCancelledBeforeItsInsert_insertsNothing() async throws {
        let line = try WriterLine()
        let store = line.store
        let held = await line.hold()
        let task = await held.queue { Task { try await store.insert(Tick(number: 1, note: "")) } }
        task.cancel()
        held.end()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await Tick.query().count(in: store) == 0)
    }

    @Test func aTaskCancelledBeforeItsQuery_doesNotRunIt() async throws {
        let store = try await filled()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Shipment.query().count(in: store)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func writes_doWhatTheirSyncFormsDo() async throws {
        let store = try await filled()
        #expect(try await store.insert(Shipment(number: 30, weight: 1)))
        #expect(try await !store.insert(Shipment(number: 30, weight: 2), onConflict: .ignore))
        #expect(try await Shipment(number: 31, weight: 1).insert(in: store))
        #expect(try await Shipment(number: 31, weight: 1).delete(in: store))
        #expect(try await store.delete(Shipment(number: 30, weight: 1)))
        #expect(try await !store.delete(Shipment.self, key: 30))
        #expect(try await store.delete(Shipment.self, key: 0, ignoringDamage: true))
        #expect(try await Shipment.delete(in: store, number: 1) == 1)
        #expect(try await Shipment.delete(in: store, number: .greaterThan(17)) == 2)
        #expect(try await Shipment.query(number: 2).delete(in: store) == 1)
        #expect(try await Shipment.filter(\.number == 3).delete(in: store) == 1)
        #expect(try await Shipment.filter(\.number == 4, in: store).delete() == 1)
        #expect(try await store.delete(query: Shipment.query(number: 5)) == 1)
        #expect(try await Shipment.filter(\.number == 6).update(in: store) { $0.weight = 100 } == 1)
        #expect(try await Shipment.filter(\.number == 7, in: store).update { $0.weight = 100 } == 1)
        #expect(try await Shipment.filter(\.weight == 100).sorted(by: \.number).keys(in: store) == [6, 7])
        #expect(try await Shipment.query().keys(in: store) == Array(6..<18))
        try await store.withTransaction { context in try Shipment(number: 40, weight: 1).insert(in: context) }
        #expect(try await store.contains(Shipment.self, key: 40))
    }

    // MARK: Reads

    @Test func reads_answerAsTheirSyncForms() async throws {
        let store = try await filled()
        let (all, query) = (Shipment.query(), Shipment.filter(\.weight > 3).sorted(by: \.weight))
        func sync<R: Sendable>(_ body: @escaping @Sendable (ReadContext) throws -> R) async throws -> R {
            try await store.read(body)
        }
        #expect(try await all.resolve(in: store) == sync { try all.resolve(in: $0) })
        #expect(try await all.resolve(in: store) == sync { try all.resolve(in: $0) })
        #expect(try await all.first(in: store) == Self.shipments[0])
        #expect(try await all.keys(in: store) == Array(0..<20))
        #expect(try await all.count(in: store) == 20)
        #expect(try await all.exists(in: store))
        #expect(try await all.select(\.weight).resolve(in: store) == Self.shipments.map(\.weight))
        let columns = try await all.select(\.number, \.weight, \.load).resolve(in: store)
        #expect(columns.map(\.2) == Self.shipments.map(\.load))
        #expect(try await Shipment.select(in: store, limit: 3) == Array(Self.shipments[..<3]))
        #expect(try await Shipment.select(in: store, number: 4) == [Self.shipments[4]])
        #expect(try await Shipment.select(in: store, limit: 2, number: .greaterThan(4)) == Array(Self.shipments[5...6]))
        #expect(try await Shipment.get(in: store, number: 9) == Self.shipments[9])
        #expect(try await Shipment.query(9).resolve(in: store) == Self.shipments[9])
        #expect(try await Shipment.query(9, in: store).resolve() == Self.shipments[9])
        #expect(try await store.get(Shipment.self, key: 8) == Self.shipments[8])
        #expect(try await store.get(Shipment.self, keys: [3, 99, 1]) == [Self.shipments[3], Self.shipments[1]])
        #expect(try await store.select(query: all) == Self.shipments)

        #expect(try await query.resolve(in: store) == sync { try query.resolve(in: $0) })
        #expect(try await query.resolve(in: store) == sync { try query.resolve(in: $0) })
        #expect(try await query.first(in: store) == sync { try query.first(in: $0) })
        #expect(try await query.keys(in: store) == sync { try query.keys(in: $0) })
        #expect(try await query.count(in: store) == sync { try query.count(in: $0) })
        #expect(try await query.exists(in: store))
        #expect(try await query.explain(in: store) == sync { try query.explain(in: $0) })
        #expect(try await query.select(\.load).resolve(in: store) == sync { try query.select(\.load).resolve(in: $0) })
        #expect(try await query.select(\.number, \.weight).resolve(in: store).count == query.count(in: store))
        let bound = Shipment.query(in: store).filter(\.weight > 3).sorted(by: \.weight)
        #expect(try await bound.resolve() == query.resolve(in: store))
        #expect(try await bound.first() == query.first(in: store))
        #expect(try await bound.keys() == query.keys(in: store))
        #expect(try await bound.count() == query.count(in: store))
        #expect(try await bound.exists())
        #expect(try await bound.explain() == query.explain(in: store))
        #expect(try await bound.select(\.weight).resolve() == query.select(\.weight).resolve(in: store))
        #expect(try await bound.select(\.number, \.weight).resolve().count == query.count(in: store))
    }

    @Test func aggregates_answerAsTheirSyncForms() async throws {
        let store = try await filled()
        let query = Shipment.query().filter(\.number < 12)
        let found = Self.shipments.prefix(12)
        let loads = found.compactMap(\.load)
        #expect(try await query.min(of: \.weight).resolve(in: store) == found.map(\.weight).min())
        #expect(try await query.max(of: \.weight).resolve(in: store) == found.map(\.weight).max())
        #expect(try await query.min(of: \.load).resolve(in: store) == loads.min())
        #expect(try await query.max(of: \.load).resolve(in: store) == loads.max())
        #expect(try await query.sum(of: \.weight).resolve(in: store) == found.map(\.weight).reduce(0, +))
        #expect(try await query.sum(of: \.load).resolve(in: store) == loads.reduce(0, +))
        #expect(
            try await query.average(of: \.weight).resolve(in: store) == Double(found.map(\.weight).reduce(0, +)) / 12)
        #expect(try await query.average(of: \.load).resolve(in: store) == loads.reduce(0, +) / Double(loads.count))
    }

    @Test func aggregatesOfAQueryForKeys_answerAsTheirSyncForms() async throws {
        let store = try await filled()
        let query = Shipment.query(number: .closedRange(5...15)).limit(8)
        let found = Self.shipments[5..<13]
        let (weights, loads) = (found.map(\.weight), found.compactMap(\.load))
        #expect(try await query.min(of: \.weight).resolve(in: store) == weights.min())
        #expect(try await query.max(of: \.weight).resolve(in: store) == weights.max())
        #expect(try await query.min(of: \.load).resolve(in: store) == loads.min())
        #expect(try await query.max(of: \.load).resolve(in: store) == loads.max())
        #expect(try await query.sum(of: \.weight).resolve(in: store) == weights.reduce(0, +))
        #expect(try await query.sum(of: \.load).resolve(in: store) == loads.reduce(0, +))
        #expect(try await query.average(of: \.weight).resolve(in: store) == Double(weights.reduce(0, +)) / 8)
        #expect(try await query.average(of: \.load).resolve(in: store) == loads.reduce(0, +) / Double(loads.count))
        #expect(try await query.distinct(\.weight).resolve(in: store) == Set(weights).sorted())
        #expect(try await query.grouped(by: \.weight).keys(in: store) == Set(weights).sorted())
        let plan = try await query.explain(in: store)
        #expect(try await store.read { try query.explain(in: $0) } == plan)
        #expect(try await query.update(in: store) { $0.weight = 50 } == 8)
        #expect(try await Shipment.filter(\.weight == 50).keys(in: store) == Array(5..<13))
    }

    @Test func groupsOfABoundQuery_answerAsTheQuery() async throws {
        let store = try await filled()
        let query = Shipment.filter(\.number < 12).grouped(by: \.weight)
        let bound = Shipment.filter(\.number < 12, in: store).grouped(by: \.weight)
        func equal<Value: Equatable & Sendable>(
            _ first: [(key: Int, value: Value)], _ second: [(key: Int, value: Value)]
        ) -> Bool {
            !first.isEmpty && first.elementsEqual(second, by: ==)
        }
        #expect(try await bound.keys() == query.keys(in: store))
        #expect(try await equal(bound.count(), query.count(in: store)))
        #expect(try await equal(bound.min(of: \.number).resolve(), query.min(of: \.number).resolve(in: store)))
        #expect(try await equal(bound.min(of: \.load).resolve(), query.min(of: \.load).resolve(in: store)))
        #expect(try await equal(bound.max(of: \.number).resolve(), query.max(of: \.number).resolve(in: store)))
        #expect(try await equal(bound.max(of: \.load).resolve(), query.max(of: \.load).resolve(in: store)))
        #expect(try await equal(bound.sum(of: \.number).resolve(), query.sum(of: \.number).resolve(in: store)))
        #expect(try await equal(bound.sum(of: \.load).resolve(), query.sum(of: \.load).resolve(in: store)))
        #expect(try await equal(bound.average(of: \.number).resolve(), query.average(of: \.number).resolve(in: store)))
        #expect(try await equal(bound.average(of: \.load).resolve(), query.average(of: \.load).resolve(in: store)))
        #expect(try await bound.explain() == query.explain(in: store))
        #expect(try await bound.min(of: \.load).explain() == query.min(of: \.load).explain(in: store))
    }

    @Test func forEach_visitsInOrder_untilItStops() async throws {
        let store = try await filled()
        let seen = Monitor<[Int]>([])
        try await Shipment.query().forEach(in: store) { shipment in seen.withLock { $0.append(shipment.number) } }
        #expect(seen.withLock { $0 } == Array(0..<20))
        try await Shipment.query().filter(\.number > 9).forEach(in: store) { shipment in
            seen.withLock { $0.append(shipment.number) }
            return shipment.number == 11 ? .stop : .continue
        }
        try await Shipment.query(in: store).forEach { shipment in seen.withLock { $0.append(-shipment.number) } }
        #expect(seen.withLock { $0 } == Array(0..<20) + [10, 11] + (0..<20).map { -$0 })
        seen.withLock { $0 = [] }
        try await Shipment.query(in: store).order(.descending).forEach { shipment in
            seen.withLock { $0.append(shipment.number) }
            return shipment.number == 17 ? .stop : .continue
        }
        #expect(seen.withLock { $0 } == [19, 18, 17])
    }

    // MARK: Whole stores

    @Test func openingAndMaintenance_workAsTheirSyncForms() async throws {
        let directory = try TemporaryDirectory()
        let url = URL(filePath: directory.path("a b.trove"))
        let store = try await Store(url: url, records: [Shipment.self])
        try await store.insert(contentsOf: Self.shipments)
        #expect(try await store.check().isEmpty)
        #expect(try await store.check(Shipment.self).isEmpty)
        try await store.rebuild()
        try await store.rebuild(Shipment.self, index: "index(weight)")
        await #expect(throws: StoreError.self) { try await store.rebuild(Shipment.self, index: "index(none)") }
        try await store.finishMigrations()
        #expect(try await store.dropUndeclaredIndexes().isEmpty)
        #expect(try await store.migrationPlan(for: [Shipment.self]).isEmpty)
        let copy = URL(filePath: directory.path("copy.trove"))
        #expect(try await store.copy(to: copy).records == 20)
        #expect(try await Store.verify(path: copy.path(percentEncoded: false)).isSound)
        let salvaged = try await Store.salvage(from: store.path, to: directory.path("salvaged.trove"))
        #expect(salvaged.isComplete)
        #expect(
            try directory.names().filter { !$0.hasSuffix("-lock") } == ["a b.trove", "copy.trove", "salvaged.trove"])
        try await store.close()
    }

    @Test func loadingAndMarking_workAsTheirSyncForms() async throws {
        let store = try await filled()
        let text = Monitor<[String]>([])
        try await store.read { context in
            try context.forEachDumpLine(of: context.storedTypes()) { line in text.withLock { $0.append(line) } }
        }
        let lines = text.withLock { $0 }
        let (first, second) = (Monitor(lines), Monitor(lines))
        let directory = try TemporaryDirectory()
        let created = try await Store.create(at: directory.path("created.trove")) {
            first.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        #expect(created.records == 20)
        let other = try await Store.temporary()
        #expect(
            try await other.load { second.withLock { $0.isEmpty ? nil : $0.removeFirst() } }.records == 20)
        #expect(try await Shipment.query().resolve(in: other) == Self.shipments)
        let type = try #require(try await store.read { try $0.storedTypes().first })
        #expect(try await store.markForRebuild(of: type) == ["index(weight)"])
        let count = try await store.reading { try Shipment.query().count(in: $0) }
        #expect(count == 20)
        #expect(try await store.writing { try Shipment.query().delete(in: $0) } == 20)
    }

    @Test func aTaskCancelledDuringALoad_loadsNothing() async throws {
        let store = try await filled()
        let canGoOn = Monitor(false)
        let task = Task {
            try await store.load(type: "Shipment") {
                while !canGoOn.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.001) }
                return "{\"number\":99,\"weight\":1,\"load\":null}"
            }
        }
        task.cancel()
        canGoOn.withLock { $0 = true }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await Shipment.query().count(in: store) == 20)
    }

    @Test func aWebAddress_isNoStore() async throws {
        let url = try #require(URL(string: "https://example.com/a.trove"))
        let error = StoreError.file(.notAFileURL(url: "https://example.com/a.trove"))
        await #expect(throws: error) { try await Store(url: url) }
        #expect(storeError { try Store(url: url) } == error)
        let store = try await Store.temporary()
        #expect(storeError { try store.copy(to: url) } == error)
    }

    @Test func aCancelledTask_opensNothing() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Store(path: path)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try directory.names().isEmpty)
    }

    /// Opens a store in a task, and cancels the task when the migration has reached the gate.
    private func cancelOpening(_ file: MigratedFile, _ type: any IndexKeyRecord.Type, at gate: MigrationGate) async {
        let task = Task {
            let options = StoreOptions(durability: .noSync)
            _ = try await Store(path: file.path, records: [type], options: options, progress: gate.pass)
        }
        while !gate.isReached { await Task.yield() }
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aTaskCancelledDuringAMigration_stopsAfterABatch() async throws {
        // More than the 16 MB of a batch.
        let count = 20_000
        let file = try MigratedFile(of: Bulky.old(count))
        await cancelOpening(file, Bulky.New.self, at: MigrationGate())
        let migration = try #require(try file.type(Bulky.Old.keyPrefix).migration)
        #expect((1..<count).contains(migration.done))
        let store = try await Store(path: file.path, records: [Bulky.New.self])
        #expect(try await Bulky.New.query().resolve(in: store) == Bulky.new(count))
    }

    @Test func aTaskCancelledDuringAValidation_rewritesNothing() async throws {
        let file = try MigratedFile(of: Bulky.old(4000))
        let gate = MigrationGate(afterValidationOf: 4000)
        await cancelOpening(file, Bulky.NewKey.self, at: gate)
        #expect(gate.steps.allSatisfy { $0.phase == .validating })
        #expect(try file.read(Bulky.Old.self) == Bulky.old(4000))
    }

    @Test func aTaskCancelledDuringABuildOfIndexes_isContinuedLater() async throws {
        let file = try MigratedFile(of: Crew.plain(0..<500))
        let gate = MigrationGate()
        await cancelOpening(file, Crew.Indexed.self, at: gate)
        #expect(gate.steps.count == 1)
        let store = try file.open(Crew.Indexed.self)
        #expect(try store.unreadyIndexes(Crew.prefix) == [])
        #expect(try await store.check() == [])
    }

    // MARK: Isolation

    @MainActor @Test func theMainActor_callsBothForms() async throws {
        func onTheMainActor(_ store: Store) throws -> Int { try Shipment.query().count(in: store) }
        let store = try await filled()
        #expect(try onTheMainActor(store) == 20)
        #expect(try await Shipment.query().count(in: store) == 20)
    }

    @Test func anActor_callsBothForms() async throws {
        actor Shelf {
            let store: Store
            init(_ store: Store) { self.store = store }
            func add(_ shipment: Shipment) throws { try store.insert(shipment) }
            func count() async throws -> Int { try await Shipment.query().count(in: store) }
        }
        let shelf = Shelf(try await filled())
        try await shelf.add(Shipment(number: 50, weight: 0))
        #expect(try await shelf.count() == 21)
    }
}
