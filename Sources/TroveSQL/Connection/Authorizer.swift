// The list of what a statement may do.

import CSQLite

/// The rules of what a statement may do: read the tables of the store, write them in a write transaction, call
/// functions, and ask for the schema.
enum Authorizer {
    private static let pragmas: Set<String> = ["table_info", "table_xinfo", "table_list", "function_list"]
    /// What tables of full text in an attached file need, and changes nothing.
    private static let innerPragmas: Set<String> = ["data_version"]
    private static let functions: Set<String> = ["load_extension", "fts3_tokenizer"]

    /// Installs the rules on a connection.
    @unsafe static func install(on handle: OpaquePointer, _ connection: UnsafeMutableRawPointer) {
        unsafe sqlite3_set_authorizer(
            handle,
            { connection, action, first, second, database, _ in
                let first = unsafe first.map { unsafe String(cString: $0) } ?? ""
                let second = unsafe second.map { unsafe String(cString: $0) } ?? ""
                let database = unsafe database.map { unsafe String(cString: $0) } ?? "main"
                guard let connection = unsafe connection else { return SQLITE_OK }
                return unsafe Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { connection in
                    // The declaration of a table of the store has a key, of which SQLite asks as of an index.
                    guard !connection.isDeclaring, !connection.isOpening,
                        let reason = Authorizer.refusal(action, first, second, in: database, connection)
                    else { return SQLITE_OK }
                    connection.refusal = reason
                    return SQLITE_DENY
                }
            }, connection)
    }

    /// Returns the reason why an action is refused; nil if it is allowed.
    private static func refusal(
        _ action: Int32, _ first: String, _ second: String, in database: String, _ connection: Connection
    ) -> String? {
        switch action {
        case SQLITE_SELECT, SQLITE_RECURSIVE: nil
        case SQLITE_READ: connection.refusalOfRead(of: first, in: database)
        // SQLite asks this for each virtual table that it declares. It refuses such an update in a statement.
        case SQLITE_UPDATE where first == "sqlite_master": nil
        case SQLITE_FUNCTION:
            functions.contains(second.asciiLowercased) ? "The function \(second) is not available." : nil
        case SQLITE_PRAGMA:
            pragmas.contains(first.asciiLowercased) || innerPragmas.contains(first.asciiLowercased)
                ? nil
                : "PRAGMA \(first) is not available; \(pragmas.sorted().joined(separator: ", ")) are."
        // An R-Tree prepares its writes when it is opened. SQLite refuses a statement that names such a table.
        case SQLITE_INSERT where connection.isShadowTable(first, in: database): nil
        case SQLITE_UPDATE where connection.isShadowTable(first, in: database): nil
        case SQLITE_DELETE where connection.isShadowTable(first, in: database): nil
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            refusalOfWrite(to: first, in: database, connection)
                ?? (action == SQLITE_INSERT
                    ? connection.refusalOfInsert(into: first)
                    : action == SQLITE_UPDATE ? refusalOfChange(of: second, of: first, connection) : nil)
        case SQLITE_ATTACH, SQLITE_DETACH:
            "A statement opens no files. Give them to the call, attaching: [\"old\": .file(\"old.sqlite\")]; the command trove sql has --attach."
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: "The closure of read or write is the transaction."
        default: "SQL cannot change the schema, which is that of the record types."
        }
    }

    private static func refusalOfWrite(to table: String, in database: String, _ connection: Connection) -> String? {
        guard ["main", "temp"].contains(database.asciiLowercased) else {
            return "The file that is attached as \(database) is only read."
        }
        guard connection.records(named: table) != nil else {
            return "\(table) cannot be written: it is not a record type."
        }
        connection.writtenTables.insert(table.asciiLowercased)
        return connection.options.mayWrite
            ? nil
            : """
            The statement writes \(table), and this call reads only: call sql(_:) of the context of a write transaction.
            """
    }

    /// A key is compared with that of the record as the row is written.
    private static func refusalOfChange(of column: String, of table: String, _ connection: Connection) -> String? {
        guard let written = connection.records(named: table) else { return nil }
        let name = column.asciiLowercased
        guard written.keyName.asciiLowercased != name,
            !written.columns.contains(where: { $0.name.asciiLowercased == name })
        else { return nil }
        return "\(table).\(column) cannot be written: the column is for searches."
    }
}

extension Connection {
    /// Notes a table that a statement reads. Returns the reason why it cannot.
    fileprivate func refusalOfRead(of table: String, in database: String) -> String? {
        // Its name would be that of a table in a file.
        if let reason = refusedTables[table.asciiLowercased] {
            return "The type \(table) cannot be read beside files: \(reason)."
        }
        guard ["main", "temp"].contains(database.asciiLowercased) else { return nil }
        readTables.insert(table.asciiLowercased)
        return refusalOfOwnRows()
    }

    /// Notes a table that a statement inserts into. Returns the reason why it cannot.
    fileprivate func refusalOfInsert(into table: String) -> String? {
        insertedTables.insert(table.asciiLowercased)
        return refusalOfOwnRows()
    }

    /// SQLite reads all rows before it inserts the first, but only if the names of the tables are the same.
    private func refusalOfOwnRows() -> String? {
        for name in insertedTables {
            guard let written = self.table(named: name) else { continue }
            for other in readTables where other != name {
                guard let read = self.table(named: other), read.stored.keyPrefix == written.stored.keyPrefix else {
                    continue
                }
                return """
                    A statement that inserts into \(name) cannot read the same records as \(other): it would read its own \
                    rows. Write the same name, or read by a statement before.
                    """
            }
        }
        return nil
    }
}
