// The peers of the SQL workloads.

import Trove
import TroveSQL

/// A database with customers and their purchases.
protocol AskingPeer: AnyObject, Sendable {
    /// Opens the database; creates it if it does not exist.
    init(at place: Place) throws
    /// Inserts customers, and as many purchases.
    func fill(customers count: Int) throws
    /// Runs a question in a single read transaction.
    func answer(_ question: Question) throws -> Checksum
}

extension PeerKind {
    /// The peers of the SQL workloads. SQLite's C functions are the baseline.
    static let asking: [PeerKind] = [.troveSQL, .trove, .sqlite]

    /// - Throws: An error for a peer outside ``asking``.
    func openAsking(at place: Place) throws -> any AskingPeer {
        switch self {
        case .troveSQL: try TroveSQLPeer(at: place)
        case .trove: try TroveTypedPeer(at: place)
        case .sqlite: try SQLitePeer(at: place)
        default: throw BenchmarkError("\(rawValue) answers no SQL")
        }
    }
}

/// A store with customers and their purchases.
class TroveShop: @unchecked Sendable {
    let store: Store

    required init(at place: Place) throws {
        store = try Store(
            path: place.file.path, records: [Customer.self, Purchase.self],
            options: StoreOptions(durability: .noSync))
    }

    func fill(customers count: Int) throws {
        try store.write { context in
            for number in 0..<count {
                try context.insert(Customer(number: number))
                try context.insert(Purchase(number: number, customers: count))
            }
        }
    }
}

/// Trove by statements of SQL.
final class TroveSQLPeer: TroveShop, AskingPeer, @unchecked Sendable {
    func answer(_ question: Question) throws -> Checksum {
        try store.read { context in
            var sum = RowSum()
            for run in 0..<question.runs {
                try question.ask(context, SQL(raw: question.text, arguments: question.arguments(run)), &sum)
                sum.endRun()
            }
            return sum.checksum
        }
    }
}

/// Trove by typed queries.
final class TroveTypedPeer: TroveShop, AskingPeer, @unchecked Sendable {
    func answer(_ question: Question) throws -> Checksum {
        guard let typed = question.typed else { throw BenchmarkError("no typed query for \(question.text)") }
        return try store.read { context in
            var sum = RowSum()
            for run in 0..<question.runs {
                try typed(context, run, &sum)
                sum.endRun()
            }
            return sum.checksum
        }
    }
}
