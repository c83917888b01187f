// The shared fixtures of this module's tests: environments in directories of their own, keys, and error codes.

import LMDB
import Testing
import TroveTestSupport

/// An environment in a directory of its own.
final class TestEnvironment: Sendable {
    let directory: TemporaryDirectory
    let environment: Environment

    /// Nothing is flushed by default: these tests provoke no power cuts.
    init(_ options: EnvironmentOptions = EnvironmentOptions(durability: .noSync)) throws {
        directory = try TemporaryDirectory()
        environment = try Environment(path: directory.path("test.mdb"), options: options)
    }

    var path: String { directory.path("test.mdb") }

    /// Returns all entries of a database, in a new read transaction.
    func pairs(of database: Database) throws -> [Pair] {
        try environment.read { try $0.pairs(of: database) }
    }
}

struct Pair: Hashable, Sendable {
    var key: [UInt8]
    var value: [UInt8]
}

extension Transaction where Self: ~Copyable {
    /// Returns the LMDB error of a use of this transaction; nil without an error.
    func failure(_ body: (borrowing Self) throws -> Void) -> LMDBError? {
        do {
            try body(self)
            return nil
        } catch {
            return error as? LMDBError
        }
    }

    func pairs(of database: Database, _ range: ScanRange = ScanRange()) throws -> [Pair] {
        var pairs: [Pair] = []
        try scan(database, range) { key, value in
            pairs.append(Pair(key: copiedBytes(key), value: copiedBytes(value)))
            return .continue
        }
        return pairs
    }
}

/// Returns a number as a key: 8 bytes, in order.
func key(_ number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
}

/// Returns the LMDB error of a closure; nil without an error.
func failure(_ body: () throws -> Void) -> LMDBError? {
    do {
        try body()
        return nil
    } catch {
        return error as? LMDBError
    }
}

/// An error of the tests, to leave a transaction with.
struct Rollback: Error {}
