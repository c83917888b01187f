// Full-text indexes of records: after any changes, searches find what a look through all records finds.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Ballad: Hashable {
    #FullTextIndex<Ballad>(\.title, \.verses, weights: [2, 1])
    #FullTextIndex<Ballad>(\.verses, keepsOrder: false, where: { $0.year > 5 })
    #Index<Ballad>(\.year)

    let id: Int
    var title: String?
    var verses: [String]
    var year: Int
}

private struct Undone: Error {}

struct TextIndexTests {
    private static let words = ["the", "cat", "Über", "fox", "東京都", "can't", "sat", "on", "mat", "quick"]

    private func text(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...6, using: &random))
            .map { _ in Self.words.randomElement(using: &random)! }.joined(separator: " ")
    }

    private func ballad(_ id: Int, _ random: inout SeededGenerator) -> Ballad {
        Ballad(
            id: id, title: Bool.random(using: &random) ? text(&random) : nil,
            verses: (0..<Int.random(in: 0...3, using: &random)).map { _ in text(&random) },
            year: Int.random(in: 0...10, using: &random))
    }

    /// The words of texts with their positions, as the index has them.
    private func words(_ texts: [String]) -> [ModelWord] {
        var words: [ModelWord] = []
        var position = 0
        for text in texts {
            let tokens = TextAnalyzer.standard.tokens(of: text)
            words += tokens.map { ModelWord(text: $0.term, position: position + $0.position) }
            position += tokens.count + 100
        }
        return words
    }

    private func expectSearches(
        _ source: some RecordReadable, _ records: [Int: Ballad], _ note: @autoclosure () -> String
    ) throws {
        var texts: [String: ModelText] = [:]
        for (id, record) in records { texts["\(id)"] = [words(record.title.map { [$0] } ?? []), words(record.verses)] }
        var slow = SlowTextSearch(texts, fields: 2)
        slow.parameters.weights = [2, 1]
        let queries: [(String, TextClause)] = [
            ("cat", .phrase("cat")),
            ("uber fox", .all([.phrase("uber"), .phrase("fox")])),
            ("\"the cat\"", .phrase("the cat")),
            ("sat OR mat -quick", .any([.phrase("sat"), .excluding(.phrase("mat"), .phrase("quick"))])),
            ("ca*", .prefix("ca")),
        ]
        for (typed, clause) in queries {
            let expected = slow.matches(clause)
            let hits = try Ballad.matching(typed).hits(in: source)
            #expect(Set(hits.map { "\($0.record.id)" }) == Set(expected.keys), "\(typed): \(note())")
            for hit in hits {
                #expect(abs(hit.score - (expected["\(hit.record.id)"] ?? -1)) < 1e-9, "\(typed): \(note())")
                #expect(records[hit.record.id] == hit.record, "\(typed): \(note())")
            }
            let order = hits.sorted { ($1.score, $0.record.id) < ($0.score, $1.record.id) }
            #expect(hits.map(\.record.id) == order.map(\.record.id), "\(typed): \(note())")
            #expect(try Ballad.matching(typed).count(in: source) == hits.count, "\(typed): \(note())")
            let late = try Ballad.filter(.matches(typed) && \.year >= 5).resolve(in: source)
            #expect(late == hits.map(\.record).filter { $0.year >= 5 }, "\(typed): \(note())")
            let either = try Ballad.filter(.matches(typed) || \.year == 3).resolve(in: source)
            let wanted = records.values.filter { $0.year == 3 || expected["\($0.id)"] != nil }.map(\.id).sorted()
            #expect(either.map(\.id).sorted() == wanted, "\(typed): \(note())")
        }
        let public5 = try Ballad.matching("cat", index: "fullText(verses where { $0.year > 5 })").resolve(in: source)
        let expected = records.values.filter { record in
            record.year > 5 && words(record.verses).contains { $0.text == "cat" }
        }
        #expect(Set(public5) == Set(expected), "\(note())")
    }

    @Test func anyChanges_leaveWhatSearchesMustFind() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let directory = try TemporaryDirectory()
        let options = StoreOptions(durability: .noSync)
        var store = try Store(path: directory.path("b.trove"), records: [Ballad.self], options: options)
        var records: [Int: Ballad] = [:]
        for round in 0..<40 {
            let note = "round \(round) of seed \(seed)"
            try store.write { context in
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    try change(&records, context, &random)
                    if Int.random(in: 0..<8, using: &random) == 0 { try expectSearches(context, records, note) }
                }
                if Bool.random(using: &random) {
                    var lost = records
                    try? context.nested { nested in
                        for _ in 0..<3 { try change(&lost, nested, &random) }
                        if Bool.random(using: &random) { try expectSearches(nested, lost, note) }
                        throw Undone()
                    }
                    try expectSearches(context, records, note)
                }
            }
            try expectSearches(store, records, note)
            #expect(try store.check().isEmpty, "\(note)")
            if round % 10 == 9 {
                try store.close()
                store = try Store(path: directory.path("b.trove"), records: [Ballad.self], options: options)
            }
        }
        let copy = directory.path("copy.trove")
        try store.copy(to: copy)
        #expect(try Store.verify(path: copy).findings.isEmpty)
        try store.rebuild(Ballad.self)
        try expectSearches(store, records, "rebuilt, seed \(seed)")
        #expect(try store.check().isEmpty)
        try store.close()
        _ = try Store.salvage(from: copy, to: directory.path("salvaged.trove"))
        let salvaged = try Store(path: directory.path("salvaged.trove"), records: [Ballad.self], options: options)
        try expectSearches(salvaged, records, "salvaged, seed \(seed)")
        #expect(try salvaged.check().isEmpty)
    }

    @Test func aWholeType_isDeletedWithItsWords() throws {
        let store = try Store.temporary(records: [Ballad.self])
        let ballads = (0..<300).map { Ballad(id: $0, title: "the cat \($0)", verses: ["sat", "on"], year: $0 % 10) }
        try store.insert(contentsOf: ballads)
        try store.write { context in
            try? context.nested { nested in
                #expect(try Ballad.query().delete(in: nested) == 300)
                #expect(try Ballad.matching("cat").count(in: nested) == 0)
                throw Undone()
            }
            #expect(try Ballad.matching("cat").count(in: context) == 300)
            try context.insert(ballads[0])
            #expect(try Ballad.query().delete(in: context) == 300)
            try context.insert(ballads[7])
            #expect(try Ballad.matching("cat").keys(in: context) == [7])
        }
        try expectSearches(store, [7: ballads[7]], "after the delete of all")
        #expect(try store.check().isEmpty)
    }

    private func change(
        _ records: inout [Int: Ballad], _ context: TransactionContext, _ random: inout SeededGenerator
    ) throws {
        let id = Int.random(in: 0..<40, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            try context.delete(Ballad.self, key: id)
            records[id] = nil
        case 1:
            let some = (0..<5).map { ballad(id + $0, &random) }
            try context.insert(contentsOf: some)
            for record in some { records[record.id] = record }
        case 2:
            let year = Int.random(in: 0...10, using: &random)
            try Ballad.filter(.matches("mat") && \.year == year).delete(in: context)
            records = records.filter { record in
                record.value.year != year
                    || !words([record.value.title ?? ""] + record.value.verses).contains { $0.text == "mat" }
            }
        case 3:
            let title = text(&random)
            try Ballad.filter(\.year == 7).update(in: context) { $0.title = title }
            for (id, record) in records where record.year == 7 { records[id]?.title = title }
        default:
            let new = ballad(id, &random)
            try context.insert(new)
            records[id] = new
        }
    }
}
