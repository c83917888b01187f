// The error of a statement.

import CSQLite
import Trove

/// An error of a statement of SQL.
///
/// ``description`` shows the part of the statement, and suggests the name of a misspelled table or column.
public struct SQLError: Error, Sendable, CustomStringConvertible {
    /// The extended result code of SQLite, such as 1 for an error in the statement.
    public var code: Int
    /// The error in words.
    public var message: String
    /// The text of the statement; empty if the error has none.
    public var sql: String
    /// The offset of the error in the UTF-8 of the statement, in bytes; nil if it is not known.
    public var offset: Int?
    /// The error of the store that ended the statement; nil if SQLite has found the error itself.
    public var cause: StoreError?
    /// The path of the attached or exported file that has the error; nil for an error of the statement.
    public var file: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The extended result code of SQLite.
    ///   - message: The error in words.
    ///   - sql: The text of the statement.
    ///   - offset: The offset of the error in the UTF-8 of the statement, in bytes.
    ///   - cause: The error of the store that ended the statement.
    ///   - file: The path of the attached or exported file that has the error.
    public init(
        code: Int, message: String, sql: String = "", offset: Int? = nil, cause: StoreError? = nil, file: String? = nil
    ) {
        self.code = code
        self.message = message
        self.sql = sql
        self.offset = offset
        self.cause = cause
        self.file = file
    }

    /// The error in words, and the line of the statement with a mark below the error.
    public var description: String {
        guard let offset, let (line, column) = position(of: offset) else {
            return sql.isEmpty ? message : message + "\n    " + sql.split(separator: "\n").joined(separator: "\n    ")
        }
        return message + "\n    \(line)\n    " + String(repeating: " ", count: column) + "^"
    }

    /// Returns the line of an offset, and the number of characters before it.
    private func position(of offset: Int) -> (line: Substring, column: Int)? {
        guard offset >= 0, offset <= sql.utf8.count else { return nil }
        let index = String.Index(utf16Offset: 0, in: sql)
        let position = sql.utf8.index(index, offsetBy: offset)
        let start = sql[..<position].lastIndex(of: "\n").map { sql.index(after: $0) } ?? sql.startIndex
        let end = sql[position...].firstIndex(of: "\n") ?? sql.endIndex
        return (sql[start..<end], sql[start..<position].count)
    }
}

extension SQLError {
    init(code: Int32, message: String, file: String? = nil) {
        self.init(code: Int(code), message: message, file: file)
    }

    /// The error of a table that is read while no context is open.
    static var outsideOfContext: SQLError {
        SQLError(code: SQLITE_MISUSE, message: "The table is read outside of a context of the store.")
    }
}
