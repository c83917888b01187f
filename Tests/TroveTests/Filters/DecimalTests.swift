// Decimal numbers as properties with an order: filters, sorts, indexes, keys and sums.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

private func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

private let prices = [
    "-1000", "-10", "-9.99", "-0.5", "-0.05", "0", "0.01", "0.05", "0.5", "9.9", "9.99", "10", "99.95", "100", "1000",
    "340282366920938463463374607431768211455", "0.000000000000000000000000000000000000001",
].map(decimal)

@IndexKeyRecord("id")
private struct Article: Hashable {
    let id: Int
    var shop: String
    var price: Decimal
    var rebate: Decimal?
}

@IndexKeyRecord("id")
private struct IndexedArticle: Hashable {
    #Index<IndexedArticle>(\.price)
    #Index<IndexedArticle>(\.shop, \.price.desc)
    #Index<IndexedArticle>(\.shop, \.rebate)
    #Unique<IndexedArticle>(\.serial, collisions: .throw)

    let id: Int
    var shop: String
    var price: Decimal
    var rebate: Decimal?
    var serial: Decimal?
}

@IndexKeyRecord("price", "shop")
private struct Offer: Hashable {
    let price: Decimal
    let shop: String
}

private func holds(_ value: Decimal?, _ test: (Decimal) -> Bool) -> Bool { value.map(test) ?? false }

@Suite("Decimal numbers") struct DecimalTests {
    private let store: Store
    private let articles: [Article]

    init() throws {
        var (generator, _) = SeededGenerator.fromEnvironment()
        store = try Store.temporary()
        articles = (0..<300).map { id in
            Article(
                id: id, shop: ["A", "B", "C"].sample(&generator), price: prices.sample(&generator),
                rebate: id % 3 == 0 ? nil : prices.sample(&generator))
        }
        try store.insert(contentsOf: articles)
        try store.insert(
            contentsOf: articles.map {
                IndexedArticle(id: $0.id, shop: $0.shop, price: $0.price, rebate: $0.rebate)
            })
    }

    @Test func filters_findWhatSwiftFinds_withAndWithoutIndexes() throws {
        for price in prices {
            let other = prices[prices.count / 2]
            let expected: [(Filter<Article>, Filter<IndexedArticle>, (Article) -> Bool)] = [
                (\.price == price, \.price == price, { $0.price == price }),
                (\.price != price, \.price != price, { $0.price != price }),
                (\.price < price, \.price < price, { $0.price < price }),
                (\.price <= price, \.price <= price, { $0.price <= price }),
                (\.price > price, \.price > price, { $0.price > price }),
                (\.price >= price, \.price >= price, { $0.price >= price }),
                (
                    .between(\.price, price, other), .between(\.price, price, other),
                    { price <= $0.price && $0.price <= other }
                ),
                (
                    .within(\.price, [price, other]), .within(\.price, [price, other]),
                    { [price, other].contains($0.price) }
                ),
                (\.rebate < price, \.rebate < price, { holds($0.rebate) { $0 < price } }),
                (!(\.rebate < price), !(\.rebate < price), { !(holds($0.rebate) { $0 < price }) }),
                (\.rebate >= price, \.rebate >= price, { holds($0.rebate) { $0 >= price } }),
                (\.rebate == nil, \.rebate == nil, { $0.rebate == nil }),
                (
                    \.shop == "B" && \.price < price, \.shop == "B" && \.price < price,
                    { $0.shop == "B" && $0.price < price }
                ),
            ]
            for (bare, indexed, holds) in expected {
                let ids = articles.filter(holds).map(\.id)
                #expect(try Article.filter(bare).keys(in: store).sorted() == ids, "\(bare)")
                #expect(try IndexedArticle.filter(indexed).keys(in: store).sorted() == ids, "\(indexed)")
            }
        }
        #expect(
            try IndexedArticle.filter(\.price < decimal("-9.99")).explain(in: store).hasPrefix(
                "scan index(price) of IndexedArticle, 1 range: price < -9.99"))
    }

    @Test func sorts_areByValue() throws {
        let expected = articles.sorted { ($0.price, $0.id) < ($1.price, $1.id) }.map(\.id)
        #expect(try Article.query().sorted(by: \.price).keys(in: store) == expected)
        let page = IndexedArticle.filter(.everything).sorted(by: \.price).limit(20)
        #expect(try page.keys(in: store) == Array(expected.prefix(20)))
        #expect(try page.explain(in: store).contains("as stored"))
        let down = articles.sorted { ($1.price, $0.id) < ($0.price, $1.id) }.map(\.id)
        #expect(try IndexedArticle.filter(.everything).sorted(by: \.price.desc).keys(in: store) == down)
    }

    @Test func zerosAtTheEnd_changeNothing() throws {
        let same = [
            Decimal(sign: .plus, exponent: -2, significand: 100), decimal("1.000"), 1, decimal("0.4") + decimal("0.6"),
        ]
        #expect(Set(same.map { KeyWriter.bytes(of: $0) }).count == 1)
        try store.insert(contentsOf: same.enumerated().map { IndexedArticle(id: 1_000 + $0, shop: "D", price: $1) })
        #expect(try IndexedArticle.filter(\.price == 1).count(in: store) == 4)
        #expect(try IndexedArticle.grouped(by: \.price).count(in: store).count == Set(articles.map(\.price)).count + 1)
    }

    @Test func aUniqueDecimal_isUniqueByValue() throws {
        try store.insert(IndexedArticle(id: 1_000, shop: "D", price: 1, serial: decimal("7.50")))
        #expect(throws: StoreError.self) {
            try store.insert(IndexedArticle(id: 1_001, shop: "D", price: 1, serial: decimal("7.5")))
        }
        #expect(try IndexedArticle.filter(\.serial == decimal("7.500")).keys(in: store) == [1_000])
        #expect(try store.check() == [])
    }

    @Test func nan_sortsLast() throws {
        try store.insert(Article(id: 1_000, shop: "D", price: .nan))
        #expect(try Article.query().sorted(by: \.price).keys(in: store).last == 1_000)
        #expect(try Article.filter(\.price > decimal("1e127")).keys(in: store) == [1_000])
        #expect(try Article.filter(\.price == .nan).keys(in: store) == [1_000])
    }

    @Test func sumsAndAverages_areExact() throws {
        let small = Article.filter(.between(\.price, -1000, 1000) && \.price > decimal("0.009") || \.price <= 0)
        let values = articles.map(\.price).filter { $0 <= 0 || $0 > decimal("0.009") && $0 <= 1000 }
        let sum = values.reduce(0, +)
        #expect(try small.sum(of: \.price).resolve(in: store) == sum)
        #expect(try small.average(of: \.price).resolve(in: store) == sum / Decimal(values.count))
        #expect(try Article.query().min(of: \.price).resolve(in: store) == articles.map(\.price).min())
        #expect(try Article.query().max(of: \.rebate).resolve(in: store) == articles.compactMap(\.rebate).max())
        #expect(try Article.filter(\.id < 0).average(of: \.price).resolve(in: store) == nil)
        #expect(try Article.filter(\.id < 0).sum(of: \.rebate).resolve(in: store) == 0)
        #expect(try Article.filter(\.rebate == nil).average(of: \.rebate).resolve(in: store) == nil)
        try store.read { context in
            let tens = Article.query(in: context).filter(\.price == 10)
            let sum = try tens.sum(of: \.price).resolve()
            #expect(sum == 10 * Decimal(articles.count { $0.price == 10 }))
            #expect(try tens.average(of: \.price).resolve() == (sum == 0 ? nil : 10))
        }
    }

    @Test func sumsAndAverages_areThoseOfGroups_overAnIndexToo() throws {
        let cent = decimal("0.01")
        let cheap = IndexedArticle.filter(\.price < 100 && \.price >= cent)
        for group in try cheap.grouped(by: \.shop).sum(of: \.price).resolve(in: store) {
            let values = articles.filter { $0.shop == group.key && $0.price < 100 && $0.price >= cent }.map(\.price)
            #expect(group.value == values.reduce(0, +))
        }
        let byShop = IndexedArticle.grouped(by: \.shop)
        #expect(try byShop.min(of: \.price).explain(in: store).contains("from the entries alone"))
        let greatest = ["A", "B", "C"].map { shop in articles.filter { $0.shop == shop }.map(\.price).max() }
        #expect(try byShop.max(of: \.price).resolve(in: store).map(\.value) == greatest)
        let rebates = IndexedArticle.filter(\.rebate < 1000 && \.rebate >= cent).grouped(by: \.shop)
        for group in try rebates.average(of: \.rebate).resolve(in: store) {
            let values = articles.filter { $0.shop == group.key }.compactMap(\.rebate)
                .filter { $0 < 1000 && $0 >= cent }
            #expect(group.value == values.reduce(0, +) / Decimal(values.count))
        }
    }

    @Test func theAsyncForms_areTheSame() async throws {
        let whole = Article.filter(.within(\.price, [10, 100, -10]))
        let values = articles.map(\.price).filter { [10, 100, -10].contains($0) }
        let sum = try await whole.sum(of: \.price).resolve(in: store)
        #expect(sum == values.reduce(0, +))
        let average = try await whole.average(of: \.price).resolve(in: store)
        #expect(average == sum / Decimal(values.count))
        let bound = try await Article.query(in: store).filter(.within(\.price, [10, 100, -10])).grouped(by: \.price)
            .sum(of: \.price).resolve()
        #expect(bound.map(\.key) == [-10, 10, 100] && bound.map(\.value).reduce(0, +) == sum)
    }

    @Test func aSumBeyondTheGreatestNumber_throws() throws {
        try store.insert(
            contentsOf: (2_000..<2_002).map { Article(id: $0, shop: "E", price: .greatestFiniteMagnitude) })
        let query = Article.filter(\.shop == "E")
        #expect(throws: StoreError.query(.sumOverflow(type: "Article", property: "\(\Article.price)"))) {
            try query.sum(of: \.price).resolve(in: store)
        }
        #expect(throws: StoreError.query(.sumOverflow(type: "Article", property: "\(\Article.price)"))) {
            try query.grouped(by: \.shop).sum(of: \.price).resolve(in: store)
        }
    }

    @Test func aKey_canBeDecimal() throws {
        try store.insert(contentsOf: prices.map { Offer(price: $0, shop: "A") })
        #expect(try Offer.query().resolve(in: store).map(\.price) == prices.sorted())
        #expect(
            try Offer.query(price: .lessThan(0)).resolve(in: store).map(\.price)
                == prices.sorted().filter { $0 < 0 }.reversed())
        #expect(try Offer.get(in: store, price: decimal("9.990"), shop: "A")?.price == decimal("9.99"))
        #expect(
            Offer.query(price: .greaterThan(decimal("9.99"))).description == "Offer.query(price: .greaterThan(9.99))")
        let key = Offer.schema.storedKey(KeyWriter.bytes(of: Tuple(decimal("-12.50"), "A")))
        #expect(key.description == #"(price: -12.5, shop: "A")"#)
    }
}

// MARK: Indexes of earlier versions

/// The coding by which earlier versions indexed decimal numbers: equal or not, without an order.
private enum EqualDecimal: CanonicalFieldCoding {
    static func describe(in layout: inout LayoutBuilder) { DirectField<Decimal>.describe(in: &layout) }
    static var fixedSize: Int? { nil }
    static func encodedSize(of value: Decimal) throws(CodingError) -> Int { value.encodedSize }
    static func encode(_ value: Decimal, into writer: inout ValueWriter) { value.encode(into: &writer) }
    static func decode(from reader: inout ValueReader) throws(CodingError) -> Decimal { try Decimal(decoding: &reader) }
    static func skip(in reader: inout ValueReader) throws(CodingError) { try Decimal.skip(in: &reader) }
}

/// Returns a property that is indexed for equality. The compiler chooses an index with an order only if it knows that
/// the values are key components.
private func equality<Record: IndexKeyRecord, Coding: CanonicalFieldCoding>(
    _ name: String, _ path: KeyPath<Record, Coding.Value> & Sendable, _ coding: Coding.Type,
    _ value: @escaping @Sendable (Record) -> Coding.Value
) -> IndexedProperty<Record> {
    IndexedProperty(name, path, coding, value)
}

@IndexKeyRecord(keyPrefix: 6_410_001, "id")
private struct FormerGood: Hashable {
    let id: Int
    var price: Decimal

    static let indexes: [RecordIndex<FormerGood>] = [
        .index([equality("price", \.price, EqualDecimal.self) { $0.price }])
    ]
}

@IndexKeyRecord(keyPrefix: 6_410_001, "id")
private struct Good: Hashable {
    #Index<Good>(\.price)

    let id: Int
    var price: Decimal
}

@Suite("Decimal numbers in indexes of earlier versions") struct FormerDecimalIndexTests {
    @Test func anIndexWithoutOrder_isRebuiltAtOpening() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("goods.trove")
        do {
            let former = try Store(path: path, records: [FormerGood.self])
            try former.insert(contentsOf: prices.enumerated().map { FormerGood(id: $0, price: $1) })
            let definitions = try former.read { try $0.storedTypes()[0].indexes.map(\.definition) }
            #expect(definitions == ["price:equal<Decimal>"])
        }
        let store = try Store(path: path, records: [Good.self])
        #expect(try store.read { try $0.storedTypes()[0].indexes.map(\.definition) } == ["price:Decimal"])
        let cheap = Good.filter(\.price < 1)
        #expect(try cheap.count.explain(in: store).hasPrefix("scan index(price) of Good"))
        #expect(
            try cheap.keys(in: store).sorted() == prices.indices.filter { prices[$0] < 1 })
        #expect(
            try Good.filter(.everything).sorted(by: \.price).limit(3).select(\.price).resolve(in: store)
                == Array(prices.sorted().prefix(3)))
        #expect(try store.check() == [])
    }
}
