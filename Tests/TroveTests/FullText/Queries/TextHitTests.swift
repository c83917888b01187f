// Hits: records with scores, with their relations, and with explanations.

import Testing
import TroveTestSupport

@testable import Trove

@EntityModel
private struct Poet: Hashable {
    let id: Int
    var name: String
    @Relationship(inverse: \.poet) var sonnets: [Sonnet]?
}

@EntityModel
private struct Sonnet: Hashable {
    #FullTextIndex<Sonnet>(\.title, \.lines, weights: [3, 1])
    #FullTextIndex<Sonnet>(\.lines, analyzer: .standard.without(.english), where: { $0.year > 1600 })

    let id: Int
    var title: String
    var lines: [String]
    var year: Int
    @Relationship(inverse: \.sonnets) var poet: Poet?
}

struct TextHitTests {
    private static func makeStore() throws -> Store {
        let store = try Store.temporary(records: [Poet.self, Sonnet.self])
        try store.write { context in
            for (id, name) in [(1, "Ann"), (2, "Ben")] {
                let sonnets = [
                    Sonnet(id: 10 * id, title: "The summer", lines: ["a summer day", "a rose"], year: 1600 + id),
                    Sonnet(id: 10 * id + 1, title: "The rose", lines: ["a day", "of a summer day"], year: 1590),
                    Sonnet(id: 10 * id + 2, title: "", lines: ["day by day by day"], year: 1610 - id),
                ]
                let poet = Poet(id: id, name: name, sonnets: .relation(sonnets))
                try poet.save(to: context)
            }
        }
        return store
    }

    private static let store = Result { try makeStore() }

    @Test func hits_haveTheRequestedRelations() throws {
        let store = try Self.store.get()
        let query = Sonnet.matching("summer").filter(\.year > 1595).with(\.$poet).limit(5)
        let hits = try query.hits(in: store)
        #expect(hits.map(\.record.id) == [10, 20])
        #expect(hits.map { $0.record.poet?.name } == ["Ann", "Ben"])
        #expect(hits[0].score == hits[1].score && hits[0].score > 0)
        #expect(try query.resolve(in: store) == hits.map(\.record))
        let byYear = try Sonnet.matching("day").sorted(by: \.year, \.id.desc).with(\.$poet).hits(in: store)
        #expect(byYear.map(\.record.id) == [21, 11, 10, 20, 22, 12])
        #expect(byYear.allSatisfy { $0.score > 0 && $0.record.poet != nil })
    }

    @Test func aRelation_isSearchedInItsOwnOrderOrByRelevance() throws {
        let store = try Self.store.get()
        let found = Poet.query(2).related(\.$sonnets).matching("day")
        #expect(try found.resolve(in: store).map(\.id) == [20, 21, 22])
        let ranked = try found.sorted(by: .relevance).hits(in: store)
        let expected = try Sonnet.matching("day").hits(in: store).filter { $0.record.id >= 20 }
        #expect(ranked.map(\.record.id) == expected.map(\.record.id))
        #expect(ranked.map(\.score) == expected.map(\.score))
        #expect(try found.sorted(by: .relevance).after(ranked[0]).limit(1).keys(in: store) == [ranked[1].record.id])
        let nested = try #require(
            try Poet.query(2).with(\.$sonnets) { $0.matching("day").sorted(by: .relevance).limit(2) }
                .resolve(in: store))
        #expect(nested.sonnets?.map(\.id) == expected.prefix(2).map(\.record.id))
    }

    @Test func asyncAndBoundForms_giveTheSameHits() async throws {
        let store = try Self.makeStore()
        let query = Sonnet.matching("day rose").sorted(by: .relevance, \.year.desc)
        let hits = try await query.hits(in: store)
        let bound = try await Sonnet.filter(.matches("day rose"), in: store).sorted(by: .relevance, \.year.desc).hits()
        let inTransaction = try await store.write { context in try query.hits(in: context) }
        #expect(hits.map(\.record.id) == bound.map(\.record.id) && hits.map(\.score) == bound.map(\.score))
        #expect(hits.map(\.record.id) == inTransaction.map(\.record.id))
        #expect(hits.map(\.record.id) == [21, 11, 20, 10] || hits.map(\.record.id) == [11, 21, 20, 10])
    }

    @Test func aTransaction_scoresWhatItHasChanged() throws {
        let store = try Self.makeStore()
        try store.write { context in
            try Sonnet(id: 99, title: "summer", lines: [], year: 1).save(to: context)
            let hits = try Sonnet.matching("summer").hits(in: context)
            #expect(hits.first?.record.id == 99)
            #expect(hits.first?.scoreParts.map(\.score) == hits.prefix(1).map(\.score))
        }
    }

    // MARK: Explanations

    @Test func anExplanation_hasTheWordsAndWhatTheyAdd() throws {
        let store = try Self.store.get()
        let hits = try Sonnet.matching("day \"a summer\" ro* -night").hits(in: store)
        let hit = try #require(hits.first { $0.record.id == 10 })
        let lines = hit.explanation.split(separator: "\n").map(String.init)
        try #require(lines.count == 5)
        #expect(lines[0] == "score \(hit.score)")
        #expect(lines[1] == "fullText(title,lines): 6 records of 6.67 words on average, this one of 7")
        #expect(lines[2].hasPrefix("  day: 0.") && lines[2].hasSuffix(", in 6 records; 1 × lines"))
        #expect(lines[3].hasPrefix("  \"a summer\": ") && lines[3].hasSuffix(", in 4 and 4 records; 1 × lines"))
        #expect(lines[4].hasPrefix("  ro*: ") && lines[4].hasSuffix(", in 4 records; 1 × lines"))
        let parts = lines[2...].compactMap { line in
            line.split(separator: ":").last?.split(separator: ",").first.flatMap { Double($0.dropFirst()) }
        }
        #expect(abs(parts.reduce(0, +) - hit.score) < 1e-12)
    }

    @Test func explanations_addUpOverTwoIndexes() throws {
        let store = try Self.store.get()
        let index = "fullText(lines by standard/1"
        let name = try #require(Sonnet.schema.indexes.map(\.text).first { $0.hasPrefix(index) || $0.contains("where") })
        let query = Sonnet.filter(
            .matches("the summer OR \"day by day\"") && (.matches("rose", index: name) || \.year < 1700))
        let hits = try query.hits(in: store)
        #expect(Set(hits.map(\.record.id)) == [10, 11, 12, 20, 21, 22])
        for hit in hits {
            let sum = hit.scoreParts.reduce(0) { $0 + $1.score }
            #expect(abs(sum - hit.score) < 1e-12, "\(hit.explanation)")
        }
        #expect(hits.first { $0.record.id == 10 }?.explanation.contains(name) == true)
        // The record is not in the second index.
        #expect(hits.first { $0.record.id == 11 }?.explanation.contains(name) == false)
        let others = try Sonnet.filter(\.year > 1600).hits(in: store)
        #expect(others.allSatisfy { $0.score == 0 && $0.explanation.hasPrefix("score 0.0\nno word") })
    }

    // MARK: Without order

    @Test func unordered_givesUpTheOrderAlone() throws {
        let store = try Self.store.get()
        let query = Sonnet.matching("day").unordered()
        #expect(try query.count(in: store) == 6)
        #expect(try query.exists(in: store))
        #expect(try Set(query.keys(in: store)) == [10, 11, 12, 20, 21, 22])
        var seen: [Int] = []
        try query.forEach(in: store) { seen.append($0.id) }
        #expect(Set(seen) == [10, 11, 12, 20, 21, 22])
        let first = try query.limit(4).resolve(in: store)
        let rest = try query.after(first.last).resolve(in: store)
        #expect(Set((first + rest).map(\.id)) == Set(seen) && rest.count == 2)
        #expect(try query.hits(in: store).map(\.score).max() == Sonnet.matching("day").hits(in: store).first?.score)
        #expect(try Sonnet.filter(\.year > 0).order(.descending).unordered().resolve(in: store).count == 6)
    }
}
