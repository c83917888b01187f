// A statement of SQL as a request, which can be observed.

import Trove

/// A statement of SQL as a request: its rows are fetched together with those of queries, or observed.
///
/// ```swift
/// let cities = SQLRequest("SELECT city, count(*) FROM User GROUP BY city", as: (String, Int).self)
/// for try await rows in cities.values(in: store) { show(rows) }
/// ```
///
/// An observed statement is run again after a commit that changes what it has read. A scan by key depends on the ranges
/// of keys that it has read, and a scan of an index on all records of the type. Rows that are `Equatable`, and tuples
/// of such values, are not given again if they are equal. A change of an attached file is not noticed.
public struct SQLRequest<Row: Sendable>: StoreRequest {
    /// The statement.
    public let sql: SQL
    /// Files of SQLite that the statement reads, by the names before the dot.
    public let files: [String: SQLAttachment]
    private let rows: @Sendable (SQLRequest, ReadContext) throws -> [Row]

    private init(
        _ sql: SQL, _ files: [String: SQLAttachment],
        _ rows: @escaping @Sendable (SQLRequest, ReadContext) throws -> [Row]
    ) {
        self.sql = sql
        self.files = files
        self.rows = rows
    }

    /// Returns the rows in a snapshot.
    ///
    /// - Throws: ``SQLError`` for an error in the statement, in a record or in a value.
    public func value(in context: ReadContext) throws -> [Row] { try rows(self, context) }
}

extension SQLRequest {
    /// Creates a request for rows of any columns.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    public init(_ sql: SQL, attaching files: [String: SQLAttachment] = [:]) where Row == SQLRow {
        self.init(sql, files) { try $1.sql($0.sql, attaching: $0.files) }
    }

    /// Creates a request for the values of the only column of a statement.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads a single column.
    ///   - type: The type of the values.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    public init(
        _ sql: SQL, as type: Row.Type, attaching files: [String: SQLAttachment] = [:]
    ) where Row: SQLColumn {
        self.init(sql, files) { try $1.sql($0.sql, as: Row.self, attaching: $0.files) }
    }

    /// Creates a request for the values of the only column of a statement.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads a single column.
    ///   - type: The type of the values.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    public init(
        _ sql: SQL, as type: Row.Type, attaching files: [String: SQLAttachment] = [:]
    ) where Row: SQLColumn & Decodable {
        self.init(sql, files) { try $1.sql($0.sql, as: Row.self, attaching: $0.files) }
    }

    /// Creates a request for the rows of a statement as values of a `Decodable` type.
    ///
    /// The coding keys are the names of columns, in any case of ASCII letters.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads.
    ///   - type: The type of the rows.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    public init(
        _ sql: SQL, as type: Row.Type, attaching files: [String: SQLAttachment] = [:]
    ) where Row: Decodable {
        self.init(sql, files) { try $1.sql($0.sql, as: Row.self, attaching: $0.files) }
    }

    /// Creates a request for the rows of a statement as tuples.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads as many columns.
    ///   - type: The type of the tuples, with a type for each column.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    public init<First: SQLColumn & Sendable, Second: SQLColumn & Sendable, each Other: SQLColumn & Sendable>(
        _ sql: SQL, as type: (First, Second, repeat each Other).Type, attaching files: [String: SQLAttachment] = [:]
    ) where Row == (First, Second, repeat each Other) {
        self.init(sql, files) {
            try $1.sql($0.sql, as: (First, Second, repeat each Other).self, attaching: $0.files)
        }
    }
}
