// Minimum, maximum, sum, average and count of whole results and of pages, compared with those of an array.

import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Sale: Hashable {
    #Index<Sale>(\.region)
    #Index<Sale>(\.rebate.desc, \.region)

    let id: Int
    var region: Int
    var count: Int
    var rebate: Int?
    var price: Double
    var weight: Float?
    var name: String?
}

@Suite("Aggregates") struct AggregateTests {
    private let store: Store
    private var random: SeededGenerator
    private let seed: UInt64

    init() throws {
        store = try Store.temporary()
        (random, seed) = SeededGenerator.fromEnvironment()
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    @Test func aPageOfNil_hasNoLeastValue() throws {
        try store.insert(
            contentsOf: (1...10).map { id in
                Sale(id: id, region: 0, count: 0, rebate: id < 6 ? nil : id, price: 0, weight: nil, name: nil)
            })
        let sorted = Sale.filter(.everything).sorted(by: \.id)
        for page in [sorted.limit(5), sorted.limit(3).offset(1), sorted.sorted(by: \.id.desc).after(key: 6)] {
            #expect(try page.min(of: \.rebate).resolve(in: store) == nil)
            #expect(try page.max(of: \.rebate).resolve(in: store) == nil)
        }
        #expect(try sorted.offset(2).limit(5).min(of: \.rebate).resolve(in: store) == 6)
        #expect(try sorted.after(key: 3).limit(4).max(of: \.rebate).resolve(in: store) == 7)
    }

    @Test func floats_areAddedAsDoubles() throws {
        let weights: [Float] = [16_777_216] + Array(repeating: 1, count: 8)
        try store.insert(
            contentsOf: weights.enumerated().map { id, weight in
                Sale(id: id, region: 0, count: 0, rebate: nil, price: 0, weight: weight, name: nil)
            })
        #expect(try Sale.filter(.everything).sum(of: \.weight).resolve(in: store) == 16_777_224)
        #expect(try Sale.filter(.everything).average(of: \.weight).resolve(in: store) == 16_777_224 / 9.0)
    }

    @Test mutating func aggregates_ofPages_areThoseOfAnArray() throws {
        for _ in 0..<20 {
            let sales = (0..<number(40)).map { id in
                Sale(
                    id: id, region: number(4), count: number(100) - 50, rebate: number(2) == 0 ? nil : number(20),
                    price: Double(number(64)) / 4, weight: number(3) == 0 ? nil : Float(number(64)) / 8,
                    name: number(2) == 0 ? nil : "n\(number(9))")
            }
            try store.write { context in
                try Query<Sale>().delete(in: context)
                try context.insert(contentsOf: sales)
                for _ in 0..<40 { try checkPage(of: sales, context) }
            }
        }
    }

    private mutating func checkPage(of sales: [Sale], _ context: TransactionContext) throws {
        let (region, order) = (number(5), number(4))
        var query = Sale.filter(\.region != region)
        var page = sales.filter { $0.region != region }
        switch order {
        case 0: query = query.sorted(by: \.id)
        case 1:
            query = query.sorted(by: \.id.desc)
            page.reverse()
        case 2:
            query = query.sorted(by: \.rebate.desc)
            page = page.sortedStably { ($0.rebate ?? -1) > ($1.rebate ?? -1) }
        default:
            query = query.sorted(by: \.region, \.name)
            page = page.sortedStably { ($0.region, $0.name ?? "") < ($1.region, $1.name ?? "") }
        }
        if number(3) == 0, let place = page.indices.randomElement(using: &random) {
            query = number(2) == 0 ? query.after(page[place]) : query.after(key: page[place].id)
            page.removeSubrange(...place)
        }
        if number(2) == 0 {
            let offset = number(6)
            query = query.offset(offset)
            page = Array(page.dropFirst(offset))
        }
        if number(3) > 0 {
            let limit = number(12)
            query = query.limit(limit)
            page = Array(page.prefix(limit))
        }
        let comment: Comment = "TROVE_TEST_SEED=\(seed) \(try query.explain(in: context))"
        #expect(try query.count(in: context) == page.count, comment)
        #expect(try query.exists(in: context) == !page.isEmpty, comment)
        #expect(try query.min(of: \.count).resolve(in: context) == page.map(\.count).min(), comment)
        #expect(try query.max(of: \.count).resolve(in: context) == page.map(\.count).max(), comment)
        #expect(try query.min(of: \.rebate).resolve(in: context) == page.compactMap(\.rebate).min(), comment)
        #expect(try query.max(of: \.rebate).resolve(in: context) == page.compactMap(\.rebate).max(), comment)
        #expect(try query.min(of: \.name).resolve(in: context) == page.compactMap(\.name).min(), comment)
        #expect(try query.max(of: \.weight).resolve(in: context) == page.compactMap(\.weight).max(), comment)
        #expect(try query.sum(of: \.count).resolve(in: context) == page.map(\.count).reduce(0, +), comment)
        #expect(try query.sum(of: \.rebate).resolve(in: context) == page.compactMap(\.rebate).reduce(0, +), comment)
        #expect(try query.sum(of: \.price).resolve(in: context) == page.map(\.price).reduce(0, +), comment)
        #expect(try query.sum(of: \.weight).resolve(in: context) == page.compactMap(\.weight).reduce(0, +), comment)
        #expect(try query.average(of: \.count).resolve(in: context) == average(page.map { Double($0.count) }), comment)
        #expect(
            try query.average(of: \.rebate).resolve(in: context)
                == average(page.compactMap(\.rebate).map { Double($0) }),
            comment)
        #expect(
            try query.average(of: \.weight).resolve(in: context)
                == average(page.compactMap(\.weight).map { Double($0) }),
            comment)
    }

    private func average(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}
