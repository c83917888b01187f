// Indexes of gathered text from program to program: built from the stored records, gathered again, dropped; and in
// copies, dumps and salvaged stores.

import Foundation
import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Builds of gathered text", .serialized) struct GatheredMigrationTests {
    private let count = 700

    private func makeFile() throws -> MigratedFile {
        try MigratedFile(of: (0..<count).map { Reel.Plain(id: $0, title: "title t\($0 % 3)") })
    }

    private func expectSound(_ store: Store, _ note: Comment = "") throws {
        #expect(try store.unreadyIndexes(Reel.Plain.keyPrefix) == [], note)
        #expect(try store.check(gathering: true) == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
    }

    // MARK: Definitions

    @Test func definition_hasTheNameAndTheVersion() {
        let analyzer = TextAnalyzer.standard.definition
        #expect(Reel.First.schema.indexes.map(\.definition) == ["\"Texts\" gathered 1 by \(analyzer)"])
        #expect(Reel.Later.schema.indexes.map(\.definition) == ["\"Texts\" gathered 1 by \(analyzer)"])
        #expect(Reel.handwritten.descriptor.definition == "\"Texts\" gathered 3 by \(analyzer)")
        #expect(Reel.Renamed.schema.indexes.map(\.text) == ["fullText(Other words)"])
        #expect(CatalogIndex(Reel.Renamed.schema.indexes[0]).isGathered)
        #expect(!CatalogIndex(Reel.Own.schema.indexes[0]).isGathered)
    }

    @Test(arguments: ["Index", "a,b", "\"", "x where y", "by standard/1", "ü 東京", ""])
    func definition_isReadAgain(_ name: String) throws {
        let index = RecordIndex<Reel.Plain>.fullText(name, version: -3) { _, _ in [:] }.descriptor
        let layout = try RecordLayout(Reel.Plain.schema.layout)
        let parsed = try #require(IndexDefinition(parsing: index.definition, in: layout))
        #expect(parsed.text == index.definition)
        #expect(parsed.name == name && index.name == name)
        #expect(parsed.columns == [IndexColumn(name, .gathered, type: "-3")])
        #expect(CatalogIndex(index).isGathered)
    }

    // MARK: Builds

    @Test func newIndex_isGatheredFromTheStoredRecords() throws {
        let file = try makeFile()
        let store = try file.open(Reel.First.self)
        #expect(try Reel.First.matching("reel w3").count(in: store) == 100)
        #expect(try store.info.features == [.text])
        try expectSound(store)
        // The tables are those of an index that was there before the records.
        let other = try MigratedFile()
        try other.migrate(Reel.First.self)
        try other.open(Reel.First.self).insert(contentsOf: (0..<count).map { Reel.First(id: $0, title: "") })
        let texts = try [store, other.open(Reel.First.self)].map { store in
            try Reel.First.matching("w3 OR first").hits(in: store).map { "\($0.record.id) \($0.score)" }
        }
        #expect(texts[0] == texts[1])
    }

    @Test func newIndex_ofTextsThatAreGatheredLater_waits() async throws {
        let file = try makeFile()
        let store = try await Store(
            path: file.path, records: [Reel.Later.self],
            options: StoreOptions(durability: .noSync, gathersTexts: false))
        #expect(try await store.waitingTexts(of: Reel.Later.self) == count)
        #expect(try await Reel.Later.matching("reel").count(in: store) == 0)
        #expect(try await store.gatherTexts(of: Reel.Later.self) == count)
        #expect(try await Reel.Later.matching("reel w3").count(in: store) == 100)
        #expect(try await store.check(gathering: true) == [])
        try await store.close()
    }

    @Test func anotherVersion_gathersEverythingAgain() throws {
        let file = try makeFile()
        try file.migrate(Reel.First.self)
        do {
            let store = try file.open(Reel.Second.self)
            #expect(try Reel.Second.matching("first").count(in: store) == 0)
            #expect(try Reel.Second.matching("second").count(in: store) == count)
            #expect(try store.indexes(Reel.Plain.keyPrefix).count == 1)
            try expectSound(store)
        }
        // A program with the former version, which searches before the texts are gathered again.
        let older = try file.open()
        guard case .text(.textNotReady)? = storeError({ try Reel.First.matching("second").count(in: older) }) else {
            Issue.record("the texts of another closure are searched")
            return
        }
    }

    @Test func sameVersion_isNotGatheredAgain() throws {
        let file = try makeFile()
        try file.migrate(Reel.First.self)
        Reel.asked.withLock { $0 = [:] }
        _ = try file.open(Reel.First.self)
        #expect(Reel.asked.withLock { $0 } == [:])
    }

    @Test func otherNamesAnalyzersAndLayouts_gatherAgain() throws {
        let file = try makeFile()
        try file.migrate(Reel.First.self)
        do {
            let store = try file.open(Reel.Longer.self)
            #expect(try Reel.Longer.matching("longer").count(in: store) == count)
            #expect(try Reel.Longer.matching("first").count(in: store) == 0)
            try expectSound(store)
        }
        let renamed = try makeFile()
        try renamed.migrate(Reel.First.self)
        do {
            let store = try renamed.open(Reel.Renamed.self)
            #expect(try store.dropUndeclaredIndexes() == ["Reel.Renamed, fullText(Texts)"])
            try store.finishMigrations()
            #expect(try Reel.Renamed.matching("Renamed", index: "Other words").count(in: store) == count)
            #expect(try Reel.Renamed.matching("renamed").count(in: store) == 0)
            #expect(try store.indexes(Reel.Plain.keyPrefix).count == 1)
            try expectSound(store)
        }
        let rekeyed = try makeFile()
        try rekeyed.migrate(Reel.First.self)
        let store = try rekeyed.open(Reel.Rekeyed.self)
        #expect(try Reel.Rekeyed.matching("rekeyed t1").count(in: store) == 233)
        try expectSound(store)
        try store.write { try $0.delete(Reel.Rekeyed.self, key: .init("title t1", 1)) }
        #expect(try Reel.Rekeyed.matching("rekeyed t1").count(in: store) == 232)
    }

    @Test func waitingRecords_areGatheredByAProgramThatGathersInTransactions() throws {
        let file = try makeFile()
        do {
            let store = try Store(
                path: file.path, records: [Reel.Later.self],
                options: StoreOptions(durability: .noSync, gathersTexts: false))
            #expect(try store.waitingTexts(of: Reel.Later.self) == count)
        }
        let store = try file.open(Reel.First.self)
        #expect(try Reel.First.matching("reel").count(in: store) == 0)
        try store.insert(Reel.First(id: 3, title: "new"))
        #expect(try store.waitingTexts(of: Reel.First.self) == 0)
        #expect(try Reel.First.matching("first").count(in: store) == count)
        try expectSound(store)
    }

    @Test func droppedIndex_leavesNothing() throws {
        let file = try makeFile()
        let quiet = StoreOptions(durability: .noSync, gathersTexts: false)
        _ = try Store(path: file.path, records: [Reel.Later.self], options: quiet)
        let store = try file.open(Reel.Own.self)
        #expect(try store.dropUndeclaredIndexes() == ["Reel.Own, fullText(Texts)"])
        try store.finishMigrations()
        try expectSound(store)
        #expect(try Reel.Own.matching("t1").count(in: store) == 233)
        try store.close()
        let again = try Store(path: file.path, records: [Reel.Own.self], options: quiet)
        #expect(try again.check() == [])
    }

    @Test func unreadableTexts_leaveTheIndexUnbuilt_andTheOthersAreBuilt() throws {
        let file = try makeFile()
        let store = try file.open(Reel.Failing.self)
        #expect(try Reel.Failing.matching("t1").count(in: store) == 233)
        let error = storeError { try Reel.Failing.matching("w1", index: "Texts").count(in: store) }
        guard case .text(.textNotReady("Reel.Failing", "fullText(Texts)", let done, count))? = error, done < count
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        let failure = StoreError.text(
            .gatheringFailed(type: "Reel.Failing", index: "fullText(Texts)", reason: "\(NoText(id: 300))"))
        #expect(storeError { try store.finishMigrations() } == failure)
        #expect(storeError { try store.rebuild(Reel.Failing.self) } == failure)
        #expect(try store.check() == [])
        // What has a text stays; the rest is gathered when the cause is gone.
        try store.delete(Reel.Failing.self, key: 300)
        Reel.asked.withLock { $0 = [:] }
        try store.finishMigrations()
        #expect(Reel.asked.withLock { $0["failing"] ?? 0 } <= count)
        #expect(try Reel.Failing.matching("w1", index: "Texts").count(in: store) == 100)
        try expectSound(store)
    }

    // MARK: Other files

    @Test func copies_keepTextsAndNotes() async throws {
        let file = try makeFile()
        let directory = try TemporaryDirectory()
        let quiet = StoreOptions(durability: .noSync, gathersTexts: false)
        let store = try await Store(path: file.path, records: [Reel.Later.self], options: quiet)
        try await store.gatherTexts(of: Reel.Later.self)
        try await store.write { try Reel.Later.filter(\.id < 50).regather(in: $0) }
        for compacting in [false, true] {
            let path = directory.path("copy \(compacting)")
            try await store.copy(to: path, compacting: compacting)
            let copy = try await Store(path: path, records: [Reel.Later.self], options: quiet)
            #expect(try await copy.waitingTexts(of: Reel.Later.self) == 50)
            #expect(try await Reel.Later.matching("reel").count(in: copy) == count - 50)
            #expect(try await copy.check() == [])
            #expect(try await copy.gatherTexts(of: Reel.Later.self) == 50)
            try await copy.close()
        }
        try await store.close()
        // A salvaged store has the records; their texts are gathered again.
        let salvaged = directory.path("salvaged")
        _ = try await Store.salvage(from: file.path, to: salvaged)
        let restored = try await Store(path: salvaged, records: [Reel.Later.self], options: quiet)
        let waiting = try await restored.waitingTexts(of: Reel.Later.self)
        #expect(waiting == count)
        #expect(try await restored.gatherTexts(of: Reel.Later.self) == count)
        #expect(try await Reel.Later.matching("reel").count(in: restored) == count)
        #expect(try await restored.check(gathering: true) == [])
        try await restored.close()
    }

    @Test func dumpedRecords_areGatheredWhereTheyAreLoaded() throws {
        let file = try makeFile()
        let store = try file.open(Reel.First.self)
        let lines = try store.dump()
        let directory = try TemporaryDirectory()
        let path = directory.path("loaded")
        try Store.create(at: path, lines: lines)
        let loaded = try Store(path: path, records: [Reel.First.self], options: StoreOptions(durability: .noSync))
        #expect(try Reel.First.matching("reel w3").count(in: loaded) == 100)
        try expectSound(loaded)
        // Into a store with the index.
        var rest = lines[...]
        try loaded.load(onConflict: .replace) { rest.popFirst() }
        try loaded.finishMigrations()
        #expect(try Reel.First.matching("reel w3").count(in: loaded) == 100)
        try expectSound(loaded)
    }

    @Test func programWithoutTheType_seesTheIndex() throws {
        let file = try makeFile()
        let quiet = StoreOptions(durability: .noSync, gathersTexts: false)
        try file.migrate(Reel.First.self)
        let store = try Store(path: file.path, options: quiet)
        try store.read { context in
            let type = try #require(context.storedTypes().first { $0.keyPrefix == Reel.Plain.keyPrefix })
            let index = try #require(type.indexes.first)
            #expect(index.name == "fullText(Texts)" && index.count == count)
            #expect(index.fullText?.analyzer == "standard/1")
            #expect(index.fullText?.tables.last?.name == "waiting" && index.fullText?.tables.last?.rows == 0)
            #expect(try context.storedHits(of: type, matching: "reel w3", limit: 1_000).count == 100)
            #expect(try context.storedHits(of: type, matching: "Texts:w3", index: "Texts", limit: 5).count == 5)
            let check = try context.checkStoredIndexes(of: type)
            #expect(check.indexes.map(\.extent) == [.entries] && check.indexes.allSatisfy { $0.differences.isEmpty })
        }
    }
}
