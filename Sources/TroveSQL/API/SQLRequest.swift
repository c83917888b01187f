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
/// of such values, are not given again if they are equal.
public struct SQLRequest<Row: Sendable>: StoreRequest {
    /// The statement.
    public let sql: SQL
    private let rows: @Sendable (SQL, ReadContext) throws -> [Row]

    private init(_ sql: SQL, _ rows: @escaping @Sendable (SQL, ReadContext) throws -> [Row]) {
        self.sql = sql
        self.rows = rows
    }

    /// Returns the rows in a snapshot.
    ///
    /// - Throws: ``SQLError`` for an error in the statement, in a record or in a value.
    public func value(in context: ReadContext) throws -> [Row] { try rows(sql, context) }
}

extension SQLRequest {
    /// Creates a request for rows of any columns.
    ///
    /// - Parameter sql: A statement that reads.
    public init(_ sql: SQL) where Row == SQLRow {
        self.init(sql) { try $1.sql($0) }
    }

    /// Creates a request for the values of the only column of a statement.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads a single column.
    ///   - type: The type of the values.
    public init(_ sql: SQL, as type: Row.Type) where Row: SQLColumn {
        self.init(sql) { try $1.sql($0, as: Row.self) }
    }

    /// Creates a request for the values of the only column of a statement.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads a single column.
    ///   - type: The type of the values.
    public init(_ sql: SQL, as type: Row.Type) where Row: SQLColumn & Decodable {
        self.init(sql) { try $1.sql($0, as: Row.self) }
    }

    /// Creates a request for the rows of a statement as values of a `Decodable` type.
    ///
    /// The coding keys are the names of columns, in any case of ASCII letters.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads.
    ///   - type: The type of the rows.
    public init(_ sql: SQL, as type: Row.Type) where Row: Decodable {
        self.init(sql) { try $1.sql($0, as: Row.self) }
    }

    /// Creates a request for the rows of a statement as tuples.
    ///
    /// - Parameters:
    ///   - sql: A statement that reads as many columns.
    ///   - type: The type of the tuples, with a type for each column.
    public init<First: SQLColumn & Sendable, Second: SQLColumn & Sendable, each Other: SQLColumn & Sendable>(
        _ sql: SQL, as type: (First, Second, repeat each Other).Type
    ) where Row == (First, Second, repeat each Other) {
        self.init(sql) { try $1.sql($0, as: (First, Second, repeat each Other).self) }
    }
}
