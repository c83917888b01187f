// The async forms: statements on the threads of async reads.

import Trove

extension Store {
    /// The async form of `sql(_:)`.
    public func sql(_ sql: SQL, attaching files: [String: SQLAttachment] = [:]) async throws -> [SQLRow] {
        try await read { context in try context.sql(sql, attaching: files) }
    }

    /// The async form of `sql(_:as:)` for a column.
    public func sql<Value: SQLColumn & Sendable>(
        _ sql: SQL, as type: Value.Type, attaching files: [String: SQLAttachment] = [:]
    ) async throws -> [Value] {
        try await read { context in try context.sql(sql, as: Value.self, attaching: files) }
    }

    /// The async form of `sql(_:as:)` for a column.
    public func sql<Value: SQLColumn & Decodable & Sendable>(
        _ sql: SQL, as type: Value.Type, attaching files: [String: SQLAttachment] = [:]
    ) async throws -> [Value] {
        try await read { context in try context.sql(sql, as: Value.self, attaching: files) }
    }

    /// The async form of `sql(_:as:)` for tuples.
    public func sql<First: SQLColumn & Sendable, Second: SQLColumn & Sendable, each Other: SQLColumn & Sendable>(
        _ sql: SQL, as type: (First, Second, repeat each Other).Type, attaching files: [String: SQLAttachment] = [:]
    ) async throws -> [(First, Second, repeat each Other)] {
        try await read { context in
            try context.sql(sql, as: (First, Second, repeat each Other).self, attaching: files)
        }
    }

    /// The async form of `sql(_:as:)` for a `Decodable` type.
    public func sql<Row: Decodable & Sendable>(
        _ sql: SQL, as type: Row.Type, attaching files: [String: SQLAttachment] = [:]
    ) async throws -> [Row] {
        try await read { context in try context.sql(sql, as: Row.self, attaching: files) }
    }

    /// The async form of `explainSQL(_:)`.
    public func explainSQL(_ sql: SQL, attaching files: [String: SQLAttachment] = [:]) async throws -> String {
        try await read { context in try context.explainSQL(sql, attaching: files) }
    }
}
