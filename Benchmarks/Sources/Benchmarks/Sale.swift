// The records of the workloads for totals and ranks: sales with totals, with an index of the same properties, with an
// index of their cents, ranked and not, and with none of these.

import Trove

/// The properties of a sale, with and without totals.
protocol SaleRecord: Equatable, Sendable {
    var id: Int64 { get }
    var city: String { get }
    var year: Int { get }
    var cents: Int { get }
    var weight: Double { get }

    init(id: Int64, city: String, year: Int, cents: Int, weight: Double)
}

extension SaleRecord {
    init(_ other: some SaleRecord) {
        self.init(id: other.id, city: other.city, year: other.year, cents: other.cents, weight: other.weight)
    }
}

@IndexKeyRecord("id")
struct Sale: SaleRecord {
    #Totals<Sale>(by: \.city, \.year, of: \.cents, \.weight)

    let id: Int64
    var city: String
    var year: Int
    var cents: Int
    var weight: Double
}

@IndexKeyRecord("id")
struct IndexedSale: SaleRecord {
    #Index<IndexedSale>(\.city, \.year)

    let id: Int64
    var city: String
    var year: Int
    var cents: Int
    var weight: Double
}

/// A sale in the order of its cents.
@IndexKeyRecord("id")
struct PricedSale: SaleRecord {
    #Index<PricedSale>(\.cents)

    let id: Int64
    var city: String
    var year: Int
    var cents: Int
    var weight: Double
}

@IndexKeyRecord("id")
struct RankedSale: SaleRecord {
    #Index<RankedSale>(\.cents, ranked: true)

    let id: Int64
    var city: String
    var year: Int
    var cents: Int
    var weight: Double
}

@IndexKeyRecord("id")
struct PlainSale: SaleRecord {
    let id: Int64
    var city: String
    var year: Int
    var cents: Int
    var weight: Double
}

extension Sale {
    /// The cities and the years of sales, each equally frequent.
    static let cities = (10..<60).map { "City \($0)" }
    static let years = 2015..<2025
    /// The number of groups.
    static var groups: Int { cities.count * years.count }

    /// Creates the sale of a number, always with the same contents. Neither cities nor years ascend with the ids.
    init(number: Int) {
        // Multiplication by an odd factor maps each number of 32 bits to a different number.
        let scattered = Int(UInt32(truncatingIfNeeded: number) &* 2_654_435_769)
        self.init(
            id: Int64(number), city: Self.cities[scattered / 3 % Self.cities.count],
            year: Self.years.lowerBound + scattered / 151 % Self.years.count, cents: scattered / 7 % 10_000,
            // Quarters, so that the sums of a rounded addition are exact, too.
            weight: Double(scattered / 11 % 4_000) / 4)
    }

    /// The sale with other numbers, in the same group.
    var corrected: Sale {
        var sale = self
        sale.cents += 1
        sale.weight += 0.25
        return sale
    }

    /// The sale in the group of another year.
    var moved: Sale {
        var sale = self
        sale.year = year + 1 == Self.years.upperBound ? Self.years.lowerBound : year + 1
        return sale
    }
}
