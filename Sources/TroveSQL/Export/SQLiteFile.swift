// A new file of SQLite that is written at once.

import CSQLite
import Trove

/// A new file of SQLite, which no other program knows yet.
@safe final class SQLiteFile {
    private let handle: OpaquePointer
    /// The path for errors.
    private let destination: String

    /// Opens an empty file.
    ///
    /// - Parameters:
    ///   - path: The temporary path.
    ///   - destination: The final path, for errors.
    init(at path: String, for destination: String) throws {
        self.destination = destination
        var opened: OpaquePointer?
        // Without locks: on some systems they would be in the way of the claim of the unfinished file.
        let code = unsafe sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, "unix-none")
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw SQLError(
                code: code, message: "\(destination) cannot be written: SQLite does not open it.", file: destination)
        }
        unsafe handle = opened
        _ = unsafe trove_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        // A file that is not complete is removed: nothing is undone, and it is flushed as a whole.
        try run("PRAGMA journal_mode = OFF")
        try run("PRAGMA synchronous = OFF")
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs a statement without rows.
    func run(_ statement: String) throws {
        try check(unsafe sqlite3_exec(handle, statement, nil, nil, nil))
    }

    /// Calls a closure with a statement that adds the current row of another statement.
    ///
    /// - Returns: The number of rows.
    func add(_ insertion: String, _ rows: (_ add: (borrowing StatementRow) throws -> Void) throws -> Void) throws -> Int
    {
        var prepared: OpaquePointer?
        try check(unsafe sqlite3_prepare_v2(handle, insertion, -1, &prepared, nil))
        guard let statement = unsafe prepared else { return 0 }
        defer { unsafe sqlite3_finalize(statement) }
        var count = 0
        try rows { row in
            try check(unsafe row.bind(to: statement))
            let code = unsafe sqlite3_step(statement)
            guard code == SQLITE_DONE else { throw error(code) }
            unsafe sqlite3_reset(statement)
            count += 1
        }
        return count
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> SQLError {
        let reason = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "SQLite error \(code)"
        return SQLError(code: code, message: "\(destination) cannot be written: \(reason).", file: destination)
    }
}
