// Stores with ranked indexes and totals that were written when their version of the format was current.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@Suite("Stored samples of ranked indexes") struct StoredRankSampleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static let formats = FormatVersion.withFeatures...FormatVersion.newest

    /// Returns the path of a copy of the sample; tests may change the copy.
    private func copy(ofFormat format: UInt32) throws -> String {
        try StoredSamples.copy("format-\(format)-ranks.trove", to: directory.path("sample.trove"))
    }

    /// Returns the rows of entries, counts and totals, by table.
    private func rows(_ store: Store) throws -> [String: [RawEntry]] {
        var rows: [String: [RawEntry]] = [:]
        let tables = try store.read { $0.catalogSnapshot.indexParts(SampleRank.keyPrefix) }
        for (name, table) in tables { rows[name.text] = try store.entries(in: table) }
        return rows
    }

    /// Compares answers by the counts of entries, and of the totals, with the records.
    private func expectAnswers(_ store: Store, _ note: Comment = "") throws {
        var (random, seed) = SeededGenerator.fromEnvironment()
        let note: Comment = "\(note), TROVE_TEST_SEED=\(seed)"
        let records = SampleRanks.stored
        #expect(try SampleRank.query().resolve(in: store) == records, note)
        func keys<Value: Comparable>(
            _ value: (SampleRank) -> Value, _ accepts: (SampleRank) -> Bool = { _ in true }, descending: Bool = false
        ) -> [Int] {
            records.filter(accepts).sorted { left, right in
                let (first, second) = (value(left), value(right))
                return first == second ? left.id < right.id : (first < second) != descending
            }.map(\.id)
        }
        let all = SampleRank.query()
        try all.sorted(by: \.score).expectCounted(in: store, note)
        try all.sorted(by: \.score).expectPositions(keys(\.score), in: store, using: &random, note)
        try all.sorted(by: \.score.desc)
            .expectPositions(keys(\.score, descending: true), in: store, using: &random, note)
        try all.sorted(by: \.id.desc).expectPositions(keys(\.id, descending: true), in: store, using: &random, note)
        // Nil is less than any text.
        try all.sorted(by: \.note)
            .expectPositions(keys { $0.note.map { "1" + $0 } ?? "0" }, in: store, using: &random, note)
        for team in ["red", "", "東京"] {
            try SampleRank.filter(\.team == team).sorted(by: \.score.desc)
                .expectPositions(
                    keys(\.score, { $0.team == team }, descending: true), in: store, using: &random, note)
            let sum = records.reduce(0) { $0 + ($1.team == team ? Int($1.score) : 0) }
            let stored = SampleRank.filter(\.team == team).sum(of: \.score)
            #expect(try stored.explain(in: store).contains("from the totals"), note)
            #expect(try Int(stored.resolve(in: store)) == sum, note)
        }
        let active = records.filter(\.isActive)
        #expect(
            try SampleRank.filter(\.isActive && \.bonus > -1).count(in: store)
                == active.count { ($0.bonus ?? -2) > -1 }, note)
        for share in [0, 0.1, 0.5, 1] {
            #expect(
                try SampleRank.filter(\.isActive).quantile(share, of: \.bonus).resolve(in: store)
                    == active.compactMap(\.bonus).quantile(share), note)
            #expect(
                try all.quantile(share, of: \.score).resolve(in: store) == records.map(\.score).quantile(share), note)
        }
    }

    @Test(arguments: formats) func aSample_isSound_andReadWithoutWriting(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let report = try Store.verify(path: path)
        #expect(report.isSound && report.findings.isEmpty)
        let bytes = try Data(contentsOf: URL(filePath: path))
        do {
            let options = StoreOptions(isReadOnly: true, verifiesChecksums: true)
            let store = try Store(path: path, records: [SampleRank.self], options: options)
            #expect(try store.read { try $0.catalogStorage().format() } == format)
            #expect(try store.info.features == [.totals, .ranks])
            #expect(try store.check() == [])
            #expect(try store.unreadyIndexes(SampleRank.keyPrefix) == [])
            try expectAnswers(store)
            let fresh = try Store.temporary(records: [SampleRank.self])
            try SampleRanks.fill(fresh)
            // The stored bytes equal the bytes of records saved now.
            let (stored, expected) = (try rows(store), try rows(fresh))
            #expect(stored.keys.sorted() == expected.keys.sorted())
            for (name, rows) in expected { #expect(stored[name] == rows, "\(name)") }
            let counts = stored.filter { $0.key.hasSuffix(".1") }.values.joined()
            #expect(counts.contains { $0.key.first == 2 }, "the second level has rows")
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
    }

    @Test(arguments: formats) func aSample_isWrittenTo(_ format: UInt32) throws {
        let path = try copy(ofFormat: format)
        let store = try Store(path: path, records: [SampleRank.self])
        let before = try rows(store)
        try store.insert(contentsOf: (5_000..<5_300).map(SampleRanks.record))
        #expect(try SampleRank.filter(\.id >= 5_000).count(in: store) == 300)
        #expect(try SampleRank.query().sorted(by: \.id).rank(ofKey: 5_299).resolve(in: store) == 1_100)
        #expect(try store.check() == [])
        try SampleRank.filter(\.id >= 5_000).delete(in: store)
        try expectAnswers(store, "written to")
        #expect(try rows(store) == before)
        try store.rebuild()
        #expect(try rows(store) == before)
        #expect(try Store.verify(path: path).isSound)
    }
}
