// The order of relevance: whatever the filter, the weights and the page, it is what a look at all records gives.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Edda: Hashable {
    #FullTextIndex<Edda>(\.title, \.verses, weights: [2, 1])
    #FullTextIndex<Edda>(\.note, keepsOrder: false)
    #Index<Edda>(\.year)

    let id: Int
    var title: String
    var verses: [String]
    var note: String
    var year: Int
    var page: Int
}

/// A filter of eddas, and what it means.
private indirect enum EddaFilter {
    /// Words of the title and the verses, or of the note.
    case words(TextClause, isNote: Bool)
    case year(Int)
    case all(EddaFilter, EddaFilter)
    case any(EddaFilter, EddaFilter)
    case not(EddaFilter)

    var filter: Filter<Edda> {
        switch self {
        case .words(let clause, let isNote): .matches(TextQuery(clause), index: isNote ? "note" : nil)
        case .year(let year): \.year == year
        case .all(let left, let right): left.filter && right.filter
        case .any(let left, let right): left.filter || right.filter
        case .not(let part): !part.filter
        }
    }
}

/// Sagas in memory, looked through for every filter.
private struct SlowEddas {
    var eddas: [Int: Edda] = [:]
    var order = RelevanceOrder()

    private static func words(_ texts: [String]) -> [ModelWord] {
        texts.enumerated().flatMap { place, text in
            text.split(separator: " ").enumerated().map { ModelWord(text: String($1), position: place * 200 + $0) }
        }
    }

    private func search(isNote: Bool) -> SlowTextSearch {
        var texts: [String: ModelText] = [:]
        for (id, edda) in eddas {
            texts["\(id)"] =
                isNote ? [Self.words([edda.note])] : [Self.words([edda.title]), Self.words(edda.verses)]
        }
        var search = SlowTextSearch(texts, fields: isNote ? 1 : 2)
        let names = isNote ? ["note"] : ["title", "verses"]
        search.parameters.weights = zip(names, isNote ? [1] : [2, 1]).map { order.weights[$0] ?? $1 }
        (search.parameters.k1, search.parameters.b) = (order.k1, order.b)
        return search
    }

    /// Returns the ids of the matches.
    func matches(_ filter: EddaFilter) -> Set<Int> {
        switch filter {
        case .words(let clause, let isNote): Set(search(isNote: isNote).matches(clause).keys.map { Int($0)! })
        case .year(let year): Set(eddas.values.filter { $0.year == year }.map(\.id))
        case .all(let left, let right): matches(left).intersection(matches(right))
        case .any(let left, let right): matches(left).union(matches(right))
        case .not(let part): Set(eddas.keys).subtracting(matches(part))
        }
    }

    /// Returns the scores of the records that text filters find.
    func scores(_ filter: EddaFilter) -> [Int: Double] { evaluate(filter, isNegated: false)?.scores ?? [:] }

    /// Returns whether a filter has scores.
    func hasScores(_ filter: EddaFilter) -> Bool { evaluate(filter, isNegated: false) != nil }

    /// Returns the scores of a filter, and whether a record without a score may match it; nil without scores.
    private func evaluate(
        _ filter: EddaFilter, isNegated: Bool
    ) -> (scores: [Int: Double], isOptional: Bool)? {
        switch filter {
        case .words(let clause, let isNote):
            if isNegated { return nil }
            let found = search(isNote: isNote).matches(clause)
            return (Dictionary(uniqueKeysWithValues: found.map { (Int($0)!, $1) }), false)
        case .year: return nil
        case .not(let part): return evaluate(part, isNegated: !isNegated)
        case .all(let left, let right):
            return isNegated ? any(left, right, isNegated) : all(left, right, isNegated)
        case .any(let left, let right):
            return isNegated ? all(left, right, isNegated) : any(left, right, isNegated)
        }
    }

    private func any(
        _ left: EddaFilter, _ right: EddaFilter, _ isNegated: Bool
    ) -> (scores: [Int: Double], isOptional: Bool)? {
        let parts = [left, right].map { evaluate($0, isNegated: isNegated) }
        guard parts.contains(where: { $0 != nil }) else { return nil }
        let scores = parts.compactMap { $0?.scores }.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        return (scores, parts.contains { $0?.isOptional ?? true })
    }

    private func all(
        _ left: EddaFilter, _ right: EddaFilter, _ isNegated: Bool
    ) -> (scores: [Int: Double], isOptional: Bool)? {
        let parts = [left, right].compactMap { evaluate($0, isNegated: isNegated) }
        guard !parts.isEmpty else { return nil }
        var scores = parts.reduce(into: [:]) { $0.merge($1.scores, uniquingKeysWith: +) }
        for part in parts where !part.isOptional { scores = scores.filter { part.scores[$0.key] != nil } }
        return (scores, parts.allSatisfy(\.isOptional))
    }
}

struct RelevanceTests {
    private static let words = ["cat", "fox", "sat", "mat", "owl", "elk", "red", "old"]

    private func text(_ most: Int, _ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in
            Self.words[Int(8 * pow(Double.random(in: 0..<1, using: &random), 2))]
        }.joined(separator: " ")
    }

    private func edda(_ id: Int, _ random: inout SeededGenerator) -> Edda {
        Edda(
            id: id, title: text(2, &random),
            verses: (0..<Int.random(in: 0...2, using: &random)).map { _ in text(3, &random) },
            note: text(2, &random), year: Int.random(in: 0...4, using: &random),
            page: Int.random(in: 0...3, using: &random))
    }

    private func filter(_ depth: Int, _ random: inout SeededGenerator) -> EddaFilter {
        func word() -> TextClause { .phrase(Self.words.randomElement(using: &random)!) }
        func part() -> EddaFilter { filter(depth - 1, &random) }
        switch Int.random(in: 0..<(depth == 0 ? 6 : 10), using: &random) {
        case 0, 1: return .words(word(), isNote: false)
        case 2: return .words(.any([word(), word()]), isNote: Bool.random(using: &random))
        case 3: return .words(.boosted(.prefix("o"), 2), isNote: Bool.random(using: &random))
        case 4: return .words(.phrase("cat fox"), isNote: false)
        case 5: return .year(Int.random(in: 0...4, using: &random))
        case 6, 7: return .all(part(), part())
        case 8: return .any(part(), part())
        default: return .not(part())
        }
    }

    private func relevance(_ random: inout SeededGenerator) -> Relevance<Edda> {
        func weight() -> Double { Double(Int.random(in: 0...4, using: &random)) / 2 }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .relevance(k1: 2, b: 0)
        case 1: return .relevance(k1: 0)
        default: return .relevance
        }
    }

    /// The sort bytes of properties and key, by which records with equal scores come.
    private func ties(_ count: Int, _ edda: Edda) -> [Int] { Array([-edda.year, edda.page].prefix(count)) + [edda.id] }

    private func sorted(
        _ query: Query<Edda>, by relevance: Relevance<Edda>, ties: Int
    ) -> Query<Edda> {
        switch ties {
        case 0: query.sorted(by: relevance)
        case 1: query.sorted(by: relevance, \.year.desc)
        default: query.sorted(by: relevance, \.year.desc, \.page)
        }
    }

    @Test func anyQueryByRelevance_isWhatALookAtAllRecordsGives() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.temporary(records: [Edda.self])
        var slow = SlowEddas()
        for round in 0..<90 {
            if round % 30 == 0 {
                // Numbers are given in another order than that of the keys.
                for id in (0..<120).shuffled(using: &random) where Bool.random(using: &random) {
                    let edda = edda(id, &random)
                    try store.insert(edda)
                    slow.eddas[id] = edda
                }
                try store.delete(Edda.self, key: round)
                slow.eddas[round] = nil
            }
            let condition = filter(3, &random)
            let relevance = relevance(&random)
            let tieCount = Int.random(in: 0...2, using: &random)
            slow.order = relevance.order
            let note = "round \(round) of seed \(seed): \(Edda.filter(condition.filter)), \(tieCount) ties"
            let query = sorted(Edda.filter(condition.filter), by: relevance, ties: tieCount)
            let hits = try query.hits(in: store)
            let scores = slow.scores(condition)
            #expect(Set(hits.map(\.record.id)) == slow.matches(condition), "\(note)")
            for hit in hits {
                let score = scores[hit.record.id] ?? 0
                #expect(abs(hit.score - score) <= 1e-12 * max(1, score), "\(note): \(hit.record.id)")
                #expect(slow.eddas[hit.record.id] == hit.record, "\(note)")
                let sum = hit.scoreParts.reduce(0) { $0 + $1.score }
                #expect(abs(sum - hit.score) <= 1e-12 * max(1, score), "\(note): \(hit.explanation)")
            }
            let order = hits.sorted { left, right in
                if left.score != right.score { return left.score > right.score }
                return ties(tieCount, left.record).lexicographicallyPrecedes(ties(tieCount, right.record))
            }
            #expect(hits.map(\.record.id) == order.map(\.record.id), "\(note)")
            try expectPages(query, hits, store, note)
            if tieCount == 0, relevance.order.swift == ".relevance", slow.hasScores(condition) {
                #expect(try Edda.filter(condition.filter).keys(in: store) == hits.map(\.record.id), "\(note): implied")
            }
            let unordered = Edda.filter(condition.filter).unordered()
            #expect(try Set(unordered.keys(in: store)) == Set(hits.map(\.record.id)), "\(note)")
            let byPage = try Edda.filter(condition.filter).sorted(by: \.page).limit(10).hits(in: store)
            for hit in byPage where relevance.order.swift == ".relevance" {
                let other = try #require(hits.first { $0.record == hit.record })
                #expect(hit.score == other.score, "\(note): by page")
            }
        }
    }

    private func expectPages(
        _ query: Query<Edda>, _ hits: [TextHit<Edda>], _ store: Store, _ note: String
    ) throws {
        let ids = hits.map(\.record.id)
        #expect(try query.resolve(in: store).map(\.id) == ids, "\(note)")
        #expect(try query.keys(in: store) == ids, "\(note)")
        #expect(try query.count(in: store) == ids.count, "\(note)")
        #expect(try query.select(\.year).resolve(in: store) == hits.map(\.record.year), "\(note)")
        #expect(try query.last(in: store) == hits.last?.record, "\(note)")
        var seen: [Int] = []
        try query.forEach(in: store) { seen.append($0.id) }
        #expect(seen == ids, "\(note)")
        for limit in [1, 7, 40] {
            let page = try query.limit(limit).hits(in: store)
            #expect(page.map(\.record.id) == Array(ids.prefix(limit)), "\(note): \(limit)")
            #expect(page.map(\.score) == hits.prefix(limit).map(\.score), "\(note): \(limit)")
            #expect(
                try query.limit(limit).offset(3).keys(in: store) == Array(ids.dropFirst(3).prefix(limit)), "\(note)")
            #expect(try query.limit(limit).count(in: store) == min(limit, ids.count), "\(note): \(limit)")
            guard let last = page.last, page.count == limit else { continue }
            let rest = Array(ids.dropFirst(limit))
            #expect(try query.after(last).keys(in: store) == rest, "\(note): after \(limit)")
            #expect(try query.after(last).limit(5).keys(in: store) == Array(rest.prefix(5)), "\(note): after \(limit)")
            #expect(try query.after(last.record).keys(in: store) == rest, "\(note): after \(limit)")
            #expect(try query.after(key: last.record.id).keys(in: store) == rest, "\(note): after \(limit)")
        }
    }

    // MARK: Weights

    @Test func weightsOfAQuery_replaceThoseOfTheIndex() throws {
        let store = try Store.temporary(records: [Edda.self])
        try store.insert(contentsOf: [
            Edda(id: 1, title: "cat", verses: ["owl owl"], note: "", year: 1, page: 1),
            Edda(id: 2, title: "owl", verses: ["cat cat"], note: "", year: 2, page: 1),
            Edda(id: 3, title: "owl", verses: ["cat cat"], note: "", year: 3, page: 1),
        ])
        let query = Edda.matching("cat")
        #expect(try query.keys(in: store) == [1, 2, 3])  // Each has 2, by the declared weights.
        #expect(try query.sorted(by: .relevance, \.year.desc).keys(in: store) == [3, 2, 1])
        #expect(try query.sorted(by: .relevance(.weight(\.title, 1))).keys(in: store) == [2, 3, 1])
        #expect(try query.sorted(by: .relevance(.weight(\.title, 3)), \.year.desc).keys(in: store) == [1, 3, 2])
        let keys = [SortKey(\Edda.year).desc]
        #expect(try query.sorted(by: .relevance(.weight(\.verses, 3)), keys).keys(in: store) == [3, 2, 1])
        let none = try query.sorted(by: .relevance(.weight(\.title, 0), .weight(\.verses, .nan))).hits(in: store)
        #expect(none.map(\.record.id) == [2, 3, 1])
        #expect(none.last?.score == 0)
        let bound = Edda.filter(.matches("cat"), in: store)
        #expect(try bound.sorted(by: .relevance(.weight(\.title, 1))).hits().map(\.record.id) == [2, 3, 1])
        #expect(
            "\(query.sorted(by: .relevance(.weight(\.title, 3), k1: 2), \.year.desc))".hasSuffix(
                ".sorted(by: .relevance(.weight(\\.title, 3.0), k1: 2.0), \\.year.desc)"))
        #expect("\(query.unordered())".hasSuffix(".unordered()"))
    }

    @Test func aWeightOfAnotherProperty_isRefused() throws {
        let store = try Store.temporary(records: [Edda.self])
        try store.insert(Edda(id: 1, title: "cat", verses: [], note: "", year: 1, page: 1))
        let query = Edda.matching("cat").sorted(by: .relevance(.weight(\.note, 2)))
        let error = StoreError.text(
            .notInTextIndex(type: "Edda", properties: ["note"], searched: ["fullText(title,verses)"]))
        #expect(throws: error) { try query.keys(in: store) }
        let empty = try Store.temporary(records: [Edda.self])
        #expect(throws: error) { try query.keys(in: empty) }
        #expect(try query.and(.matches("cat", index: "note") || \.year == 1).keys(in: store) == [1])
    }

    @Test func aPhraseWithoutTheOrderOfWords_isRefused() throws {
        let store = try Store.temporary(records: [Edda.self])
        try store.insert(Edda(id: 1, title: "", verses: [], note: "old cat", year: 1, page: 1))
        #expect(throws: StoreError.text(.noPhrases(type: "Edda", index: "fullText(note)"))) {
            try Edda.matching("\"old cat\"", index: "note").count(in: store)
        }
        #expect(try Edda.matching("old cat", index: "note").count(in: store) == 1)
    }

    // MARK: Pages

    @Test func pages_goOnAmongEqualScoresThoughRecordsAreDeleted() throws {
        let store = try Store.temporary(records: [Edda.self])
        for id in (0..<400).reversed() {
            try store.insert(
                Edda(id: id, title: id % 100 == 0 ? "cat cat" : "cat owl", verses: [], note: "", year: id % 7, page: 1))
        }
        for ties in 0...1 {
            let query = sorted(Edda.matching("cat"), by: .relevance, ties: ties)
            let all = try query.keys(in: store)
            var seen: [Int] = []
            var last: TextHit<Edda>?
            var deleted: [Edda] = []
            while true {
                let page = try query.after(last).limit(30).hits(in: store)
                guard let end = page.last else { break }
                seen += page.map(\.record.id)
                last = end
                // The last record of a page, and another one, seen or not.
                for id in [end.record.id, page[3].record.id] {
                    deleted.append(try #require(try store.get(Edda.self, key: id)))
                    try store.delete(Edda.self, key: id)
                }
                try store.insert(Edda(id: 1_000 + seen.count, title: "mat", verses: [], note: "", year: 1, page: 1))
            }
            #expect(seen == all)
            try store.insert(contentsOf: deleted)
        }
    }
}
