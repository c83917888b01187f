// The stored sample of totals: its contents, and the way to write the next sample.
//
//     swift run TroveStoreWorker write-totals-sample Tests/TroveTests/Samples/format-N-totals.trove

import Foundation
import Trove

/// Groups of several properties, descending ones, long ones and nil; sums of all families of numbers; conditions.
@IndexKeyRecord(keyPrefix: 5_000_061, "id")
package struct SampleSale: Hashable {
    #Totals<SampleSale>()
    #Totals<SampleSale>(by: \.city, \.year.desc, of: \.cents, \.weight, \.price)
    #Totals<SampleSale>(by: \.tag, of: \.count, \.big)
    #Totals<SampleSale>(of: \.weight, \.ratio)
    #Totals<SampleSale>(where: { $0.isOpen })
    #Totals<SampleSale>(by: \.city, of: \.cents, where: { $0.year >= 2020 })

    package let id: Int
    package var city: String
    package var year: UInt16
    package var cents: Int64
    package var weight: Double
    package var ratio: Float?
    package var price: Decimal?
    package var tag: String?
    package var count: UInt8?
    package var big: UInt128
    package var isOpen: Bool
}

package enum SampleTotals {
    /// The sales in the order of their keys.
    package static let sales = (0..<240).map(sale)

    private static let cities = ["Oslo", "Ålesund\0", "", String(repeating: "x", count: 600), "東京"]
    private static let weights = [0.1, -0.0, 1e300, -1e300, .leastNonzeroMagnitude, 0.2, -1e-17]

    /// Returns the sale with a number.
    package static func sale(_ id: Int) -> SampleSale {
        let place = id % 6
        // Two long cities with equal beginnings.
        let city = place == 5 ? cities[3] + "y" : cities[place]
        let weight = id == 77 ? .infinity : id == 78 ? .nan : weights[id % weights.count]
        return SampleSale(
            id: id, city: city, year: UInt16(2018 + id % 4), cents: id % 11 == 0 ? .max - Int64(id) : Int64(id) - 120,
            weight: weight, ratio: id % 3 == 0 ? nil : Float(id) / 10,
            price: id % 5 == 0
                ? nil : Decimal(sign: id % 2 == 0 ? .plus : .minus, exponent: -2, significand: Decimal(id)),
            tag: [nil, "", "a", "b"][id % 4], count: id % 7 == 0 ? nil : UInt8(truncatingIfNeeded: id),
            big: UInt128(id) << 100, isOpen: id % 3 == 1)
    }

    /// Inserts the sales, and others whose groups and numbers are removed again.
    package static func fill(_ store: Store) throws {
        try store.insert(contentsOf: sales)
        var others = (1_000..<1_030).map(sale)
        for place in others.indices { others[place].city = "other \(place % 3)" }
        try store.insert(contentsOf: others)
        for other in others { try store.delete(other) }
        for id in [5, 77, 78, 120] {
            var changed = sales[id]
            (changed.city, changed.weight, changed.price, changed.isOpen) = ("moved", 1e-300, 7, true)
            try store.insert(changed)
            try store.insert(sales[id])
        }
        // NaN and infinity leave no trace in the sums.
        for id in [77, 78] { try store.delete(sales[id]) }
    }

    /// The sales after ``fill(_:)``.
    package static var stored: [SampleSale] { sales.filter { $0.id != 77 && $0.id != 78 } }

    /// Writes the sample of the current format. The file must not exist yet.
    static func write(to path: String) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "trove-sample-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: directory) } catch { TroveStoreWorker.say("\(error)") }
        }
        let store = try Store(path: directory.appending(path: "sample.trove").path, records: [SampleSale.self])
        try fill(store)
        TroveStoreWorker.say("\(try store.copy(to: path, compacting: true))")
    }
}
