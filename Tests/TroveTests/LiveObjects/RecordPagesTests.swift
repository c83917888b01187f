// The pages of a live list's records, beside an array; and a list that is read page by page to its end.

import Testing
import TroveTestSupport

@testable import Trove

@Suite("The pages of a live list") struct RecordPagesTests {
    @Test func appendedSlices_areAnArray() throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        for _ in 0..<30 {
            var pages = RecordPages<Rower>()
            var all: [Rower] = []
            var copies: [(pages: RecordPages<Rower>, count: Int)] = []
            for _ in 0..<8 {
                // A slice does not begin at 0, as a rule.
                let start = all.count + Int.random(in: 0..<5, using: &generator)
                let count = [0, 1, 255, 256, 257, Int.random(in: 0..<700, using: &generator)].sample(&generator)
                let added = (0..<start + count).map { Rower(id: $0, name: "", age: all.count) }[start...]
                copies.append((pages, all.count))
                pages.append(added)
                all += added
                #expect(pages.count == all.count, "TROVE_TEST_SEED=\(seed)")
                #expect(pages.all == all, "TROVE_TEST_SEED=\(seed)")
                #expect(all.indices.allSatisfy { pages[$0] == all[$0] }, "TROVE_TEST_SEED=\(seed)")
            }
            for (pages, count) in copies {
                #expect(pages.all == Array(all.prefix(count)), "TROVE_TEST_SEED=\(seed)")
            }
        }
    }

    @Test(arguments: [1, 100, 256, 300]) func aListReadToItsEnd_hasAllRows(pageSize: Int) throws {
        let store = try Store.temporary(records: [Rower.self])
        let count = pageSize == 1 ? 300 : 1_500
        try store.insert(contentsOf: (0..<count).map { Rower(id: $0, name: "name \($0 % 7)", age: $0) })
        let query = Rower.query().sorted(by: \.name)
        let list = try LiveList(query, in: store, pageSize: pageSize)
        var seen: [LiveRows<Rower>] = []
        while list.hasMore {
            seen.append(list.rows)
            try list.loadMore()
        }
        let all = try query.resolve(in: store)
        #expect(list.rows.records == all && list.rows.count == count)
        for rows in seen { #expect(rows.records == Array(all.prefix(rows.count))) }
        #expect(list.rows[count - 1].value == all[count - 1])
    }
}
