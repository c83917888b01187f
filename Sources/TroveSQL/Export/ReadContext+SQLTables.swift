// The tables of a store in words, for the command.

import Trove

/// A table of the store in words.
package struct SQLTableDescription: Sendable {
    /// The shortest name.
    package let name: String
    /// The name of the type with its module.
    package let type: String
    /// The names of the columns.
    package let columns: [String]
    /// The statements that create the table and its indexes in a file of SQLite, with the types of properties as
    /// comments.
    package let definition: String
}

extension ReadContext {
    /// Returns the tables with some names, or all for no name, in the order of the types' names.
    ///
    /// - Throws: ``SQLError`` for an unknown name.
    package final func sqlTables(named names: [String] = []) throws -> [SQLTableDescription] {
        try ConnectionPool.withConnection(of: self, StatementCall.options) { connection in
            let tables = try connection.tables(named: names)
            return zip(tables, TableDefinition.all(of: tables)).map { table, definition in
                SQLTableDescription(
                    name: table.name, type: table.stored.name, columns: table.columns.map(\.name),
                    definition: definition.text)
            }
        }
    }
}
