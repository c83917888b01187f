// The result of a statement in a write transaction: its rows, and the number of changes.

/// The result of a statement in a write transaction.
///
/// It is the list of the statement's rows: those of a `SELECT`, or of `INSERT … RETURNING`. A statement that only
/// writes has none.
public struct SQLResult: Sendable {
    /// The rows.
    public let rows: [SQLRow]
    /// The number of records that the statement itself has inserted, updated or deleted. Records that delete rules and
    /// hooks change are not counted.
    public let changes: Int
}

extension SQLResult: RandomAccessCollection {
    /// 0.
    public var startIndex: Int { 0 }

    /// The number of rows.
    public var endIndex: Int { rows.count }

    /// The row at a position, which begins with 0.
    ///
    /// - Precondition: There are more rows.
    public subscript(_ position: Int) -> SQLRow { rows[position] }
}
