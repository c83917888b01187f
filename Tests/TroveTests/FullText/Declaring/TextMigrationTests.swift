// Full-text indexes from program to program: a changed definition is made again, an unchanged one is compared with the
// records' texts, and an index that is dropped leaves nothing.

import Foundation
import LMDB
import Synchronization
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@Suite("Migrations of full-text indexes", .serialized) struct TextMigrationTests {
    private func makeFile() throws -> MigratedFile {
        let file = try MigratedFile()
        try file.migrate(Saga.Titled.self)
        try file.open(Saga.Titled.self).insert(contentsOf: Saga.titled)
        return file
    }

    /// Returns the rows of full text in a store, by table.
    private func rows(_ store: Store) throws -> [String: [RawEntry]] {
        let tables = try store.read { $0.catalogSnapshot.indexParts(Saga.prefix) }
        var rows: [String: [RawEntry]] = [:]
        for (name, table) in tables { rows[name.text] = try store.entries(in: table) }
        return rows
    }

    private func expectSound(_ store: Store, _ note: Comment = "") throws {
        #expect(try store.unreadyIndexes(Saga.prefix) == [], note)
        #expect(try store.check() == [], note)
        #expect(try Store.verify(path: store.path).findings.isEmpty, note)
    }

    // MARK: Definitions

    @Test func aNewIndex_isBuiltFromTheRecords_inTheirOrder() throws {
        let file = try MigratedFile(of: Saga.all)
        #expect(try file.open().info.features.isEmpty)
        let store = try file.open(Saga.Titled.self)
        try expectSound(store)
        #expect(try store.info.features == [.text])
        #expect(try Saga.Titled.matching("island t3").count(in: store) == 57)
        // The bytes are those of an index that was there before the records.
        let other = try makeFile()
        #expect(try rows(store) == rows(other.open()))
    }

    @Test func weights_changeNoRow() throws {
        let file = try makeFile()
        let before = try rows(file.open())
        let steps = Mutex(0)
        let store = try file.open(Saga.Weighted.self) { _ in steps.withLock { $0 += 1 } }
        #expect(steps.withLock { $0 } == 0)
        #expect(try rows(store) == before)
        try store.insert(Saga.Weighted(id: 1000, title: "n1", text: "", year: 1))
        // A word of the title counts more.
        #expect(try Saga.Weighted.matching("n1").keys(in: store) == [1000, 1])
        try expectSound(store)
    }

    @Test func anotherAnalyzer_makesTheIndexAgain_andTheOlderProgramReadsOnly() throws {
        let file = try makeFile()
        do {
            let store = try file.open(Saga.Marked.self)
            try expectSound(store)
            #expect(try store.indexes(Saga.prefix).count == 1)
            #expect(try Saga.Marked.matching("island").count(in: store) == 0)
            #expect(try Saga.Marked.matching("ísland").count(in: store) == 400)
        }
        let older = try file.open()
        guard case .schema(.schemaNewer)? = storeError({ try older.insert(Saga.titled[0]) }) else {
            Issue.record("the older program writes")
            return
        }
        #expect(try older.get(Saga.Titled.self, key: 3) == Saga.titled[3])
    }

    @Test func anotherForm_makesTheIndexAgain() throws {
        let file = try makeFile()
        let store = try file.open(Saga.Unordered.self)
        try expectSound(store)
        #expect(try Saga.Unordered.matching("all island n7").keys(in: store) == [7])
        #expect(storeError { try Saga.Unordered.matching("\"all of\"").count(in: store) } != nil)
        let back = try file.open(Saga.Unordered.self)
        try expectSound(back)
    }

    /// The version was not raised: the fingerprint tells.
    @Test func anAnalyzerThatDoesSomethingElse_makesTheIndexAgain() throws {
        let file = try MigratedFile(of: Saga.all)
        do {
            let store = try file.open(Saga.Spaced.self)
            #expect(try Saga.Spaced.matching("Saga").count(in: store) == 400)
        }
        let changed = try file.open(Saga.Joined.self)
        try expectSound(changed)
        #expect(try changed.indexes(Saga.prefix).count == 1)
        #expect(try Saga.Joined.matching("Saga").count(in: changed) == 0)
        #expect(try Saga.Joined.matching(.word("Saga 7")).keys(in: changed) == [7])
    }

    // MARK: Layouts

    /// The records get another layout, their texts stay: no row is written again.
    @Test(arguments: [MigrationPolicy.onOpen, .background, .lazily])
    func anotherLayout_withTheSameTexts_changesNoRow(_ policy: MigrationPolicy) throws {
        let file = try makeFile()
        let before = try rows(file.open())
        let store = try file.open(Saga.Longer.self, migrations: policy)
        try store.finishMigrations()
        try expectSound(store)
        #expect(try rows(store) == before)
        #expect(try Saga.Longer.matching("n7").resolve(in: store).map(\.language) == ["is"])
    }

    @Test func beforeTheMigration_writesAndChecks_areRight() throws {
        let file = try makeFile()
        let store = try file.open(Saga.Longer.self, migrations: .lazily)
        try store.insert(Saga.Longer(id: 7, title: "new", text: "words", year: 1))
        try store.delete(Saga.Longer.self, key: 8)
        try store.insert(Saga.Longer(id: 500, title: "more", text: "", year: 1))
        #expect(try store.check() == [])
        // Records of the older layout are compared as the new program reads them.
        try store.finishMigrations()
        try expectSound(store)
        #expect(try Saga.Longer.matching("words").keys(in: store) == [7])
        #expect(try Saga.Longer.matching("saga 8 -n8").count(in: store) == 0)
        #expect(try Saga.Longer.matching("more").keys(in: store) == [500])
    }

    /// The catalog alone cannot convert a record of an older layout. Its document is not called damaged.
    @Test func withoutTheType_documentsOfOlderRecords_areNoDifference() throws {
        let file = try makeFile()
        let store = try file.open(Saga.Longer.self, migrations: .lazily)
        // Writing adopts the layout; the index is made ready without the records being rewritten.
        try store.insert(Saga.Longer(id: 7, title: "new", text: "words", year: 1))
        _ = try Store.buildIndexes(of: Saga.Longer.self, in: store, .large) { _ in }
        #expect(try store.unreadyIndexes(Saga.prefix) == [])
        try store.read { context in
            let type = try #require(try context.storedTypes().first)
            #expect(try context.storedVersions(of: type).count == 2)
            let check = try #require(try context.checkStoredIndexes(of: type).indexes.first)
            #expect(check.olderRecords == 399 && check.differences == [])
        }
        #expect(try store.check() == [])
    }

    @Test func aMigrationThatChangesTexts_changesTheirWords() throws {
        let file = try makeFile()
        let store = try file.open(Saga.Revised.self)
        try expectSound(store)
        #expect(try Saga.Revised.matching("revised").count(in: store) == 134)
        #expect(try Saga.Revised.matching("saga").count(in: store) == 400)
    }

    @Test func aDamagedDocument_ofAnOlderLayout_isMadeAgain() throws {
        let file = try makeFile()
        do {
            let store = try file.open()
            let name = try #require(
                try store.read { $0.catalogSnapshot.indexParts(Saga.prefix) }
                    .first { $0.key.part == TextPart.documents.rawValue })
            let row = try #require(try store.entries(in: name.value).dropFirst(20).first)
            try store.put(RawEntry(key: row.key, value: [1]), into: name.value)
        }
        let store = try file.open(Saga.Revised.self)
        try expectSound(store)
        #expect(try Saga.Revised.matching("revised").count(in: store) == 134)
    }

    @Test func damagedRecordNumbers_areMadeAgain_byABuild() throws {
        let file = try MigratedFile()
        try file.migrate(Saga.Twofold.self)
        let twofold = Saga.all.map { Saga.Twofold(id: $0.id, title: $0.title, text: $0.text, year: $0.year) }
        let store = try file.open(Saga.Twofold.self)
        try store.insert(contentsOf: twofold)
        let numbers = try #require(
            try store.read { $0.catalogSnapshot.indexParts(Saga.prefix)[RecordNumberParts.name(Saga.prefix)] })
        for row in try store.entries(in: numbers).prefix(3) {
            try store.put(RawEntry(key: row.key, value: [1, 2]), into: numbers)
        }
        #expect(try !store.check().isEmpty)
        let index = try #require(Saga.Twofold.schema.indexes.last).text
        try store.rebuild(Saga.Twofold.self, index: index)
        try expectSound(store)
        #expect(try Saga.Twofold.matching("saga", index: index).count(in: store) == 160)
    }

    @Test func aRenamedOptionalProperty_isIndexed() throws {
        let file = try makeFile()
        let store = try file.open(Saga.Optional.self)
        try expectSound(store)
        try store.insert(Saga.Optional(id: 3, heading: nil, text: "silent", year: 0))
        #expect(try Saga.Optional.matching("heading:saga").count(in: store) == 399)
        try expectSound(store)
    }

    @Test func anotherKey_numbersTheRecordsAnew() throws {
        let file = try makeFile()
        let store = try file.open(Saga.Dated.self)
        try expectSound(store)
        #expect(try Saga.Dated.matching("saga").count(in: store) == 400)
        #expect(try Saga.Dated.matching("n7").keys(in: store) == [Tuple(1000, 7)])
        let numbers = try store.read { $0.catalogSnapshot.indexParts(Saga.prefix)[RecordNumberParts.name(Saga.prefix)] }
        #expect(try store.entries(in: #require(numbers)).count == 400)
        try store.delete(Saga.Dated.self, key: Tuple(1000, 7))
        #expect(try Saga.Dated.matching("n7").count(in: store) == 0)
        try expectSound(store)
    }

    // MARK: Removal

    @Test func aDroppedIndex_leavesNoRow() throws {
        let file = try makeFile()
        let tables = try rows(file.open()).keys
        do {
            let store = try file.open(Saga.Plain.self)
            guard case .schema(.schemaNewer)? = storeError({ try store.insert(Saga.all[0]) }) else {
                Issue.record("the index would not be maintained")
                return
            }
            #expect(try store.dropUndeclaredIndexes() == ["Saga.Plain, fullText(title,text)"])
            #expect(try store.indexes(Saga.prefix).isEmpty)
            try store.insert(Saga.all[0])
            try store.delete(Saga.Plain.self, key: 9)
            try expectSound(store)
            let counts = try file.tables()
            for name in tables {
                // The next free record number stays.
                #expect(counts[name] == (name == RecordNumberParts.name(Saga.prefix).part(1).text ? 1 : 0), "\(name)")
            }
        }
        // Declared again, it is another index.
        let again = try file.open(Saga.Titled.self)
        try expectSound(again)
        #expect(try Saga.Titled.matching("saga").count(in: again) == 399)
        #expect(try Saga.Titled.matching("n9").count(in: again) == 0)
    }

    @Test func oneOfTwoIndexes_isDropped_andTheOtherStays() throws {
        let file = try MigratedFile(of: Saga.all)
        try file.migrate(Saga.Twofold.self)
        let store = try file.open(Saga.Titled.self)
        let before = try rows(store).filter { $0.key.contains(".1.0") }
        #expect(before.count == 5)
        #expect(try store.dropUndeclaredIndexes().count == 1)
        try store.finishMigrations()
        try expectSound(store)
        #expect(try rows(store).filter { $0.key.contains(".1.0") } == before)
        #expect(try Saga.Titled.matching("saga").count(in: store) == 400)
    }

    // MARK: Formats

    @Test func aStoreWithoutText_isOpenToEarlierPrograms_untilItsFirstIndex() throws {
        let file = try MigratedFile(of: Saga.all)
        func hasText() throws -> Bool { try file.open().info.features.contains(.text) }
        #expect(try !hasText())
        var old = StoreOptions(durability: .noSync)
        old.supportedFeatures.remove(.text)
        #expect(try Store(path: file.path, options: old).read { try $0.storedTypes().count } == 1)
        try file.migrate(Saga.Titled.self)
        #expect(try hasText())
        guard
            case .file(.formatTooNew(_, _, _, let features))? = storeError({ try Store(path: file.path, options: old) })
        else {
            Issue.record("a program without full text opens the store")
            return
        }
        #expect(features == [.text])
    }
}
