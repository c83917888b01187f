// Which questions ranked indexes answer, what they read, and what the plans say.

import Foundation
import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Plans with ranked indexes") struct RankPlanTests {
    private typealias Player = Board.Player
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Player.self])
        try store.insert(
            contentsOf: (0..<5_000).map { id in
                Player(
                    id: id, team: ["red", "blue"][id % 2], score: id * 7 % 5_000, name: "n\(id)", bonus: nil,
                    isActive: true)
            })
    }

    @Test func aPlan_saysWhatTheCountsAnswer() throws {
        let name = Player.schema.name
        #expect(
            try Player.query().sorted(by: \.score.desc).offset(4_000).limit(5).explain(in: store)
                == """
                scan ranked(score) of \(name), all entries
                order: score desc; as stored, groups backwards
                limit 5, offset 4000 by the counts of entries
                entries to read: 5, and some counts
                """)
        #expect(
            try Player.filter(\.score > 10).count.explain(in: store)
                == """
                scan ranked(score) of \(name), 1 range: score > 10
                count: by the counts of entries; no record is read
                entries to read: some counts
                """)
        #expect(
            try Player.filter(\.team == "red").sorted(by: \.score.desc).offset(1_000).limit(5).explain(in: store)
                .contains("scan ranked(team,score desc) of \(name), 1 range"))
        // A few records are skipped, and so are those after a record.
        let list = Player.query().sorted(by: \.score)
        #expect(try !list.offset(100).limit(5).explain(in: store).contains("by the counts"))
        let player = try #require(try list.first(in: store))
        #expect(try !list.after(player).offset(4_000).limit(5).explain(in: store).contains("by the counts"))
        #expect(try list.after(player).offset(4_000).limit(1).resolve(in: store).map(\.score) == [4_001])
        #expect(try list.offset(4_000).limit(0).resolve(in: store) == [])
        #expect(try list.offset(4_999).resolve(in: store).map(\.score) == [4_999])
        #expect(try list.offset(5_000).resolve(in: store) == [])
        // The counts know nothing of activity.
        #expect(
            try !Player.filter(\.isActive).sorted(by: \.score).offset(4_000).limit(5).explain(in: store)
                .contains("by the counts"))
    }

    #if DEBUG
    /// A page, a rank and a count read a few rows of each level.
    @Test func answers_readFewEntries() throws {
        try store.read { context in
            let moves = context.core.cursorMoves
            let before = moves.seeks + moves.steps
            let page = try Player.query().sorted(by: \.score.desc).offset(4_000).limit(2).resolve(in: context)
            #expect(page.map(\.score) == [999, 998])
            #expect(try Player.query().sorted(by: \.score).rank(of: page[0]).resolve(in: context) == 1_000)
            #expect(try Player.filter(\.score >= 999).count(in: context) == 4_001)
            #expect(try Player.query().quantile(0.5, of: \.score).resolve(in: context) == 2_499)
            let after = context.core.cursorMoves
            #expect(after.seeks + after.steps - before < 1_500)
        }
    }
    #endif

    /// The first page of the order of the key reads records, a page far down begins at an entry.
    @Test func theKey_hasRanksToo() throws {
        let list = Player.query().sorted(by: \.id)
        #expect(try list.limit(20).explain(in: store).hasPrefix("scan \(Player.schema.name)"))
        #expect(try list.offset(4_000).limit(20).explain(in: store).hasPrefix("scan ranked(id)"))
        #expect(try list.offset(4_000).limit(1).resolve(in: store).map(\.id) == [4_000])
        #expect(try Player.filter(\.id > 1_000).count.explain(in: store).contains("by the counts of entries"))
        #expect(try Player.filter(\.id > 1_000).count(in: store) == 3_999)
        #expect(try list.rank(ofKey: 4_000).resolve(in: store) == 4_001)
    }

    /// The choice of the index does not depend on the offset, so no page repeats or leaves out a record.
    @Test func pagesWithoutAnOrder_haveEachRecordOnce() throws {
        var ids: [Int] = []
        for offset in stride(from: 0, to: 5_000, by: 250) {
            ids += try Player.filter(\.isActive).offset(offset).limit(250).resolve(in: store).map(\.id)
        }
        #expect(ids.count == 5_000 && Set(ids).count == 5_000)
    }

    @Test func withoutARankedIndex_theAnswersAreTheSame() throws {
        let store = try Store.temporary(records: [Board.Plain.self])
        try store.insert(
            contentsOf: (0..<100).map { id in
                Board.Plain(
                    id: id, team: "red", score: id * 7 % 100, name: "", bonus: id < 50 ? nil : 1, isActive: true)
            })
        let list = Board.Plain.query().sorted(by: \.score.desc)
        let players = try list.resolve(in: store)
        for (place, player) in players.enumerated() {
            #expect(try list.rank(of: player).resolve(in: store) == place + 1)
            #expect(try list.limit(3).rank(of: player).resolve(in: store) == place + 1)
        }
        #expect(try Board.Plain.query().rank(ofKey: 41).resolve(in: store) == 42)
        #expect(try Board.Plain.filter(\.score > 50).rank(ofKey: 0).resolve(in: store) == nil)
        #expect(try Board.Plain.query().quantile(0.07, of: \.score).resolve(in: store) == 6)
        #expect(try Board.Plain.query().quantile(0, of: \.bonus).resolve(in: store) == 1)
        #expect(try list.limit(10).quantile(0.5, of: \.score).resolve(in: store) == 94)
        #expect(try Board.Plain.filter(\.score < 0).quantile(0.5, of: \.score).resolve(in: store) == nil)
    }

    @Test(arguments: [-0.1, 1.5, Double.nan, .infinity]) func aShareBeyondOne_isRefused(share: Double) throws {
        guard
            case .query(.wrongShare(_, let property, _))? = storeError({
                _ = try Player.query().quantile(share, of: \.score).resolve(in: store)
            })
        else {
            Issue.record("the share is accepted")
            return
        }
        #expect(property.contains("score"))
    }

    /// What is written in the same transaction counts, and what is undone does not.
    @Test func countsInATransaction_areThoseOfItsEntries() throws {
        struct Undone: Error {}
        try store.write { context in
            try Player.filter(\.id < 1_000).delete(in: context)
            #expect(try Player.filter(\.score >= 0).count(in: context) == 4_000)
            try? context.nested { nested in
                try Player.filter(\.id < 3_000).delete(in: nested)
                #expect(try Player.filter(\.score >= 0).count(in: nested) == 2_000)
                throw Undone()
            }
            #expect(try Player.filter(\.score >= 0).count(in: context) == 4_000)
        }
        #expect(try store.check() == [])
    }

    /// Observed answers follow the records.
    @Test func ranks_areObserved() async throws {
        let player = try #require(try await store.get(Player.self, key: 3))
        var ranks = Player.query().sorted(by: \.score.desc).rank(of: player).values(in: store).makeAsyncIterator()
        let first = try #require(try await ranks.next() ?? nil)
        try await store.insert(
            Player(id: 9_999, team: "red", score: 1_000_000, name: "", bonus: nil, isActive: true))
        #expect(try await ranks.next() == first + 1)
    }
}
