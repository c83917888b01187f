// The answers to questions about sales, with totals and without.

import Foundation
import Testing

@testable import Trove

/// A query for sales with totals, and the same query for sales without.
private struct SalePair {
    let name: String
    let sales: Query<Till.Sale>
    let bare: Query<BareSale>

    init(_ name: String, _ sales: Query<Till.Sale>, _ bare: Query<BareSale>) {
        (self.name, self.sales, self.bare) = (name, sales, bare)
    }

    static let all: [SalePair] = {
        let long = String(repeating: "x", count: 600)
        return [
            SalePair("all", Till.Sale.query(), BareSale.query()),
            SalePair("city", Till.Sale.filter(\.city == "Oslo"), BareSale.filter(\.city == "Oslo")),
            SalePair(
                "long city", Till.Sale.filter(\.city == long + "1"), BareSale.filter(\.city == long + "1")),
            SalePair(
                "cities", Till.Sale.filter(.within(\.city, ["Rome", long + "2"])),
                BareSale.filter(.within(\.city, ["Rome", long + "2"]))),
            SalePair(
                "from a long city on", Till.Sale.filter(\.city > long + "1"), BareSale.filter(\.city > long + "1")),
            SalePair(
                "city and years", Till.Sale.filter(\.city == "Rome" && \.year > 2021),
                BareSale.filter(\.city == "Rome" && \.year > 2021)),
            SalePair(
                "one group", Till.Sale.filter(\.city == "" && \.year == 2022),
                BareSale.filter(\.city == "" && \.year == 2022)),
            SalePair("open", Till.Sale.filter(\.isOpen), BareSale.filter(\.isOpen)),
            SalePair(
                "open in a city", Till.Sale.filter(\.isOpen && \.city == "Rome"),
                BareSale.filter(\.isOpen && \.city == "Rome")),
            SalePair("no tag", Till.Sale.filter(\.tag == nil), BareSale.filter(\.tag == nil)),
            SalePair("tag", Till.Sale.filter(\.tag == "a"), BareSale.filter(\.tag == "a")),
            SalePair("none", Till.Sale.filter(\.city == "Nowhere"), BareSale.filter(\.city == "Nowhere")),
            SalePair("year", Till.Sale.filter(\.year == 2022), BareSale.filter(\.year == 2022)),
        ]
    }()
}

/// Returns the value, or the error without the name of the type.
private func result<Value>(_ body: () throws -> Value) -> String {
    do {
        let value = try body()
        if let number = value as? Double { return "\(number.bitPattern)" }
        return "\(value)"
    } catch {
        if case StoreError.query(.sumOverflow(_, let property)) = error {
            return "overflow of \(property.split(separator: ".").last ?? "")"
        }
        return "\(error)"
    }
}

/// Expects of totals what a scan of the records returns, bit for bit.
func expectSameAnswers(
    _ source: some RecordReadable, _ note: @autoclosure () -> String, location: SourceLocation = #_sourceLocation
) {
    func expect<Value>(
        _ name: String, _ pair: SalePair, _ totals: () throws -> Value, _ bare: () throws -> Value
    ) {
        let (found, expected) = (result(totals), result(bare))
        #expect(found == expected, "\(name) of \(pair.name), \(note())", sourceLocation: location)
    }
    for pair in SalePair.all {
        let (sales, bare) = (pair.sales, pair.bare)
        expect("count", pair, { try sales.count(in: source) }, { try bare.count(in: source) })
        expect("exists", pair, { try sales.exists(in: source) }, { try bare.exists(in: source) })
        expect("cents", pair, { try sales.sum(of: \.cents).resolve(in: source) }) {
            try bare.sum(of: \.cents).resolve(in: source)
        }
        expect("weight", pair, { try sales.sum(of: \.weight).resolve(in: source) }) {
            try bare.sum(of: \.weight).resolve(in: source)
        }
        expect("price", pair, { try sales.sum(of: \.price).resolve(in: source) }) {
            try bare.sum(of: \.price).resolve(in: source)
        }
        expect("tag counts", pair, { try sales.sum(of: \.count).resolve(in: source) }) {
            try bare.sum(of: \.count).resolve(in: source)
        }
        expect("average weight", pair, { try sales.average(of: \.weight).resolve(in: source) ?? -1 }) {
            try bare.average(of: \.weight).resolve(in: source) ?? -1
        }
        expect("average price", pair, { try sales.average(of: \.price).resolve(in: source) }) {
            try bare.average(of: \.price).resolve(in: source)
        }
        expect("distinct", pair, { try sales.distinct(\.city).resolve(in: source) }) {
            try bare.distinct(\.city).resolve(in: source)
        }
        expect("years", pair, { try sales.grouped(by: \.year).count(in: source).map { "\($0)" } }) {
            try bare.grouped(by: \.year).count(in: source).map { "\($0)" }
        }
        expect("groups", pair, { try sales.grouped(by: \.year, \.city.desc).count(in: source).map { "\($0)" } }) {
            try bare.grouped(by: \.year, \.city.desc).count(in: source).map { "\($0)" }
        }
        expect("tags", pair, { try sales.grouped(by: \.tag).average(of: \.count).resolve(in: source).map { "\($0)" } })
        {
            try bare.grouped(by: \.tag).average(of: \.count).resolve(in: source).map { "\($0)" }
        }
        expect(
            "weights", pair,
            {
                try sales.grouped(by: \.city).sum(of: \.weight).resolve(in: source)
                    .map { "\($0.key) \($0.value.bitPattern)" }
            },
            {
                try bare.grouped(by: \.city).sum(of: \.weight).resolve(in: source)
                    .map { "\($0.key) \($0.value.bitPattern)" }
            })
    }
}
