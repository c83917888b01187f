// Which questions totals answer, and what their plans say.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Plans with totals") struct TotalsPlanTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Till.Sale.self])
        try store.insert(
            contentsOf: (0..<100).map { id in
                Till.Sale(
                    id: id, city: ["Oslo", "Rome"][id % 2], year: 2020 + id % 5, cents: Int64(id), weight: 0.1,
                    price: Decimal(id), tag: id % 3 == 0 ? nil : "a", count: 1, isOpen: id % 10 == 0)
            })
    }

    @Test func aPlan_namesTheTotals_andTheRows() throws {
        let oslo = Till.Sale.filter(\.city == "Oslo")
        #expect(
            try oslo.sum(of: \.cents).explain(in: store)
                == """
                scan totals(city,year of cents,weight,price) of Sale, 1 range: city == "Oslo"
                sum: from the totals; no record is read
                entries to read: 5
                """.replacing("of Sale", with: "of \(Till.Sale.schema.name)"))
        #expect(
            try oslo.filter(\.year == 2020).count.explain(in: store).hasSuffix(
                "count: from the totals; no record is read\nentries to read: 1"))
        #expect(
            try oslo.grouped(by: \.year).average(of: \.weight).explain(in: store).contains(
                "\ngroups: year; from the totals; no record is read\nentries to read: 5"))
        #expect(try Till.Sale.query().sum(of: \.weight).explain(in: store).contains("scan totals(of weight,count)"))
        #expect(try Till.Sale.query().sum(of: \.weight).resolve(in: store) == 10)
        #expect(try Till.Sale.filter(\.isOpen).count.explain(in: store).contains("scan totals(where { $0.isOpen })"))
        #expect(try Till.Sale.filter(\.isOpen).count(in: store) == 10)
        #expect(
            try Till.Sale.filter(\.isOpen && \.city == "Oslo").sum(of: \.cents).explain(in: store).contains(
                "scan totals(city of cents where { $0.isOpen })"))
        // The number of all records is stored.
        #expect(try Till.Sale.query().count.explain(in: store).contains("count: stored"))
        #expect(try Till.Sale.query().distinct(\.city).resolve(in: store) == ["Oslo", "Rome"])
    }

    @Test func otherQuestions_readRecords() throws {
        let oslo = Till.Sale.filter(\.city == "Oslo")
        for text in [
            try oslo.filter(\.isOpen).sum(of: \.weight).explain(in: store),
            try oslo.limit(3).sum(of: \.cents).explain(in: store),
            try oslo.filter(\.id > 3).count.explain(in: store),
            try Till.Sale.filter(\.city == "Oslo" || \.year == 2020).count.explain(in: store),
            try oslo.grouped(by: \.tag).count.explain(in: store),
            try oslo.grouped(by: \.year).max(of: \.cents).explain(in: store),
            try Till.Sale.filter(\.tag == "a").sum(of: \.cents).explain(in: store),
            try Till.Sale.filter(where: { $0.city == "Oslo" }).count.explain(in: store),
        ] { #expect(!text.contains("totals"), "\(text)") }
        #expect(try oslo.grouped(by: \.year).max(of: \.cents).resolve(in: store).map(\.value) == [90, 96, 92, 98, 94])
        #expect(try oslo.limit(3).sum(of: \.cents).resolve(in: store) == 6)
    }

    /// A change of the group and of the numbers alone writes totals.
    @Test func anUnchangedGroup_writesNothing() throws {
        let index = try store.storedIndex(Till.prefix, "totals(tag of count)")
        let before = try store.entries(of: index)
        try Till.Sale.query().update(in: store) { $0.cents += 1 }
        #expect(try store.entries(of: index) == before)
        #expect(try Till.Sale.query().sum(of: \.cents).resolve(in: store) == 5_050)
    }

    @Test func sumsThatDoNotFit_areErrors_andFitAgain() throws {
        try store.insert(
            contentsOf: [200, 201].map {
                Till.Sale(id: $0, city: "Bern", year: 1, cents: .max, weight: 0, isOpen: false)
            })
        let bern = Till.Sale.filter(\.city == "Bern")
        #expect(throws: StoreError.query(.sumOverflow(type: Till.Sale.schema.name, property: "\(\Till.Sale.cents)"))) {
            try bern.sum(of: \.cents).resolve(in: store)
        }
        #expect(throws: StoreError.self) { try bern.grouped(by: \.city).sum(of: \.cents).resolve(in: store) }
        #expect(try bern.average(of: \.cents).resolve(in: store) == Double(Int64.max))
        try store.insert(Till.Sale(id: 202, city: "Bern", year: 2, cents: -.max, weight: 0, isOpen: false))
        #expect(try bern.sum(of: \.cents).resolve(in: store) == .max)
    }

    /// Observers of a count from totals are woken as those of any other.
    @Test func observedTotals_followTheRecords() async throws {
        let sums = Till.Sale.filter(\.city == "Oslo").sum(of: \.cents)
        var found: [Int64] = []
        for try await sum in sums.values(in: store) {
            found.append(sum)
            if found.count == 2 { break }
            try await store.insert(Till.Sale(id: 300, city: "Oslo", year: 1, cents: 1_000, weight: 0, isOpen: false))
        }
        #expect(found == [2_450, 3_450])
    }
}
