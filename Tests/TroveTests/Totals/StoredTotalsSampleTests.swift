// Stores with totals that were written when their version of the format was current.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Stored samples of totals") struct StoredTotalsSampleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let formats = FormatVersion.withFeatures...FormatVersion.newest

    /// Returns the path of a copy of the sample; tests may change the copy.
    private func copy(ofFormat format: UInt32) throws -> String {
        try StoredSamples.copy("format-\(format)-totals.trove", to: directory.path("sample.trove"))
    }

    /// Returns the rows of totals, by table.
    private func rows(_ store: Store) throws -> [String: [RawEntry]] {
        let tables = try store.read { $0.catalogSnapshot.indexParts(SampleSale.keyPrefix) }
        var rows: [String: [RawEntry]] = [:]
        for (name, table) in tables { rows[name.text] = try store.entries(in: table) }
        return rows
    }

    /// Compares answers of totals with the sales.
    private func expectAnswers(_ store: Store) throws {
        let sales = SampleTotals.stored
        #expect(try SampleSale.query().resolve(in: store) == sales)
        for city in Set(sales.map(\.city)) {
            let query = SampleSale.filter(\.city == city)
            #expect(try query.count.explain(in: store).contains("from the totals"))
            let expected = sales.filter { $0.city == city }
            #expect(try query.count(in: store) == expected.count, "\(city)")
            #expect(
                try query.filter(\.year > 2019).count(in: store) == expected.count { $0.year > 2019 }, "\(city)")
            #expect(
                try query.sum(of: \.price).resolve(in: store) == expected.compactMap(\.price).reduce(0, +), "\(city)")
        }
        for tag in [nil, "", "a", "b"] {
            let counts = sales.compactMap { $0.tag == tag ? $0.count : nil }
            let average = try SampleSale.filter(\.tag == tag).average(of: \.count).resolve(in: store)
            #expect(average == Double(counts.reduce(0) { $0 + Int($1) }) / Double(counts.count), "\(tag ?? "nil")")
        }
        let weights = sales.reduce(into: _FloatingPointSum.zero) { $0.add($1.weight) }
        let weight = try SampleSale.query().sum(of: \.weight).resolve(in: store)
        #expect(weight.isFinite && weight.bitPattern == weights.number(as: Double.self).bitPattern)
        #expect(try SampleSale.filter(\.isOpen).count(in: store) == sales.count(where: \.isOpen))
        let recent = SampleSale.filter(\.city == "東京" && \.year >= 2020).sum(of: \.cents)
        #expect(storeError { try recent.resolve(in: store) } != nil, "the sum does not fit")
    }

    @Test(arguments: formats) func aSample_isSound_andReadWithoutWriting(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let report = try Store.verify(path: path)
        #expect(report.isSound && report.findings.isEmpty)
        let bytes = try Data(contentsOf: URL(filePath: path))
        do {
            let options = StoreOptions(isReadOnly: true, verifiesChecksums: true)
            let store = try Store(path: path, records: [SampleSale.self], options: options)
            #expect(try store.read { try $0.catalogStorage().format() } == format)
            #expect(try store.info.features == [.totals])
            #expect(try store.check() == [])
            #expect(try store.unreadyIndexes(SampleSale.keyPrefix) == [])
            try store.read { context in
                let check = try context.checkStoredIndexes(of: try #require(try context.storedTypes().first))
                #expect(check.differences == [])
                #expect(check.indexes.map(\.extent) == [.whole, .whole, .whole, .whole, .unknown, .unknown])
            }
            try expectAnswers(store)
            let fresh = try Store.temporary(records: [SampleSale.self])
            try SampleTotals.fill(fresh)
            // The stored bytes equal the bytes of records saved now.
            let (stored, expected) = (try rows(store), try rows(fresh))
            #expect(stored.keys.sorted() == expected.keys.sorted() && stored.count == 12)
            for (name, rows) in expected { #expect(stored[name] == rows, "\(name)") }
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: formats) func aSample_isWrittenTo(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let store = try Store(path: path, records: [SampleSale.self])
        let before = try rows(store)
        for id in [77, 78] { try store.insert(SampleTotals.sales[id]) }
        #expect(try SampleSale.query().sum(of: \.weight).resolve(in: store).isNaN)
        try store.insert(contentsOf: (300..<400).map(SampleTotals.sale))
        #expect(try store.check() == [])
        try SampleSale.filter(\.id > 299).delete(in: store)
        for id in [77, 78] { try store.delete(SampleSale.self, key: id) }
        try expectAnswers(store)
        #expect(try rows(store) == before)
        try store.rebuild()
        #expect(try rows(store) == before)
        #expect(try Store.verify(path: path).isSound)
    }
}
