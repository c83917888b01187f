// A database of SQLite itself.

import CSQLite
import TroveSQL

/// A database of SQLite without tables of a store: a file, or in memory.
@safe final class NativeDatabase {
    struct Failure: Error {
        var message: String
    }

    private let handle: OpaquePointer

    init(path: String = ":memory:") throws {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else { throw Failure(message: "open: \(code)") }
        unsafe handle = opened
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Creates a table with some records.
    func create<Record: NativeRecord>(_ name: String, _ records: [Record]) throws {
        let columns = Record.columns.map { "\"\($0.name)\" \($0.type)" }.joined(separator: ", ")
        _ = try rows("CREATE TABLE \(name)(\(columns))")
        _ = try rows("BEGIN")
        let marks = Record.columns.map { _ in "?" }.joined(separator: ",")
        for record in records { _ = try rows("INSERT INTO \(name) VALUES (\(marks))", record.values) }
        _ = try rows("COMMIT")
    }

    /// Returns the rows of a statement.
    func rows(_ sql: String, _ arguments: [SQLValue] = []) throws -> [[SQLValue]] {
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(message: unsafe String(cString: sqlite3_errmsg(handle)) + ": " + sql)
        }
        defer { unsafe sqlite3_finalize(statement) }
        for (index, argument) in arguments.enumerated() {
            let place = Int32(index + 1)
            switch argument {
            case .null: unsafe sqlite3_bind_null(statement, place)
            case .integer(let number): unsafe sqlite3_bind_int64(statement, place, number)
            case .real(let number): unsafe sqlite3_bind_double(statement, place, number)
            case .text(var text):
                _ = text.withUTF8 { unsafe trove_bind_text(statement, place, $0.baseAddress, $0.count) }
            case .blob(let bytes):
                _ = unsafe bytes.withUnsafeBytes { unsafe trove_bind_blob(statement, place, $0.baseAddress, $0.count) }
            }
        }
        var rows: [[SQLValue]] = []
        while true {
            let code = unsafe sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else {
                throw Failure(message: unsafe String(cString: sqlite3_errmsg(handle)) + ": " + sql)
            }
            let count = unsafe sqlite3_column_count(statement)
            rows.append((0..<count).map { unsafe Self.value(statement, $0) })
        }
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLValue {
        switch unsafe sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let start = unsafe sqlite3_column_text(statement, column)
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            return .text(unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_column_blob(statement, column)
            let count = Int(unsafe sqlite3_column_bytes(statement, column))
            return .blob(unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }
}
