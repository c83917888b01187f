// Trove's totals, used as Docs/Aggregates.md describes.

import Trove

final class TroveTotalingPeer: TotalingPeer, @unchecked Sendable {
    private let store: Store

    init(at place: Place) throws {
        store = try Store(
            path: place.file.path,
            records: [Sale.self, IndexedSale.self, PricedSale.self, RankedSale.self, PlainSale.self],
            options: StoreOptions(durability: .noSync))
    }

    // MARK: Writing

    func inserting(_ sales: [Sale], into table: SaleTable, isEach: Bool) -> () throws -> Void {
        switch table {
        case .totaled: inserting(sales, isEach)
        case .indexed: inserting(sales.map(IndexedSale.init), isEach)
        case .priced: inserting(sales.map(PricedSale.init), isEach)
        case .ranked: inserting(sales.map(RankedSale.init), isEach)
        case .plain: inserting(sales.map(PlainSale.init), isEach)
        }
    }

    private func inserting<Record: IndexKeyRecord>(_ records: [Record], _ isEach: Bool) -> () throws -> Void {
        { [store] in
            guard isEach else { return try store.insertEach(records) }
            for record in records { try store.insert(record) }
        }
    }

    // MARK: Reading

    func cents(ofEach cities: [String]) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for city in cities { checksum.add(try Sale.filter(\.city == city).sum(of: \.cents).resolve(in: context)) }
            return checksum
        }
    }

    func weights(ofEach cities: [String]) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for city in cities {
                checksum.add(try Sale.filter(\.city == city).sum(of: \.weight).resolve(in: context).bitPattern)
            }
            return checksum
        }
    }

    func counts(ofEach cities: [String], in year: Int) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for city in cities {
                checksum.add(try Sale.filter(\.city == city && \.year == year).count(in: context))
            }
            return checksum
        }
    }

    func centsByGroup(in table: SaleTable) throws -> Checksum {
        let groups =
            table == .totaled
            ? try Sale.grouped(by: \.city, \.year).sum(of: \.cents).resolve(in: store)
            : try PlainSale.grouped(by: \.city, \.year).sum(of: \.cents).resolve(in: store)
        var checksum = Checksum()
        for (group, cents) in groups {
            checksum.add(group.0.utf8.count)
            checksum.add(group.1)
            checksum.add(cents)
        }
        return checksum
    }

    func counts(aboveEach cents: [Int]) throws -> Checksum {
        try store.read { context in
            var checksum = Checksum()
            for cents in cents { checksum.add(try RankedSale.filter(\.cents > cents).count(in: context)) }
            return checksum
        }
    }

    func pages(atEach places: [Int]) throws -> Checksum {
        let list = RankedSale.query().sorted(by: \.cents.desc).limit(20)
        return try store.read { context in
            var checksum = Checksum()
            for place in places {
                for key in try list.offset(place).keys(in: context) { checksum.add(key) }
            }
            return checksum
        }
    }

    func ranks(ofEach sales: [Sale]) throws -> Checksum {
        let list = RankedSale.query().sorted(by: \.cents.desc)
        return try store.read { context in
            var checksum = Checksum()
            for sale in sales { checksum.add((try list.rank(ofKey: sale.id).resolve(in: context) ?? 0) - 1) }
            return checksum
        }
    }

    func verified(_ table: SaleTable) throws -> [Sale] {
        if let difference = try store.check().first { throw BenchmarkError("\(difference)") }
        return switch table {
        case .totaled: try Sale.select(in: store)
        case .indexed: try IndexedSale.select(in: store).map(Sale.init)
        case .priced: try PricedSale.select(in: store).map(Sale.init)
        case .ranked: try RankedSale.select(in: store).map(Sale.init)
        case .plain: try PlainSale.select(in: store).map(Sale.init)
        }
    }
}
