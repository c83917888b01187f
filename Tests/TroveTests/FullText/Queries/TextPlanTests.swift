// The plans of queries with texts: every plan finds the same, and the planner takes the one that reads least.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Logbook: Hashable {
    #FullTextIndex<Logbook>(\.text)
    #Index<Logbook>(\.day)
    #Index<Logbook>(\.ship)

    let id: Int
    var text: String
    var day: Int
    var ship: Int
    var isRead: Bool
}

@Suite("Plans of queries with texts") struct TextPlanTests {
    // MARK: Every plan

    /// Runs a query with every possible plan.
    private func forEachPlan(
        of query: Query<Shanty>, in context: ReadContext, _ body: (QueryPlan, [Shanty], Int) throws -> Void
    ) throws {
        let planner = try query.planner().planningSources(in: context)
        let table = try #require(try context.table(for: Shanty.schema))
        let plans = try query.sourcePlans(planner, table, context)
        for plan in plans.walks.map(\.plan) + plans.scans {
            let plan = query.ordered(plan, plans.own, planner)
            let found = try QueryRun(query, plan: plan, planner: planner, table: table, in: context, for: .records)
                .collect(context) { matches, index, table in try Shanty.decode(matches[index], table) }
            let count = try QueryRun(query, plan: plan, planner: planner, table: table, in: context, for: .count)
                .count(context)
            try body(plan, found, count)
        }
    }

    /// A random filter beside a text, and the same as a closure. It has no text that adds to the score.
    private func condition(
        _ found: [(text: TextQuery<Shanty>, ids: Set<String>)], isScored: Bool, _ random: inout SeededGenerator
    ) -> (filter: Filter<Shanty>, holds: (Shanty) -> Bool) {
        let (year, crew) = (Int.random(in: 0...9, using: &random), Int.random(in: 0...3, using: &random))
        let (text, ids) = found.randomElement(using: &random)!
        switch Int.random(in: 0..<(isScored ? 8 : 10), using: &random) {
        case 0: return (\.year == year, { $0.year == year })
        case 1: return (\.year >= year, { $0.year >= year })
        case 2: return (\.crew == crew && \.year < year, { $0.crew == crew && $0.year < year })
        case 3: return (\.port == "Hull", { $0.port == "Hull" })
        case 4: return (!.matches(text), { !ids.contains($0.place) })
        case 5: return (.where { $0.id % 2 == 0 }, { $0.id % 2 == 0 })
        case 6: return (\.year == year || \.crew == crew, { $0.year == year || $0.crew == crew })
        case 7:
            return (\.crew == crew && !.matches(text), { $0.crew == crew && !ids.contains($0.place) })
        case 8: return (.matches(text), { ids.contains($0.place) })
        default: return (.matches(text) || \.year == year, { ids.contains($0.place) || $0.year == year })
        }
    }

    @Test func everyPlan_givesTheSame() throws {
        let (start, seed) = SeededGenerator.fromEnvironment()
        var random = start
        let store = try Store.temporary(records: [Shanty.self])
        let samples = Shanty.samples(160, &random)
        try store.insert(contentsOf: samples)
        let texts: [TextQuery<Shanty>] = ["the", "cat", "ca* OR fox", "\"the cat\"", "-the", "zzz", "uber sat"]
        var kinds: Set<String> = []
        try store.write { context in
            // Pending words count, too.
            var records = samples
            for record in Shanty.samples(20, &random) {
                var record = record
                record.verses.append("the cat")
                records.removeAll { $0.indexKey == record.indexKey }
                records.append(record)
                try context.insert(record)
            }
            try check(records, texts, "seed \(seed), pending", &kinds, context, &random)
        }
        try store.read { context in
            let records = try Shanty.query().resolve(in: context)
            try check(records, texts, "seed \(seed)", &kinds, context, &random)
        }
        // Searches, matches that get the order of a search, scans in order, and scans that are sorted.
        #expect(kinds == ["search", "ordered", "scan", "sorted scan", "sorted search"], "seed \(seed)")
    }

    private func check(
        _ records: [Shanty], _ texts: [TextQuery<Shanty>], _ note: String, _ kinds: inout Set<String>,
        _ context: ReadContext, _ random: inout SeededGenerator
    ) throws {
        let hits = try texts.map { try Shanty.matching($0).hits(in: context).map(\.record) }
        let ids = zip(texts, hits).map { ($0, Set($1.map(\.place))) }
        for round in 0..<80 {
            let place = Int.random(in: texts.indices, using: &random)
            let isScored = Bool.random(using: &random)
            var query = Shanty.matching(texts[place])
            var holds: [(Shanty) -> Bool] = []
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let (filter, test) = condition(ids, isScored: isScored, &random)
                query = query.filter(filter)
                holds.append(test)
            }
            var expected = hits[place].filter { record in holds.allSatisfy { $0(record) } }
            let byKey = { (left: Shanty, right: Shanty) in (left.port, left.id) < (right.port, right.id) }
            if !isScored {
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    query = query.sorted(by: \.year.desc)
                    expected.sort { $0.year != $1.year ? $0.year > $1.year : byKey($0, $1) }
                case 1:
                    query = query.sorted(by: \.crew, \.year.desc)
                    expected.sort { left, right in
                        if left.crew != right.crew { return left.crew < right.crew }
                        return left.year != right.year ? left.year > right.year : byKey(left, right)
                    }
                default:
                    query = query.order(.ascending)
                    expected.sort(by: byKey)
                }
            }
            if Int.random(in: 0..<4, using: &random) == 0, let last = expected.randomElement(using: &random) {
                query = query.after(key: last.indexKey)
                expected.removeSubrange(...expected.firstIndex(of: last)!)
            }
            if Bool.random(using: &random) {
                let (limit, offset) = (Int.random(in: 0...20, using: &random), Int.random(in: 0...4, using: &random))
                query = query.limit(limit, offset: offset)
                expected = Array(expected.dropFirst(offset).prefix(limit))
            }
            let note = "round \(round), \(note): \(query)"
            try forEachPlan(of: query, in: context) { plan, found, count in
                #expect(found == expected, "\(note)\n\(plan)")
                #expect(count == expected.count, "\(note)\n\(plan)")
                if let source = plan.source {
                    if case .matches = source.order {
                        kinds.insert("ordered")
                    } else {
                        kinds.insert(plan.sorts ? "sorted search" : "search")
                    }
                } else {
                    kinds.insert(plan.sorts ? "sorted scan" : "scan")
                }
            }
            #expect(try query.resolve(in: context) == expected, "\(note)")
            #expect(try query.count(in: context) == expected.count, "\(note)")
            #expect(try query.exists(in: context) == !expected.isEmpty, "\(note)")
        }
    }

    // MARK: The choice

    /// 4,000 entries: "fog" in half of them, "whale" in 40 of them, "ice" in 5.
    private func logbooks() throws -> Store {
        let store = try Store.temporary(records: [Logbook.self])
        try store.insert(
            contentsOf: (0..<4_000).map { id in
                let words = [
                    id % 2 == 0 ? "fog" : "sun", id % 100 == 0 ? "whale" : "gull", id % 800 == 0 ? "ice" : "water",
                ]
                return Logbook(
                    id: id, text: words.joined(separator: " "), day: id / 4, ship: id % 2, isRead: id % 3 == 0)
            })
        return store
    }

    private func explain(_ query: Query<Logbook>, _ store: Store) throws -> [String] {
        try query.explain(in: store).split(separator: "\n").map(String.init)
    }

    @Test func aRareText_leads() throws {
        let store = try logbooks()
        #expect(
            try explain(Logbook.matching("whale \"fog whale\"").filter(\.isRead == true).limit(10), store) == [
                #"search fullText(text) of Logbook: whale and "fog whale""#, "filter: isRead == true",
                "order: relevance", "limit 10",
                "words: whale 40 records, fog 2000; rows to read: at most 40",
            ])
        let alone = Logbook.matching("fog").limit(10)
        #expect(
            try explain(alone, store) == [
                "search fullText(text) of Logbook: fog", "order: relevance; best 10 kept, blocks passed over",
                "limit 10", "words: fog 2000 records; rows to read: at most 2000",
            ])
        let wide = Logbook.matching("ice").filter(\.day > 100)
        #expect(try explain(wide, store).prefix(2) == ["search fullText(text) of Logbook: ice", "filter: day > 100"])
        #expect(try wide.keys(in: store).sorted() == [800, 1_600, 2_400, 3_200])
        let sorted = Logbook.filter(.matches("ice")).sorted(by: \.day.desc).limit(3)
        #expect(try explain(sorted, store).first == "search fullText(text) of Logbook: ice")
        #expect(try sorted.keys(in: store) == [3_200, 2_400, 1_600])
    }

    @Test func aSmallRange_leads() throws {
        let store = try logbooks()
        let query = Logbook.matching("fog").filter(\.day == 50 && \.isRead == true)
        #expect(
            try explain(query, store) == [
                "search fullText(text) of Logbook: fog", "matches of:",
                "  scan index(day) of Logbook, 1 range: day == 50", "  filter: isRead == true", "order: relevance",
                "words: fog 2000 records; rows to read: at most 4",
            ])
        #expect(try query.keys(in: store) == [])
        #expect(try Logbook.matching("fog").filter(\.day == 51 && \.isRead == true).keys(in: store) == [204])
        let days = Logbook.matching("fog OR whale").filter(\.day >= 100 && \.day < 105).limit(3)
        #expect(try explain(days, store)[1] == "matches of:")
        #expect(try days.keys(in: store) == [400, 402, 404])
        #expect(try days.after(key: 404).keys(in: store) == [406, 408, 410])
        let unsorted = Logbook.filter(.matches("fog") && \.day == 50).sorted(by: \.id)
        #expect(
            try explain(unsorted, store).prefix(2) == [
                "scan index(day) of Logbook, 1 range: day == 50", "filter: words match fog",
            ])
        #expect(try unsorted.keys(in: store) == [200, 202])
        #expect(try unsorted.count(in: store) == 2)
    }

    @Test func aFrequentText_isTestedInTheOrderOfAnIndex() throws {
        let store = try logbooks()
        let newest = Logbook.filter(.matches("fog")).sorted(by: \.day.desc).limit(5)
        #expect(
            try explain(newest, store).prefix(2) == [
                "scan index(day) of Logbook, all entries", "filter: words match fog",
            ])
        #expect(try newest.keys(in: store) == [3_996, 3_998, 3_992, 3_994, 3_988])
        #expect(try newest.after(key: 3_998).limit(2).keys(in: store) == [3_992, 3_994])
    }

    @Test func otherWays_testNumbers() throws {
        let store = try logbooks()
        let either = Logbook.filter(.matches("whale") || \.day == 0)
        #expect(try either.keys(in: store).sorted() == Array(Set([0, 1, 2, 3] + (0..<40).map { $0 * 100 })).sorted())
        #expect(try Logbook.filter(!.matches("fog")).count(in: store) == 2_000)
        #expect(try Logbook.filter(!.matches("fog") && \.day == 7).keys(in: store) == [29, 31])
        #expect(try Logbook.filter(!(.matches("fog") || \.ship == 1)).count(in: store) == 0)
        let whales = Logbook.matching("whale")
        #expect(try whales.sum(of: \.day).resolve(in: store) == (0..<40).reduce(0) { $0 + $1 * 25 })
        #expect(try whales.max(of: \.id).resolve(in: store) == 3_900)
        #expect(try whales.filter(\.ship == 1).count(in: store) == 0)
        #expect(try Logbook.query(id: .range(0..<250)).filter(.matches("whale")).keys(in: store) == [0, 100, 200])
        #expect(try whales.grouped(by: \.ship).count(in: store).map(\.value) == [40])
    }

    #if DEBUG  // Cursor moves are counted only in debug builds.
    @Test func counts_readNoRecords() throws {
        let store = try logbooks()
        func lookups(_ query: Query<Logbook>) throws -> (count: Int, moves: Int) {
            try store.read { context in
                context.core.cursorMoves = CursorMoves()
                let count = try query.count(in: context)
                return (count, context.core.cursorMoves.seeks + context.core.cursorMoves.steps)
            }
        }
        #expect(try lookups(Logbook.matching("fog")) == (2_000, 0))
        #expect(try lookups(Logbook.matching("fog").limit(7).offset(3)) == (7, 0))
        let both = try lookups(Logbook.matching("fog gull"))
        #expect(both.count == 1_960 && both.moves < 200)
        #expect(try Logbook.matching("fog gull").exists(in: store))
        #expect(try !Logbook.matching("ice gull").exists(in: store))
    }
    #endif
}
