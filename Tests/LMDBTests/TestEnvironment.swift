// What the tests of this module share: environments in directories of their own, keys, and the codes of errors.

import LMDB
import Testing
import TroveTestSupport

/// An environment in a directory of its own.
final class TestEnvironment: Sendable {
    let directory: TemporaryDirectory
    let environment: Environment

    /// Nothing is flushed unless a test asks for it: a power cut is not among what these tests provoke.
    init(_ options: EnvironmentOptions = EnvironmentOptions(durability: .noSync)) throws {
        directory = try TemporaryDirectory()
        environment = try Environment(path: directory.path("test.mdb"), options: options)
    }

    var path: String { directory.path("test.mdb") }

    /// All rows of a database as a reader sees them now.
    func rows(of database: Database) throws -> [Row] {
        try environment.read { try $0.rows(of: database) }
    }
}

struct Row: Hashable, Sendable {
    var key: [UInt8]
    var value: [UInt8]
}

extension Transaction where Self: ~Copyable {
    /// The LMDB error that a use of this transaction throws; nil when it throws none.
    func failure(_ body: (borrowing Self) throws -> Void) -> LMDBError? {
        do {
            try body(self)
            return nil
        } catch {
            return error as? LMDBError
        }
    }

    func rows(of database: Database, _ range: ScanRange = ScanRange()) throws -> [Row] {
        var rows: [Row] = []
        try scan(database, range) { key, value in
            rows.append(Row(key: copiedBytes(key), value: copiedBytes(value)))
            return .continue
        }
        return rows
    }
}

/// A number as a key: 8 bytes, in order.
func key(_ number: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
}

/// The LMDB error that a closure throws; nil when it throws none.
func failure(_ body: () throws -> Void) -> LMDBError? {
    do {
        try body()
        return nil
    } catch {
        return error as? LMDBError
    }
}

/// An error of the tests' own, to leave a transaction with.
struct Rollback: Error {}
