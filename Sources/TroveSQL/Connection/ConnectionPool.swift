// The connections of a store's file.

import LMDB
import Trove

/// The connections of a store's file at rest: as many as threads use at once.
final class ConnectionPool: Sendable {
    private let idle = Monitor<[Connection]>([])
    private static let limit = 16

    /// Runs a closure with a connection that has the tables of a context.
    static func withConnection<R>(
        of context: ReadContext, _ options: ConnectionOptions, attaching files: [String: SQLAttachment] = [:],
        _ body: (Connection) throws -> R
    ) throws -> R {
        // A wrong use of the context must not even touch its members.
        try context.prepareToRead()
        guard files.isEmpty else {
            // The files are closed at the end of the call.
            let connection = try Connection(context, attaching: files)
            return try connection.reading(context, options) { try body(connection) }
        }
        let pool = context.kept { ConnectionPool() }
        let connection = try pool.take(context)
        defer { pool.giveBack(connection) }
        return try connection.reading(context, options) { try body(connection) }
    }

    private func take(_ context: ReadContext) throws -> Connection {
        let (catalog, count) = (context.catalogIdentity, context.declaredTypeCount)
        let known = idle.withLock { idle -> Connection? in
            guard let catalog else { return nil }
            // Connections of an older catalog, or without a type declared since, are of no use to later transactions.
            func isOld(_ connection: Connection) -> Bool {
                connection.catalog !== catalog || connection.declaredTypeCount != count
            }
            if let last = idle.last, isOld(last) { idle.removeAll(where: isOld) }
            return idle.popLast()
        }
        return try known ?? Connection(context)
    }

    private func giveBack(_ connection: Connection) {
        guard connection.catalog != nil else { return }
        idle.withLock { idle in if idle.count < Self.limit { idle.append(connection) } }
    }
}
