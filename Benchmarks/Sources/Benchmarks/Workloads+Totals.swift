// The workloads for totals and ranks: their cost in changes, beside an index, and their savings in queries.

extension Workload {
    static func totaling(_ inputs: Inputs) -> [Workload] {
        changingTotaled(inputs) + readingTotals(10 * inputs.people.count) + changingRanked(inputs)
            + readingRanks(10 * inputs.people.count)
    }

    private static func totaling(
        _ id: String, _ title: String, records: Int, target: Double?, _ work: Work
    ) -> Workload {
        Workload(
            id: id, title: title, records: records, target: target, work: work, peers: PeerKind.totaling,
            baseline: .grdbFast)
    }

    // MARK: Changes

    /// Returns changes of sales with totals. Their reference is the same change of sales with an index.
    private static func changingTotaled(_ inputs: Inputs) -> [Workload] {
        let sales = inputs.people.indices.map(Sale.init(number:))
        let singles = Array(sales.prefix(max(1, sales.count / 10)))
        return [
            totaling(
                "G1", "insert with totals of \(Sale.groups) groups, one transaction, beside an index",
                records: sales.count, target: 1, .writingSales(WritingSales(inserted: sales))),
            totaling(
                "G1e", "the same, a transaction each, without a flush", records: singles.count, target: 1.5,
                .writingSales(WritingSales(inserted: singles, isEach: true))),
            totaling(
                "G1c", "replace by one with other numbers, one transaction, beside an index", records: sales.count,
                target: nil, .writingSales(WritingSales(stored: sales, inserted: sales.map(\.corrected)))),
            totaling(
                "G1m", "replace by one of another group, one transaction, beside an index", records: sales.count,
                target: 1, .writingSales(WritingSales(stored: sales, inserted: sales.map(\.moved)))),
        ]
    }

    // MARK: Queries

    /// Returns queries for sums and counts: a figure per record is a figure per query.
    private static func readingTotals(_ count: Int) -> [Workload] {
        let cities = (0..<1_000).map { Sale.cities[$0 * 41 % Sale.cities.count] }
        let year = Sale.years.lowerBound + 3
        func reading(_ run: @escaping @Sendable (any TotalingPeer) throws -> Checksum) -> Work {
            .readingSales(count, Reading(run: run))
        }
        return [
            totaling(
                "G2", "sum of a city in \(Sale.years.count) years, of \(count) sales, per query",
                records: cities.count, target: 1, reading { try $0.cents(ofEach: cities) }),
            totaling(
                "G2f", "the same of floating-point numbers, exactly", records: cities.count, target: 1.5,
                reading { try $0.weights(ofEach: cities) }),
            totaling(
                "G2n", "count of a city in a year, per query", records: cities.count, target: 1,
                reading { try $0.counts(ofEach: cities, in: year) }),
            totaling(
                "G2g", "sums of all \(Sale.groups) groups", records: Sale.groups, target: 1,
                reading { try $0.centsByGroup(in: .totaled) }),
            totaling(
                "G2s", "the same beside a scan of \(count) sales without totals", records: Sale.groups, target: 0.01,
                .readingSales(
                    count,
                    Reading(
                        run: { try $0.centsByGroup(in: .totaled) }, reference: { try $0.centsByGroup(in: .plain) }))),
        ]
    }

    // MARK: Ranks

    /// Returns changes of sales with a ranked index. Their reference is the same change of sales with another index.
    private static func changingRanked(_ inputs: Inputs) -> [Workload] {
        let sales = inputs.people.indices.map(Sale.init(number:))
        let singles = Array(sales.prefix(max(1, sales.count / 10)))
        func writing(_ inserted: [Sale], stored: [Sale] = [], isEach: Bool = false) -> Work {
            .writingSales(
                WritingSales(stored: stored, inserted: inserted, isEach: isEach, table: .ranked, reference: .priced))
        }
        return [
            totaling(
                "G3", "insert with a ranked index, one transaction, beside an index", records: sales.count, target: 2,
                writing(sales)),
            totaling(
                "G3e", "the same, a transaction each, without a flush", records: singles.count, target: 3,
                writing(singles, isEach: true)),
            totaling(
                "G3c", "replace by one with another value, one transaction, beside an index", records: sales.count,
                target: 2, writing(sales.map(\.corrected), stored: sales)),
        ]
    }

    /// Returns queries for places in the order of a ranked index: a figure per record is a figure per query.
    private static func readingRanks(_ count: Int) -> [Workload] {
        let sales = (0..<50).map { Sale(number: $0 * 7_919 % count) }
        let places = sales.indices.map { $0 * (count / sales.count) }
        func reading(_ run: @escaping @Sendable (any TotalingPeer) throws -> Checksum) -> Work {
            .readingSales(count, Reading(run: run))
        }
        return [
            totaling(
                "G4", "count of a range, of \(count) sales, per query", records: sales.count, target: 0.1,
                reading { try $0.counts(aboveEach: sales.map(\.cents)) }),
            totaling(
                "G4p", "a page of 20 at any place, per query", records: sales.count, target: 0.1,
                reading { try $0.pages(atEach: places) }),
            totaling(
                "G4r", "the rank of a sale, per query", records: sales.count, target: 0.1,
                reading { try $0.ranks(ofEach: sales) }),
        ]
    }
}
