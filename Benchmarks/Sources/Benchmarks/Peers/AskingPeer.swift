// The peers of the SQL workloads.

import Trove
import TroveSQL

/// A shop: a database with customers, their purchases, and articles.
protocol AskingPeer: AnyObject, Sendable {
    /// Opens the database; creates it if it does not exist.
    init(at place: Place) throws
    /// Inserts customers, as many purchases, and articles.
    func fill(customers count: Int) throws
    /// Runs a question in a single read transaction.
    func answer(_ question: Question) throws -> Checksum
    /// Runs a change in a single transaction, and returns the number of changed records.
    func run(_ change: ShopChange) throws -> Int
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

/// A shop that is a store.
class TroveShop: @unchecked Sendable {
    let store: Store

    required init(at place: Place) throws {
        store = try Store(
            path: place.file.path, records: [Customer.self, Purchase.self, Article.self],
            options: StoreOptions(durability: .noSync))
    }

    func fill(customers count: Int) throws {
        try store.write { context in
            for number in 0..<count {
                try context.insert(Customer(number: number))
                try context.insert(Purchase(number: number, customers: count))
            }
            for entry in Article.texts(customers: count).entries { try context.insert(Article(entry)) }
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

    func run(_ change: ShopChange) throws -> Int {
        try store.write { context in
            try change.statements.reduce(0) { try $0 + context.sql(SQL(raw: $1)).changes }
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
    func run(_ change: ShopChange) throws -> Int {
        guard let typed = change.typed else { throw BenchmarkError("no typed calls for \(change.statements)") }
        return try store.write { context in try typed(context) }
    }
}
