// The operations of a peer. The workloads are written once, in terms of them.

import Foundation

/// The directory of a peer's database, and what is required of its commits.
struct Place {
    let directory: URL
    /// Whether every commit must survive a power cut; otherwise no peer flushes anything.
    let isDurable: Bool
    /// Whether the database keeps the keys of all changed people, with the kind and the time of the change.
    var keepsHistory = false

    var file: URL { directory.appending(path: "database") }
}

/// A measured database.
///
/// A transaction in the description of a method is a single transaction for every peer. Several threads use a peer at
/// once only where a method says so.
protocol Peer: AnyObject, Sendable {
    /// Opens the database; creates it if it does not exist.
    init(at place: Place) throws

    // MARK: Writing

    /// Inserts people in a single transaction.
    func insert(_ people: [Person]) throws
    /// Inserts people, each in a transaction of its own.
    func insertEach(_ people: [Person]) throws
    /// Inserts the people of each array in a task, each in an awaited transaction of its own.
    func insertConcurrently(_ tasks: [[Person]]) async throws
    /// Deletes people in a single transaction.
    func delete(_ ids: [Int64]) throws
    /// Inserts flights in a single transaction.
    func insert(_ flights: [Flight]) throws

    // MARK: Reading

    /// Gets people by their ids in a single transaction.
    func get(_ ids: [Int64]) throws -> Checksum
    /// Gets people by their ids, each in a transaction of its own. Several threads call this at once.
    func getEach(_ ids: [Int64]) throws -> Checksum
    /// Selects the people of each range of ids into an array, in a single transaction.
    func select(_ ranges: [Range<Int64>]) throws -> Checksum
    /// Reads only the ages of the people of each range, in a single transaction.
    func ages(_ ranges: [Range<Int64>]) throws -> Checksum
    /// Reads all people into an array.
    func all() throws -> [Person]
    /// Counts the people of a range of ids.
    func count(_ range: Range<Int64>) throws -> Int
    /// Counts the flights.
    func flightCount() throws -> Int
    /// Counts the changes of people that the database has kept.
    func historyCount() throws -> Int

    /// Writes all committed data to the database's main file, if the peer keeps it elsewhere for a time.
    func settle() throws
}

extension Peer {
    func settle() throws {}
}

/// The compared peers.
enum PeerKind: String, CaseIterable {
    case trove
    case liblmdb
    case liblmdbPlain = "liblmdb-plain"
    case grdbFast = "grdb-fast"
    case grdbCodable = "grdb-codable"
    /// A graph in memory, for small workloads.
    case dictionaries
    /// Trove by statements of SQL.
    case troveSQL = "trove-sql"
    /// SQLite by its C functions.
    case sqlite

    /// The reference peer of all comparisons.
    static let baseline = PeerKind.liblmdb
    /// The peers of the workloads that name none.
    static let withPeople: [PeerKind] = [.trove, .liblmdb, .liblmdbPlain, .grdbFast, .grdbCodable]
    /// The peers of the workloads for histories.
    static let withHistory: [PeerKind] = [.trove, .liblmdb, .grdbFast]

    /// - Throws: An error for a peer outside ``withPeople``.
    func open(at place: Place) throws -> any Peer {
        switch self {
        case .trove: try TrovePeer(at: place)
        case .liblmdb: try LiblmdbPeer(at: place, hasChecksums: true)
        case .liblmdbPlain: try LiblmdbPeer(at: place, hasChecksums: false)
        case .grdbFast: try GRDBFastPeer(at: place)
        case .grdbCodable: try GRDBCodablePeer(at: place)
        case .dictionaries, .troveSQL, .sqlite: throw BenchmarkError("\(rawValue) has no people")
        }
    }
}

/// An error of a benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
