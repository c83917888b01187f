// Sales with totals, and the same sales without: every answer is the same.

import Foundation
import TroveTestSupport

@testable import Trove

/// Sales as successive programs declare them.
enum Till {
    static let prefix: UInt32 = 6_700_001

    @IndexKeyRecord(keyPrefix: 6_700_001, "id")
    struct Plain: Hashable {
        let id: Int
        var city: String
        var year: Int
        var cents: Int64
        var weight: Double
        var price: Decimal?
        var tag: String?
        var count: UInt8?
        var isOpen: Bool
    }

    @IndexKeyRecord(keyPrefix: 6_700_001, "id")
    struct Sale: Hashable {
        #Totals<Sale>(by: \.city, \.year, of: \.cents, \.weight, \.price)
        #Totals<Sale>(by: \.tag, of: \.count)
        #Totals<Sale>(of: \.weight, \.count)
        #Totals<Sale>(where: { $0.isOpen })
        #Totals<Sale>(by: \.city, of: \.cents, where: { $0.isOpen })

        let id: Int
        var city: String
        var year: Int
        var cents: Int64
        var weight: Double
        var price: Decimal?
        var tag: String?
        var count: UInt8?
        var isOpen: Bool
    }

    /// Other totals of the same properties, and fewer totals.
    @IndexKeyRecord(keyPrefix: 6_700_001, "id")
    struct Changed: Hashable {
        #Totals<Changed>(by: \.year, \.city, of: \.cents)
        #Totals<Changed>(by: \.tag, of: \.count)

        let id: Int
        var city: String
        var year: Int
        var cents: Int64
        var weight: Double
        var price: Decimal?
        var tag: String?
        var count: UInt8?
        var isOpen: Bool
    }

    /// Totals that stay when the key changes.
    @IndexKeyRecord(keyPrefix: 6_700_001, "id")
    struct Counted: Hashable {
        #Totals<Counted>(by: \.city, of: \.weight)

        let id: Int
        var city: String
        var year: Int
        var cents: Int64
        var weight: Double
        var price: Decimal?
        var tag: String?
        var count: UInt8?
        var isOpen: Bool
    }

    /// Another key.
    @IndexKeyRecord(keyPrefix: 6_700_001, "year", "id")
    struct Moved: Hashable {
        #Totals<Moved>(by: \.city, of: \.weight)

        let year: Int
        let id: Int
        var city: String
        var cents: Int64
        var weight: Double
        var price: Decimal?
        var tag: String?
        var count: UInt8?
        var isOpen: Bool
    }

    static func sale(_ id: Int, using random: inout SeededGenerator) -> Sale {
        let long = String(repeating: "x", count: 600)
        let city = ["Oslo", "Rome", "", "Ålesund", long + "1", long + "2"].randomElement(using: &random) ?? ""
        let weight =
            [
                0, -0.0, 0.1, 0.2, -0.3, 1e300, -1e300, .leastNonzeroMagnitude, 1e-17,
                Double.random(in: -1e9...1e9, using: &random),
            ].randomElement(using: &random) ?? 0
        let special = [Double.nan, .infinity, -.infinity].randomElement(using: &random) ?? 0
        let price = Decimal(Int.random(in: -9_999...9_999, using: &random)) / 100
        return Sale(
            id: id, city: city, year: Int.random(in: 2020...2024, using: &random),
            cents: Int64.random(in: -5...5, using: &random)
                * (Int.random(in: 0..<9, using: &random) == 0 ? 1 << 59 : 1),
            weight: Int.random(in: 0..<200, using: &random) == 0 ? special : weight,
            price: Bool.random(using: &random) ? nil : price,
            tag: [nil, "a", "b"].randomElement(using: &random) ?? nil,
            count: Bool.random(using: &random) ? nil : UInt8.random(in: 0...3, using: &random),
            isOpen: Bool.random(using: &random))
    }
}

/// The sales without totals, in a type of its own.
@IndexKeyRecord("id")
struct BareSale: Hashable {
    let id: Int
    var city: String
    var year: Int
    var cents: Int64
    var weight: Double
    var price: Decimal?
    var tag: String?
    var count: UInt8?
    var isOpen: Bool
}

extension BareSale {
    init(_ sale: Till.Sale) {
        self.init(
            id: sale.id, city: sale.city, year: sale.year, cents: sale.cents, weight: sale.weight, price: sale.price,
            tag: sale.tag, count: sale.count, isOpen: sale.isOpen)
    }
}

extension Till.Plain {
    init(_ sale: Till.Sale) {
        self.init(
            id: sale.id, city: sale.city, year: sale.year, cents: sale.cents, weight: sale.weight, price: sale.price,
            tag: sale.tag, count: sale.count, isOpen: sale.isOpen)
    }
}
