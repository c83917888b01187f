// The operations of a peer for the workloads for totals and ranks.

/// A database with a table of sales for each ``SaleTable``.
///
/// As with ``Peer``, a transaction in the description of a method is a single transaction for every peer.
protocol TotalingPeer: AnyObject, Sendable {
    /// Opens the database; creates it if it does not exist.
    init(at place: Place) throws

    // MARK: Writing

    /// Prepares the inserting of sales. Existing sales are replaced.
    ///
    /// - Parameter isEach: Whether each sale has a transaction of its own; otherwise all have a single one.
    /// - Returns: The closure that is measured.
    func inserting(_ sales: [Sale], into table: SaleTable, isEach: Bool) -> () throws -> Void

    // MARK: Reading

    /// Returns the sums of the cents of each city, by a query for each, in a single transaction.
    func cents(ofEach cities: [String]) throws -> Checksum
    /// Returns the sums of the weights of each city, by a query for each, in a single transaction.
    func weights(ofEach cities: [String]) throws -> Checksum
    /// Returns the number of sales of each city in a year, by a query for each, in a single transaction.
    func counts(ofEach cities: [String], in year: Int) throws -> Checksum
    /// Returns the sums of the cents of all groups, in the order of the cities and years.
    ///
    /// - Parameter table: The table with totals, or the table without an index.
    func centsByGroup(in table: SaleTable) throws -> Checksum

    /// Returns the number of sales of more than each number of cents, by a query for each, in a single transaction.
    func counts(aboveEach cents: [Int]) throws -> Checksum
    /// Returns the ids of the 20 sales at each place, the greatest cents first, by a query for each, in a single
    /// transaction.
    func pages(atEach places: [Int]) throws -> Checksum
    /// Returns the number of sales before each sale, the greatest cents first, by a query for each, in a single
    /// transaction.
    func ranks(ofEach sales: [Sale]) throws -> Checksum

    /// Writes all committed data to the database's main file, if the peer keeps it elsewhere for a time.
    func settle() throws

    /// Checks that the totals are those of the sales. Returns the sales of a table in the order of their ids.
    func verified(_ table: SaleTable) throws -> [Sale]
}

extension TotalingPeer {
    func settle() throws {}
}

/// A table of sales.
enum SaleTable: String, CaseIterable {
    /// With the number of sales and the sums of cents and weights for each city and year.
    case totaled = "sale"
    /// With an index of cities and years.
    case indexed = "indexedSale"
    /// With an index of cents.
    case priced = "pricedSale"
    /// With a ranked index of cents, if the peer has such; else with an index.
    case ranked = "rankedSale"
    /// With none of these.
    case plain = "plainSale"
}

extension PeerKind {
    /// The peers of the workloads for totals.
    static let totaling: [PeerKind] = [.trove, .grdbFast]

    /// - Throws: An error for a peer outside ``totaling``.
    func openTotaling(at place: Place) throws -> any TotalingPeer {
        switch self {
        case .trove: try TroveTotalingPeer(at: place)
        case .grdbFast: try GRDBTotalingPeer(at: place)
        default: throw BenchmarkError("\(rawValue) has no totals")
        }
    }
}
