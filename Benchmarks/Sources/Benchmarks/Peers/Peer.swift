// What every peer must be able to do: the workloads are written once, against this.

import Foundation

/// Where a peer's database is, and how safe its commits must be.
struct Place {
    let directory: URL
    /// Whether every commit must survive a power cut; otherwise no peer flushes anything.
    let isDurable: Bool

    var file: URL { directory.appending(path: "database") }
}

/// A database under measurement.
///
/// What a method calls one transaction is one for every peer. Peers are used by several threads only where a method
/// says so.
protocol Peer: AnyObject, Sendable {
    /// Opens the database, or makes one.
    init(at place: Place) throws

    // MARK: Writing

    /// Inserts people in one transaction.
    func insert(_ people: [Person]) throws
    /// Inserts people, each in a transaction of its own.
    func insertEach(_ people: [Person]) throws
    /// Inserts the people of each array in a task, each in a transaction of its own that is awaited.
    func insertConcurrently(_ tasks: [[Person]]) async throws
    /// Deletes people in one transaction.
    func delete(_ ids: [Int64]) throws
    /// Inserts flights in one transaction.
    func insert(_ flights: [Flight]) throws

    // MARK: Reading

    /// Gets people by their ids in one transaction.
    func get(_ ids: [Int64]) throws -> Checksum
    /// Gets people by their ids, each in a transaction of its own. Several threads call this at once.
    func getEach(_ ids: [Int64]) throws -> Checksum
    /// Selects the people of each range of ids into an array, in one transaction.
    func select(_ ranges: [Range<Int64>]) throws -> Checksum
    /// Reads the ages alone of the people of each range, in one transaction.
    func ages(_ ranges: [Range<Int64>]) throws -> Checksum
    /// Reads everyone into an array.
    func all() throws -> [Person]
    /// Counts the people of a range of ids.
    func count(_ range: Range<Int64>) throws -> Int
    /// Counts the flights.
    func flightCount() throws -> Int

    /// Brings all that is committed into the database's main file, where a peer keeps it elsewhere for a time.
    func settle() throws
}

extension Peer {
    func settle() throws {}
}

/// The peers that are compared.
enum PeerKind: String, CaseIterable {
    case trove
    case liblmdb
    case liblmdbPlain = "liblmdb-plain"
    case grdbFast = "grdb-fast"
    case grdbCodable = "grdb-codable"

    /// The one that all others are compared with.
    static let baseline = PeerKind.liblmdb

    func open(at place: Place) throws -> any Peer {
        switch self {
        case .trove: try TrovePeer(at: place)
        case .liblmdb: try LiblmdbPeer(at: place, hasChecksums: true)
        case .liblmdbPlain: try LiblmdbPeer(at: place, hasChecksums: false)
        case .grdbFast: try GRDBFastPeer(at: place)
        case .grdbCodable: try GRDBCodablePeer(at: place)
        }
    }
}

/// What went wrong in a benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
