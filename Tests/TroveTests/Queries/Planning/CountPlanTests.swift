// The plans of counts.

import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Score: Hashable {
    #Index<Score>(\.points)

    let id: Int
    var points: Int
    var name: String
}

@Suite("Plans of counts") struct CountPlanTests {
    private let store: Store

    init() throws {
        store = try Store.temporary()
        try store.insert(contentsOf: (0..<500).map { Score(id: $0, points: $0 % 100, name: "n\($0 % 3)") })
    }

    @Test func aRank_stepsOverTheEntries_andReadsNoRecord() throws {
        let better = Score.filter(\.points > 60)
        let plan = """
            scan index(points) of Score, 1 range: points > 60
            count: a step for each entry; no record is read
            entries to read: 195
            """
        #expect(try better.count.explain(in: store) == plan)
        #expect(try Score.query(in: store).filter(\.points > 60).count.explain() == plan)
        #expect(try better.count(in: store) == 195)
        // All records of the range would be read otherwise: a scan costs less.
        #expect(try better.explain(in: store).hasPrefix("scan Score, all records"))
        // A count has no order.
        #expect(try better.sorted(by: \.name).count.explain(in: store) == plan)
    }

    @Test func theAsyncForms_areTheSame() async throws {
        let forms = [
            try await Score.filter(\.points > 60).count.explain(in: store),
            try await Score.query(in: store).filter(\.points > 60).count.explain(),
            try await Score.query().filter(\.points > 60).count.explain(in: store),
        ]
        #expect(Set(forms).count == 1)
        let stored = try await Score.query().count.explain(in: store)
        #expect(stored.contains("count: stored"))
    }

    @Test func aCountOfAllRecords_isStored() throws {
        #expect(
            try Score.query().count.explain(in: store) == "scan Score, all records\ncount: stored\nentries to read: 0")
        #expect(try Score.query(id: .lessThan(10)).count.explain(in: store).contains("count: a step for each entry"))
    }

    @Test func otherConditions_areTested() throws {
        #expect(
            try Score.filter(\.name == "n1").count.explain(in: store) == """
                scan Score, all records
                filter: name == "n1"
                count: a test for each entry or record
                entries to read: 500
                """)
        #expect(throws: StoreError.self) { try Score.filter(\.name.count == 1).count.explain(in: store) }
    }
}
