// The export of types as tables of a new file of SQLite.

import CSQLite
import LMDB
import Trove
import TroveTerminal

/// The result of an export: the new file of SQLite and its tables.
public struct SQLiteExport: Hashable, Sendable {
    /// A table of the file.
    public struct Table: Hashable, Sendable {
        /// The name of the table, as in statements of SQL on the store.
        public var name: String
        /// The number of rows.
        public var rows: Int
        /// The number of indexes, without that of the key.
        public var indexes: Int
    }

    /// The path of the file.
    public var path: String
    /// The tables, by the names of their types.
    public var tables: [Table]
}

extension RecordReadable {
    /// Writes the records of types as tables of a new file of SQLite.
    ///
    /// ```swift
    /// try store.exportSQLite(to: "people.sqlite")
    /// ```
    ///
    /// A table has the columns of SQL on the store, with the key as its primary key, `NOT NULL` where no record can
    /// have NULL, and the indexes and unique constraints that all records have. A `Decimal` and an integer beyond 64
    /// bits are in columns without a type, so that no digits are lost. Indexes with a condition, of elements and of
    /// full text are left out, and so are the links of relations. All tables are of one snapshot. The file appears when
    /// it is complete, or not at all; only its owner can read it.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which does not exist yet.
    ///   - types: The names of the tables; empty for all types.
    /// - Throws: ``SQLError`` for an unknown name, for a record that cannot be read, and for a file that cannot be
    ///   written. `StoreError` if the file exists, or cannot be created.
    /// - Complexity: O(*n* log *n*) in the number of records.
    @discardableResult
    @available(*, noasync, message: "await the call")
    public func exportSQLite(to path: String, types: [String] = []) throws -> SQLiteExport {
        try reading { context in
            try translatingEngineErrors { try SQLiteExport(of: types, in: context, to: path) }
        }
    }
}

extension Store {
    /// The async form of `exportSQLite(to:types:)`.
    @discardableResult
    public func exportSQLite(to path: String, types: [String] = []) async throws -> SQLiteExport {
        try await read { context in try context.exportSQLite(to: path, types: types) }
    }
}

extension SQLiteExport {
    fileprivate init(of types: [String], in context: ReadContext, to path: String) throws {
        let file = try UnfinishedFile(for: path)
        let (temporary, destination) = (file.path, file.destination)
        self.path = destination
        var options = StatementCall.options
        options.guardsOrder = false
        tables = try ConnectionPool.withConnection(of: context, options) { connection in
            let definitions = TableDefinition.all(of: try connection.tables(named: types))
            let output = try SQLiteFile(at: temporary, for: destination)
            try output.run("BEGIN")
            let tables = try definitions.map { definition in
                try output.run(definition.table)
                let count = try output.add(definition.insertion) { add in
                    try connection.statement(definition.selection).run([]) { row in
                        try add(row)
                        return true
                    }
                }
                for index in definition.indexes { try output.run(index) }
                return Table(name: definition.name, rows: count, indexes: definition.indexes.count)
            }
            try output.run("COMMIT")
            return tables
        }
        try file.publish()
    }
}

extension Connection {
    /// Returns the tables of records with some names, or all for no name, in the order of the types' names.
    func tables(named names: [String]) throws -> [SQLTable] {
        let tables = tables.filter(\.kind.isOfRecords)
        guard !names.isEmpty else { return tables }
        let all = TableNames(tables.map(\.stored.name))
        let chosen = try names.map { name in
            let found = tables.indices.first { index in
                all.all(index).contains { $0.asciiLowercased == name.asciiLowercased }
            }
            guard let found else {
                throw SQLError(
                    code: SQLITE_ERROR,
                    message: "no such table: \(name)" + NearestName.question(for: name, among: tables.map(\.name)))
            }
            return found
        }
        return Set(chosen).sorted().map { tables[$0] }
    }
}
