// Whole records by the end of a statement.

import Trove

extension IndexKeyRecord {
    /// Returns the records of the end of a statement, after `SELECT … FROM` and the type.
    ///
    /// ```swift
    /// let users = try User.fetch(sql: "WHERE age > \(18) ORDER BY name LIMIT 10", in: store)
    /// ```
    ///
    /// The type has its own name without its module. A record is returned once for each row, so a join can return it
    /// several times. The records are read by the type's own code, in the same snapshot.
    ///
    /// - Parameters:
    ///   - sql: The end of the statement: `JOIN`, `WHERE`, `ORDER BY` or `LIMIT`; empty for all records.
    ///   - source: A store or a context.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: `SQLError` for an error in the statement; `StoreError` for a record that cannot be read.
    @available(*, noasync, message: "await the call")
    public static func fetch(
        sql: SQL, in source: some RecordReadable, attaching files: [String: SQLAttachment] = [:]
    ) throws -> [Self] {
        try source.reading { context in try records(sql, context, files, limit: .max) }
    }

    /// Returns the first record of the end of a statement; nil if there is none.
    ///
    /// - Parameters:
    ///   - sql: The end of the statement: `JOIN`, `WHERE` or `ORDER BY`.
    ///   - source: A store or a context.
    ///   - files: Files of SQLite that the statement reads, by the names before the dot, such as `old.users`.
    /// - Throws: The errors of `fetch(sql:in:attaching:)`.
    @available(*, noasync, message: "await the call")
    public static func first(
        sql: SQL, in source: some RecordReadable, attaching files: [String: SQLAttachment] = [:]
    ) throws -> Self? {
        try source.reading { context in try records(sql, context, files, limit: 1).first }
    }

    /// The async form of `fetch(sql:in:attaching:)`.
    public static func fetch(
        sql: SQL, in store: Store, attaching files: [String: SQLAttachment] = [:]
    ) async throws -> [Self] where Self: Sendable {
        try await store.read { context in try records(sql, context, files, limit: .max) }
    }

    /// The async form of `first(sql:in:attaching:)`.
    public static func first(
        sql: SQL, in store: Store, attaching files: [String: SQLAttachment] = [:]
    ) async throws -> Self? where Self: Sendable {
        try await store.read { context in try records(sql, context, files, limit: 1).first }
    }

    private static func records(
        _ end: SQL, _ context: ReadContext, _ files: [String: SQLAttachment], limit: Int
    ) throws -> [Self] {
        let name = schema.name.split(separator: ".").last.map(String.init) ?? schema.name
        let properties = schema.key.map(\.name) + schema.fields.map(\.name)
        let key = properties.contains { $0.asciiLowercased == "_key" } ? "__key" : "_key"
        let statement: SQL =
            "SELECT \(raw: name.quotedForSQL).\(raw: key) FROM \(Self.self) AS \(raw: name.quotedForSQL) \(end)"
        let keys = try StatementCall.rows(statement, context, attaching: files, atMost: limit) { row in row.value(0) }
        return try keys.compactMap { value in
            guard case .blob(let key) = value else { return nil }
            return try context.record(Self.self, withKey: key)
        }
    }
}
