// The features of a store: listed from their first use on, and respected by programs that lack them.

import Foundation
import LMDB
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

private struct Deliberate: Error {}

@Suite("Features of the format") struct StoreFeatureTests {
    private let directory: TemporaryDirectory
    private let path: String

    /// An unknown feature in each group.
    private static let read = StoreFeature(901, .neededToRead)
    private static let otherRead = StoreFeature(851, .neededToRead)
    private static let write = StoreFeature(902, .neededToWrite)
    private static let ignored = StoreFeature(903, .mayBeIgnored)

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("a.trove")
    }

    /// Opens the store as a program that has these features in addition to its own, or only these. It stores no change
    /// hints: with them, each store has a feature from its first commit on.
    private func open(
        adding features: Set<StoreFeature> = [], only: Set<StoreFeature>? = nil,
        records: [any IndexKeyRecord.Type] = [], isReadOnly: Bool = false
    ) throws -> Store {
        var options = StoreOptions(durability: .noSync, isReadOnly: isReadOnly)
        options.supportedFeatures = only ?? options.supportedFeatures.union(features)
        return try Store(path: path, records: records, options: options)
    }

    /// Writes a store with a record as a later program, with these features.
    private func writeStore(using features: StoreFeature...) throws {
        let store = try open(adding: Set(features))
        try store.write { context in
            for feature in features { try context.use(feature) }
            try context.insert(Tick(number: 1, note: "later"))
        }
    }

    private func error(_ features: StoreFeature...) throws -> StoreError {
        let path = try Environment(path: path, options: EnvironmentOptions(durability: .noSync)).path
        return .file(.formatTooNew(path: path, format: 2, supported: 2, features: features))
    }

    // MARK: The list

    @Test func aStoreWithoutFeatures_staysInFormat1() throws {
        let store = try open()
        let uuid = try unsafe withUnsafeBytes(of: store.identifier.uuid) { unsafe Array($0) }
        try store.insert(Tick(number: 1, note: ""))
        try store.write { context in
            for number in 2..<100 { try context.insert(Tick(number: number, note: "")) }
        }
        #expect(try store.info.features == [])
        #expect(try RawStoreEntry.read(path) == [1, 0, 0, 0] + uuid)
    }

    @Test func aFeature_isListedFromItsFirstUseOn_andWrittenOnce() throws {
        let store = try open()
        try store.write { try $0.use(.links) }
        #expect(try store.commitSequence == 1)
        #expect(try store.info.features == [.links])
        #expect(Array(try RawStoreEntry.read(path).dropFirst(20)) == [1, 1, 0, 0, 0, 0, 0])
        let epoch = try store.read { try $0.catalogStorage().number(.schemaEpoch) }
        for _ in 0..<3 { try store.write { try $0.use(.links) } }
        try store.write { context in
            try context.insert(Tick(number: 1, note: ""))
            try context.nested { try $0.use(.links) }
        }
        // The transactions without other changes wrote nothing.
        #expect(try store.commitSequence == 2)
        #expect(try store.read { try $0.catalogStorage().number(.schemaEpoch) } == epoch + 1)
    }

    @Test func severalUsesInOneTransaction_areOne() throws {
        let store = try open(adding: [Self.ignored])
        try store.write { context in
            for _ in 0..<3 {
                try context.use(Self.ignored)
                try context.use(.links)
            }
            #expect(try context.catalogStorage().number(.schemaEpoch) == 2)
        }
        #expect(try store.info.features == [.links, Self.ignored])
    }

    @Test func aUse_isUndoneWithItsTransaction() throws {
        let store = try open()
        try store.insert(Tick(number: 1, note: ""))
        let before = try RawStoreEntry.read(path)
        #expect(throws: Deliberate.self) {
            try store.write { context in
                try context.use(.links)
                throw Deliberate()
            }
        }
        #expect(try RawStoreEntry.read(path) == before)
        try store.write { context in
            #expect(throws: Deliberate.self) {
                try context.nested { nested in
                    try nested.use(.links)
                    throw Deliberate()
                }
            }
            try context.insert(Tick(number: 2, note: ""))
        }
        #expect(try RawStoreEntry.read(path) == before)
        // The use in the nested transaction was forgotten, and this use is not.
        try store.write { context in
            #expect(throws: Deliberate.self) {
                try context.nested { nested in
                    try nested.use(.links)
                    throw Deliberate()
                }
            }
            try context.nested { try $0.use(.links) }
        }
        #expect(try store.info.features == [.links])
    }

    @Test func unknownFeatures_areKept_whenTheEntryIsWrittenAgain() throws {
        try writeStore(using: Self.ignored)
        try open().write { try $0.use(.links) }
        #expect(try open().info.features == [.links, Self.ignored])
        #expect(
            Array(try RawStoreEntry.read(path).dropFirst(20))
                == [1, 1, 0, 0, 0, 0, 1, 0x87, 0x03, 0, 0])
    }

    // MARK: A program that lacks a feature

    @Test func withoutAFeatureNeededToRead_aStoreDoesNotOpen() throws {
        try writeStore(using: Self.ignored, Self.otherRead, Self.write, Self.read)
        // The features of other groups do not matter then.
        #expect(storeError { try open() } == (try error(Self.otherRead, Self.read)))
        #expect(storeError { try open(isReadOnly: true) } == (try error(Self.otherRead, Self.read)))
        #expect(storeError { try open(records: [Tick.self]) } == (try error(Self.otherRead, Self.read)))
        #expect(storeError { try Store.verify(path: path) } == (try error(Self.otherRead, Self.read)))
        #expect(try open(adding: [Self.otherRead, Self.read]).get(Tick.self, key: 1)?.note == "later")
    }

    @Test func aProgramWithoutLinks_namesThem() throws {
        try writeStore(using: .links)
        let error = try #require(storeError { try open(only: []) })
        #expect(error == (try self.error(.links)))
        #expect("\(error)".contains("the feature 1 (links)"))
        #expect(try open().get(Tick.self, key: 1)?.note == "later")
    }

    @Test func withoutAFeatureNeededToWrite_aStoreIsOnlyRead() throws {
        try writeStore(using: Self.write)
        let before = try Data(contentsOf: URL(filePath: path))
        let error = try error(Self.write)
        let store = try open(records: [Tick.self])
        #expect(try store.check() == [])
        #expect(try store.info.features == [Self.write])
        for _ in 0..<2 {
            #expect(storeError { try store.insert(Tick(number: 2, note: "")) } == error)
            #expect(storeError { try store.write { _ in } } == error)
            #expect(storeError { try store.rebuild() } == error)
        }
        #expect(
            storeError { try open(isReadOnly: true).insert(Tick(number: 2, note: "")) }
                == .transaction(.readOnly(path: store.path)))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        try store.close()
        // A program with the feature can write.
        try open(adding: [Self.write]).insert(Tick(number: 2, note: ""))
    }

    /// The migration that an opening would begin is left to a program that may write.
    @Test func withoutAFeatureNeededToWrite_olderRecordsAreReadAsTheyAre() throws {
        let car = FirstProgram.Car(
            id: 1, name: "a car", seats: 5, price: 12_000, owner: nil, wheels: [], state: .parked, removed: true)
        try open().insert(car)
        try writeStore(using: Self.write)
        let before = try Data(contentsOf: URL(filePath: path))
        let store = try open(records: [SecondProgram.Car.self])
        #expect(try store.get(SecondProgram.Car.self, key: 1)?.title == "a car")
        #expect(storeError { try store.finishMigrations() } == (try error(Self.write)))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test func withoutAFeatureNeededToWrite_recordsWithOtherKeysNameIt() throws {
        try open().insert(contentsOf: Seat.all)
        try writeStore(using: Self.write)
        #expect(storeError { try open(records: [Seat.Widened.self]) } == (try error(Self.write)))
    }

    @Test func aFeatureThatMayBeIgnored_changesNothing() throws {
        try writeStore(using: Self.ignored, .changeHints)
        let store = try open(only: [])
        try store.insert(Tick(number: 2, note: ""))
        #expect(try store.info.features == [.changeHints, Self.ignored])
        #expect(try Store.verify(path: path).isSound)
    }

    // MARK: A running program

    private func use(_ feature: StoreFeature) throws {
        let child = try ChildProcess(
            ["use", path, feature.group.rawValue, "\(feature.number)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        try child.writeLine("go")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }

    @Test func aRunningProgram_meetsAFeatureNeededToRead() throws {
        let store = try open()
        try store.insert(Tick(number: 1, note: ""))
        try store.read { context in
            try use(Self.read)
            // The snapshot is from before.
            #expect(try Tick.query().count(in: context) == 1)
        }
        let error = try error(Self.read)
        for _ in 0..<2 {
            #expect(storeError { try Tick.query().count(in: store) } == error)
            #expect(storeError { try store.insert(Tick(number: 2, note: "")) } == error)
            #expect(storeError { try store.info } == error)
        }
    }

    @Test func aRunningProgram_meetsAFeatureNeededToWrite() throws {
        let store = try openThenUse(Self.write)
        let error = try error(Self.write)
        for _ in 0..<2 {
            #expect(storeError { try store.insert(Tick(number: 2, note: "")) } == error)
            #expect(try Line.query(writer: "later").count(in: store) == 1)
        }
    }

    private func openThenUse(_ feature: StoreFeature) throws -> Store {
        let store = try open()
        try store.insert(Tick(number: 1, note: ""))
        try use(feature)
        return store
    }

    @Test(arguments: [read, write]) func asynchronousForms_throwTheSameErrors(_ feature: StoreFeature) async throws {
        let store = try openThenUse(feature)
        let error = try error(feature)
        for _ in 0..<2 {
            await #expect(throws: error) { try await store.write { _ in } }
            if feature.group == .neededToRead {
                await #expect(throws: error) { try await store.read { _ in } }
            } else {
                #expect(try await store.read { try Tick.query().count(in: $0) } == 1)
            }
        }
    }

    @Test func aRunningProgram_meetsOtherFeatures() throws {
        let store = try open()
        try store.insert(Tick(number: 1, note: ""))
        try use(Self.ignored)
        try store.insert(Tick(number: 2, note: ""))
        try use(.links)
        try store.insert(Tick(number: 3, note: ""))
        #expect(try store.info.features == [.links, Self.ignored])
        #expect(try Line.query(writer: "later").count(in: store) == 2)
    }

    @Test func aRunningProgramWithoutLinks_meetsThem() throws {
        let store = try open(only: [])
        try store.insert(Tick(number: 1, note: ""))
        try use(.links)
        #expect(storeError { try Tick.query().count(in: store) } == (try error(.links)))
    }

    // MARK: Copies, dumps and salvage

    private var destination: String { directory.path("b.trove") }

    private func features(of path: String) throws -> [StoreFeature] { try Store(path: path).info.features }

    @Test(arguments: [false, true]) func aCopy_keepsTheList(compacting: Bool) throws {
        try writeStore(using: .links, Self.write, Self.ignored)
        try open().copy(to: destination, compacting: compacting)
        #expect(try features(of: destination) == [.links, Self.write, Self.ignored])
    }

    /// A copy is verified by a program with the same features.
    @Test func aCopyOfALaterProgram_isVerifiedByIt() throws {
        try writeStore(using: Self.read)
        try open(adding: [Self.read]).copy(to: destination)
        #expect(storeError { try Store(path: destination) } != nil)
    }

    @Test func aSalvagedStore_keepsTheList() throws {
        try writeStore(using: .links, .changeHints, Self.ignored)
        let before = try RawStoreEntry.read(path)
        let report = try Store.salvage(from: path, to: destination)
        #expect(report.isComplete)
        #expect(try RawStoreEntry.read(destination) == before)
        #expect(try features(of: destination) == [.links, .changeHints, Self.ignored])
        #expect(try Tick.query().count(in: Store(path: destination)) == 1)
    }

    /// An entry of an earlier commit keeps the identifier, and may lack features.
    @Test func aSalvage_withAnEarlierEntry_reportsTheLoss() throws {
        try open().insert(Tick(number: 1, note: ""))
        try open().write { try $0.use(.links) }
        var file = try RawFile(path)
        let main = file.root(file.mainRecord)
        let catalog = file.leaves(below: file.root(file.value(main, file.nodeCount(main) - 1)))
        file.bytes[file.value(catalog[0], 0) + 6] ^= 1
        try file.write(to: path)
        let report = try Store.salvage(from: path, to: destination)
        #expect(!report.isComplete)
        #expect(report.losses.count == 1)
        #expect(report.losses.first?.hasPrefix("the last list of the store's features") == true)
        #expect(!report.hasNewIdentifier)
        #expect(try Tick.query().count(in: Store(path: destination)) == 1)
    }

    /// The new store would have the feature, and not what a writer of the feature keeps beside the records.
    @Test(arguments: [read, write]) func aSalvage_needsTheFeatures(_ feature: StoreFeature) throws {
        try writeStore(using: feature, Self.ignored)
        let error = storeError { try Store.salvage(from: path, to: destination) }
        guard case .file(.formatTooNew(_, 2, 2, [feature])) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!FileManager.default.fileExists(atPath: destination))
    }

    @Test func aSalvage_ofALaterFormat_isRefused() throws {
        try writeStore()
        var content = try RawStoreEntry.read(path)
        content[0] = 3
        try RawStoreEntry.write(content + [1, 2, 3], to: path)
        for body in [{ _ = try Store.salvage(from: path, to: destination) }, { _ = try Store.verify(path: path) }] {
            guard case .file(.formatTooNew(_, 3, 2, [])) = storeError(body) else {
                Issue.record("\(String(describing: storeError(body)))")
                continue
            }
        }
    }

    /// A feature that may be ignored has entries and tables that this version does not know. They are no damage, except
    /// in a store without such a feature.
    @Test func whatAnIgnoredFeatureStores_isNoDamage() throws {
        for features in [[], [Self.ignored]] {
            for name in try directory.names() { try FileManager.default.removeItem(atPath: directory.path(name)) }
            do {
                let store = try open(adding: Set(features))
                try store.write { context in
                    for feature in features { try context.use(feature) }
                    try context.insert(Tick(number: 1, note: "later"))
                    _ = try context.keyspace.createTable(named: "0000002A.9.1")
                }
            }
            try RawStoreEntry.put([1, 2, 3], for: [200, 1], to: path)
            #expect(try Store.verify(path: path).isSound == !features.isEmpty)
            #expect(try Store.salvage(from: path, to: destination).isComplete == !features.isEmpty)
            #expect(try open().get(Tick.self, key: 1)?.note == "later")
        }
    }
}
