// The functions that show the words of a search: highlight and snippet, with the arguments of SQLite's FTS5.

import CSQLite
import Trove

/// The functions of SQL for found texts.
enum TextFunctions {
    private static let highlightCount: Int32 = 4
    private static let snippetCount: Int32 = 6

    /// Adds the functions to a connection.
    @unsafe static func install(on handle: OpaquePointer, _ connection: UnsafeMutableRawPointer) -> Int32 {
        let code = unsafe sqlite3_create_function_v2(
            handle, "highlight", highlightCount, SQLITE_UTF8 | SQLITE_DIRECTONLY, connection,
            { context, _, arguments in
                unsafe TextFunctions.run(context, arguments, count: TextFunctions.highlightCount) { row, arguments in
                    guard let property = row.property(arguments[1]) else {
                        throw TextFunctions.unknownProperty(arguments[1])
                    }
                    return try row.marked(property, arguments[2].plainText, arguments[3].plainText)
                }
            }, nil, nil, nil)
        guard code == SQLITE_OK else { return code }
        return unsafe sqlite3_create_function_v2(
            handle, "snippet", snippetCount, SQLITE_UTF8 | SQLITE_DIRECTONLY, connection,
            { context, _, arguments in
                unsafe TextFunctions.run(context, arguments, count: TextFunctions.snippetCount) { row, arguments in
                    let property = row.property(arguments[1])
                    guard property != nil || arguments[1] == .integer(-1) else {
                        throw TextFunctions.unknownProperty(arguments[1])
                    }
                    guard let words = Int64(sqlValue: arguments[5]) else {
                        throw SQLError(
                            code: SQLITE_MISMATCH, message: "The last argument of snippet is a whole number.")
                    }
                    return try row.snippet(
                        of: property, arguments[2].plainText, arguments[3].plainText,
                        ellipsis: arguments[4].plainText, words: Int(clamping: words))
                }
            }, nil, nil, nil)
    }

    private static func unknownProperty(_ argument: SQLValue) -> SQLError {
        SQLError(code: SQLITE_ERROR, message: "\(argument) is neither the name nor the number of a column.")
    }

    /// Calls a closure with the row in the first argument, and returns its text to SQLite. NULL is without a row.
    @unsafe private static func run(
        _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, count: Int32,
        _ body: (FoundRow, [SQLValue]) throws -> String?
    ) {
        guard let arguments = unsafe arguments, let connection = unsafe sqlite3_user_data(context) else { return }
        guard let row = unsafe trove_found_row(arguments[0]) else {
            guard unsafe sqlite3_value_type(arguments[0]) == SQLITE_NULL else {
                let message = "The first argument is the column of a table that has its name."
                unsafe sqlite3_result_error(context, message, -1)
                return
            }
            unsafe sqlite3_result_null(context)
            return
        }
        let values = (0..<Int(count)).map { unsafe SQLValue(argument: arguments[$0]) }
        do {
            let text = try unsafe Unmanaged<FoundRow>.fromOpaque(row)._withUnsafeGuaranteedRef { row in
                try body(row, values)
            }
            guard var text else { return unsafe sqlite3_result_null(context) }
            text.withUTF8 { unsafe trove_result_text_copy(context, $0.baseAddress, $0.count) }
        } catch {
            unsafe Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { connection in
                connection.failure = connection.failure ?? error
            }
            unsafe sqlite3_result_error_code(context, SQLITE_ERROR)
        }
    }
}

extension SQLValue {
    /// Creates the value of a function's argument.
    @unsafe fileprivate init(argument: OpaquePointer?) {
        switch unsafe sqlite3_value_type(argument) {
        case SQLITE_INTEGER: self = .integer(unsafe sqlite3_value_int64(argument))
        case SQLITE_FLOAT: self = .real(unsafe sqlite3_value_double(argument))
        case SQLITE_TEXT:
            let start = unsafe sqlite3_value_text(argument)
            let count = Int(unsafe sqlite3_value_bytes(argument))
            self = .text(unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_value_blob(argument)
            let count = Int(unsafe sqlite3_value_bytes(argument))
            self = .blob(unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: self = .null
        }
    }

    /// The value as a text without quotes; empty for NULL.
    fileprivate var plainText: String {
        switch self {
        case .null: ""
        case .text(let text): text
        default: description
        }
    }
}
