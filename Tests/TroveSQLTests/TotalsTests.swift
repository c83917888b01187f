// Statements on a type with totals: they have the rows of the records, and writes keep the totals.

import Testing
import Trove
import TroveSQL

@IndexKeyRecord("id")
private struct Receipt: Hashable {
    #Totals<Receipt>(by: \.city)
    #Totals<Receipt>(by: \.city, of: \.cents)
    #Totals<Receipt>(where: { $0.cents > 0 })

    let id: Int
    var city: String
    var cents: Int
}

struct TotalsTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Receipt.self])
        try store.insert(
            contentsOf: (0..<60).map { Receipt(id: $0, city: ["Oslo", "Rome"][$0 % 2], cents: $0 - 20) })
    }

    /// Compares the rows of statements with the totals of the typed queries, and both with the records.
    private func expectSame() throws {
        let receipts = try Receipt.query().resolve(in: store)
        for city in ["Oslo", "Rome", "Bergen"] {
            let expected = receipts.filter { $0.city == city }
            #expect(
                try store.sql("SELECT count(*) FROM Receipt WHERE city = \(city)", as: Int.self) == [expected.count])
            #expect(try Receipt.filter(\.city == city).count(in: store) == expected.count)
            let sum = expected.reduce(0) { $0 + $1.cents }
            #expect(
                try store.sql("SELECT coalesce(sum(cents), 0) FROM Receipt WHERE city = \(city)", as: Int.self) == [sum]
            )
            #expect(try Receipt.filter(\.city == city).sum(of: \.cents).resolve(in: store) == sum)
        }
        let positive = receipts.count { $0.cents > 0 }
        #expect(try store.sql("SELECT count(*) FROM Receipt WHERE cents > 0", as: Int.self) == [positive])
        #expect(try Receipt.filter(\.cents > 0).count(in: store) == positive)
        #expect(try store.check() == [])
    }

    @Test func statements_haveTheRowsOfRecords() throws {
        try expectSame()
        let groups = try store.sql(
            "SELECT city, count(*), sum(cents) FROM Receipt GROUP BY city", as: (String, Int, Int).self)
        #expect(groups.map { "\($0)" } == [#"("Oslo", 30, 270)"#, #"("Rome", 30, 300)"#])
    }

    @Test func writes_keepTheTotals() throws {
        for statement in [
            "UPDATE Receipt SET cents = cents + 7 WHERE city = 'Oslo'",
            "UPDATE Receipt SET city = 'Bergen' WHERE id < 10", "DELETE FROM Receipt WHERE id % 3 = 0",
            "INSERT INTO Receipt (id, city, cents) VALUES (90, 'Rome', -5), (91, 'Bergen', 5)",
        ] {
            #expect(try store.write { try $0.sql(SQL(raw: statement)).changes } > 0)
            try expectSame()
        }
    }
}
