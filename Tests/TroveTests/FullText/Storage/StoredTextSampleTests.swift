// Stores with full-text indexes that were written when their version of the format was current.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Stored samples of full text") struct StoredTextSampleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let formats = FormatVersion.withFeatures...FormatVersion.newest

    /// Returns the path of a copy of the sample; tests may change the copy.
    private func copy(ofFormat format: UInt32) throws -> String {
        try StoredSamples.copy("format-\(format)-texts.trove", to: directory.path("sample.trove"))
    }

    /// Returns the rows of full text, by table.
    private func rows(_ store: Store) throws -> [String: [RawEntry]] {
        let tables = try store.read { $0.catalogSnapshot.indexParts(SampleArticle.keyPrefix) }
        var rows: [String: [RawEntry]] = [:]
        for (name, table) in tables { rows[name.text] = try store.entries(in: table) }
        return rows
    }

    private func expectSearches(_ store: Store) throws {
        #expect(try SampleArticle.query().resolve(in: store) == SampleTexts.articles)
        #expect(try SampleArticle.matching("every word").count(in: store) == 180)
        #expect(try SampleArticle.matching("\"word 17\"").keys(in: store) == [17])
        #expect(
            try SampleArticle.matching("tags:\"tag2 of\"").keys(in: store).sorted()
                == Array(stride(from: 3, to: 180, by: 4)))
        #expect(try SampleArticle.matching("東京").count(in: store) == 30)
        #expect(try SampleArticle.matching("changed OR other").count(in: store) == 0)
        #expect(try SampleArticle.matching(String(repeating: "long", count: 100)).keys(in: store) == [17])
        let best = try #require(try SampleArticle.matching("n7").hits(in: store).first)
        #expect(best.record.id == 42 && best.score > 0)
        let indexes = SampleArticle.schema.indexes
        #expect(try SampleArticle.matching("every", index: indexes[1].text).count(in: store) == 120)
        #expect(try SampleArticle.matching("ån", index: indexes[2].text).count(in: store) == 30)
        #expect(try SampleArticle.matching("an", index: indexes[2].text).count(in: store) == 30)
    }

    @Test(arguments: formats) func aSample_isSound_andReadWithoutWriting(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let report = try Store.verify(path: path)
        #expect(report.isSound && report.findings.isEmpty)
        let bytes = try Data(contentsOf: URL(filePath: path))
        do {
            let options = StoreOptions(isReadOnly: true, verifiesChecksums: true)
            let store = try Store(path: path, records: [SampleArticle.self], options: options)
            #expect(try store.read { try $0.catalogStorage().format() } == format)
            #expect(try store.info.features == [.text])
            #expect(try store.check() == [])
            #expect(try store.unreadyIndexes(SampleArticle.keyPrefix) == [])
            try store.read { context in
                let check = try context.checkStoredIndexes(of: try #require(try context.storedTypes().first))
                #expect(check.differences == [] && check.indexes.map(\.extent) == [.whole, .entries, .whole, .whole])
            }
            try expectSearches(store)
            let fresh = try Store.temporary(records: [SampleArticle.self])
            try SampleTexts.fill(fresh)
            // The stored bytes equal the bytes of records saved now.
            let (stored, expected) = (try rows(store), try rows(fresh))
            #expect(stored.keys.sorted() == expected.keys.sorted() && stored.count == 17)
            for (name, rows) in expected { #expect(stored[name] == rows, "\(name)") }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: formats) func aSample_isWrittenTo(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let store = try Store(path: path, records: [SampleArticle.self])
        try store.delete(SampleArticle.self, key: 17)
        var changed = SampleTexts.articles[18]
        changed.title = "brand new"
        try store.insert(changed)
        try store.insert(contentsOf: (200..<400).map(SampleTexts.article))
        #expect(try SampleArticle.matching("brand").keys(in: store) == [18])
        #expect(try SampleArticle.matching("every").count(in: store) == 379)
        #expect(try store.check() == [])
        try SampleArticle.filter(\.id > 199).delete(in: store)
        try store.insert(contentsOf: [SampleTexts.articles[17], SampleTexts.articles[18]])
        try expectSearches(store)
        #expect(try store.check() == [])
        try store.rebuild()
        try expectSearches(store)
        #expect(try Store.verify(path: path).isSound)
    }
}
