// The list of what a statement may do.

import CSQLite

/// The rules of what a statement may do: read the tables of the store, write them in a write transaction, call
/// functions, and ask for the schema.
enum Authorizer {
    private static let pragmas: Set<String> = ["table_info", "table_xinfo", "table_list", "function_list"]
    private static let functions: Set<String> = ["load_extension", "fts3_tokenizer"]

    /// Installs the rules on a connection.
    @unsafe static func install(on handle: OpaquePointer, _ connection: UnsafeMutableRawPointer) {
        unsafe sqlite3_set_authorizer(
            handle,
            { connection, action, first, second, _, _ in
                let first = unsafe first.map { unsafe String(cString: $0) } ?? ""
                let second = unsafe second.map { unsafe String(cString: $0) } ?? ""
                guard let connection = unsafe connection else { return SQLITE_OK }
                return unsafe Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { connection in
                    // The declaration of a table of the store has a key, of which SQLite asks as of an index.
                    guard !connection.isDeclaring,
                        let reason = Authorizer.refusal(action, first, second, connection)
                    else { return SQLITE_OK }
                    connection.refusal = reason
                    return SQLITE_DENY
                }
            }, connection)
    }

    /// Returns the reason why an action is refused; nil if it is allowed.
    private static func refusal(
        _ action: Int32, _ first: String, _ second: String, _ connection: Connection
    ) -> String? {
        switch action {
        case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: nil
        // SQLite asks this for each virtual table that it declares. It refuses such an update in a statement.
        case SQLITE_UPDATE where first == "sqlite_master": nil
        case SQLITE_FUNCTION:
            functions.contains(second.asciiLowercased) ? "The function \(second) is not available." : nil
        case SQLITE_PRAGMA:
            pragmas.contains(first.asciiLowercased)
                ? nil
                : "PRAGMA \(first) is not available; \(pragmas.sorted().joined(separator: ", ")) are."
        case SQLITE_INSERT where connection.records(named: first) == nil,
            SQLITE_UPDATE where connection.records(named: first) == nil,
            SQLITE_DELETE where connection.records(named: first) == nil:
            "\(first) cannot be written: it is not a record type."
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            connection.options.mayWrite
                ? nil
                : """
                The statement writes \(first), and this call reads only: call sql(_:) of the context of a write \
                transaction.
                """
        case SQLITE_ATTACH, SQLITE_DETACH: "SQL opens no files: ATTACH and DETACH are not available."
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: "The closure of read or write is the transaction."
        default: "SQL cannot change the schema, which is that of the record types."
        }
    }
}
