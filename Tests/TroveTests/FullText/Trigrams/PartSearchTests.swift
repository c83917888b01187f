// Searches of an index of trigrams: parts of words in the texts, with their scores.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove
@testable import TroveText

@IndexKeyRecord("id")
private struct Clipping: Hashable {
    #FullTextIndex<Clipping>(\.title, \.notes, analyzer: .trigrams)

    let id: Int
    var title: String?
    var notes: [String]
}

@Suite("Searches by trigrams") struct PartSearchTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Clipping.self]) }

    /// Returns the number of places of a part in a text, which may overlap.
    private func count(_ part: [Unicode.Scalar], in text: String) -> Int {
        let text = folded(text)
        return text.indices.count { text[$0...].starts(with: part) }
    }

    private func folded(_ text: String) -> [Unicode.Scalar] {
        var text = text
        var bytes: [UInt8] = []
        text.withRawSpan { TextAnalyzer.trigrams.appendFolded($0, to: &bytes) }
        return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
    }

    /// Returns the scores of the records with a part, computed as the formula says.
    private func scores(of part: String, _ records: [Clipping]) -> [Int: Double] {
        let part = folded(part)
        func texts(_ record: Clipping) -> [String] { (record.title.map { [$0] } ?? []) + record.notes }
        func length(_ record: Clipping) -> Double {
            Double(texts(record).reduce(0) { $0 + max(0, folded($1).count - 2) })
        }
        let total = Double(records.count)
        let average = records.reduce(0) { $0 + length($1) } / total
        let weight = (0..<(part.count - 2)).reduce(0.0) { sum, start in
            let trigram = Array(part[start..<(start + 3)])
            let known = Double(records.count { texts($0).contains { count(trigram, in: $0) > 0 } })
            return sum + log(1 + (total - known + 0.5) / (known + 0.5))
        }
        var scores: [Int: Double] = [:]
        for record in records {
            let frequency = Double(texts(record).reduce(0) { $0 + count(part, in: $1) })
            guard frequency > 0 else { continue }
            let norm = 1.2 * (1 - 0.75 + 0.75 * length(record) / average)
            scores[record.id] = weight * frequency * 2.2 / (frequency + norm)
        }
        return scores
    }

    private func expectScores(of part: String, _ records: [Clipping], in source: some RecordReadable, _ note: String)
        throws
    {
        let expected = scores(of: part, records)
        let query = Clipping.matching(.phrase(part))
        let hits = try query.hits(in: source)
        #expect(Set(hits.map(\.record.id)) == Set(expected.keys), "\(part.debugDescription) \(note)")
        for hit in hits {
            #expect(abs(hit.score - (expected[hit.record.id] ?? -1)) < 1e-9, "\(part.debugDescription) \(note)")
            // The explanation is made from the record's texts.
            #expect(hit.explanation.hasPrefix("score \(hit.score)\n"), "\(part.debugDescription) \(note)")
        }
        let order = hits.sorted { ($1.score, $0.record.id) < ($0.score, $1.record.id) }
        #expect(hits.map(\.record.id) == order.map(\.record.id), "\(part.debugDescription) \(note)")
        #expect(try query.count(in: source) == expected.count, "\(part.debugDescription) \(note)")
        #expect(try query.limit(2).keys(in: source) == order.prefix(2).map(\.record.id), "\(note)")
    }

    @Test func parts_areFoundWithTheirScores() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let note = "TROVE_TEST_SEED=\(seed)"
        let records = (0..<40).map { id in
            Clipping(
                id: id, title: Bool.random(using: &random) ? Parted.text(0...12, &random) : nil,
                notes: (0..<Int.random(in: 0...3, using: &random)).map { _ in Parted.text(0...12, &random) })
        }
        try store.insert(contentsOf: records.shuffled(using: &random))
        var parts: [String] = []
        for _ in 0..<60 {
            let text = folded(records.randomElement(using: &random)!.notes.joined(separator: " "))
            let start = Int.random(in: 0...text.count, using: &random)
            let part = text.dropFirst(start).prefix(Int.random(in: 3...7, using: &random))
            if part.count >= 3 { parts.append(String(String.UnicodeScalarView(part))) }
        }
        for part in parts { try expectScores(of: part, records, in: store, note) }
        try store.write { context in
            try context.insert(Clipping(id: 100, title: "banana", notes: ["ananas"]))
            let more = records + [Clipping(id: 100, title: "banana", notes: ["ananas"])]
            try expectScores(of: "anan", more, in: context, "in the write, \(note)")
            try Clipping.query(id: 100).delete(in: context)
        }
        let type = try #require(try store.read { try $0.storedTypes() }.first { $0.name.hasSuffix("Clipping") })
        for part in parts.prefix(20) {
            let hits = try Clipping.matching(.phrase(part)).hits(in: store)
            // Any text is a query: some signs have a meaning there.
            guard part.unicodeScalars.allSatisfy(\.properties.isAlphabetic) else { continue }
            let stored = try store.read { try $0.storedHits(of: type, matching: part, limit: .max) }
            #expect(stored.map(\.score) == hits.map(\.score), "\(part.debugDescription) \(note)")
        }
        try #expect(store.markForRebuild(type.indexes[0].name, of: type).count == 1)
        for part in parts { try expectScores(of: part, records, in: store, "before the build, \(note)") }
        try store.finishMigrations()
        for part in parts { try expectScores(of: part, records, in: store, "after the build, \(note)") }
        #expect(try store.check().isEmpty, "\(note)")
    }

    @Test func everyWord_isAPart() throws {
        try store.insert(contentsOf: [
            Clipping(id: 1, title: "Bananas and apples", notes: []),
            Clipping(id: 2, title: "apple", notes: ["a banana"]),
            Clipping(id: 3, title: "nab", notes: ["ana", "nas"]),
        ])
        #expect(try Clipping.matching("anan").keys(in: store).sorted() == [1, 2])
        #expect(try Clipping.matching("nana pple").keys(in: store).sorted() == [1, 2])
        #expect(try Clipping.matching("title:nana").keys(in: store) == [1])
        #expect(try Clipping.matching("\"nas and\"").keys(in: store) == [1])
        #expect(try Clipping.matching("anan*").keys(in: store).sorted() == [1, 2])
        #expect(try Clipping.matching("anan -apples").keys(in: store) == [2])
        #expect(try Clipping.matching("an").keys(in: store) == [])
        #expect(throws: StoreError.text(.noPhrases(type: "Clipping", index: "fullText(title,notes by trigrams/1)"))) {
            try Clipping.matching(.near("banana", within: 3)).count(in: store)
        }
    }

    @Test func folding_isTheSameTwice() {
        for value in 0...0x10FFFF as ClosedRange<UInt32> {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let once = folded(String(scalar))
            guard once != [scalar] else { continue }
            #expect(folded(String(String.UnicodeScalarView(once))) == once)
        }
    }
}
