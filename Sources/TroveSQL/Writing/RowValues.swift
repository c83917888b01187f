// The values of a row to change, as SQLite hands them over:
//
//     delete    old key
//     insert    NULL     NULL     columns     key
//     update    old key  new key  columns     key
//
// The columns are those of the table's declaration, of which the key is the last.

import CSQLite

/// The values of a row to change, valid during the call.
@safe struct RowValues {
    private let arguments: UnsafeMutablePointer<OpaquePointer?>?
    private let count: Int
    private static let columnStart = 2

    @unsafe init(_ arguments: UnsafeMutablePointer<OpaquePointer?>?, count: Int) {
        unsafe self.arguments = arguments
        self.count = count
    }

    /// Whether the row is deleted.
    var isDelete: Bool { count == 1 }

    /// The number of columns.
    var columnCount: Int { max(0, count - Self.columnStart) }

    /// The key of the stored record; nil for a new row.
    var oldKey: [UInt8]? {
        guard count > 0, case .blob(let key) = value(at: 0, asText: false) else { return nil }
        return key
    }

    /// Returns whether an update leaves a column as it is.
    func isUnchanged(_ column: Int) -> Bool {
        guard let argument = unsafe argument(Self.columnStart + column) else { return false }
        return unsafe sqlite3_value_nochange(argument) != 0
    }

    /// Returns the value of a column; nil for text that is not UTF-8.
    ///
    /// - Parameter asText: Whether a number is returned as the text that SQLite makes of it.
    func value(of column: Int, asText: Bool) -> SQLValue? { value(at: Self.columnStart + column, asText: asText) }

    @unsafe private func argument(_ index: Int) -> OpaquePointer? {
        guard index < count else { return nil }
        return unsafe arguments?[index]
    }

    private func value(at index: Int, asText: Bool) -> SQLValue? {
        guard let argument = unsafe argument(index) else { return .null }
        let type = unsafe sqlite3_value_type(argument)
        switch type {
        case SQLITE_INTEGER where !asText: return .integer(unsafe sqlite3_value_int64(argument))
        case SQLITE_FLOAT where !asText: return .real(unsafe sqlite3_value_double(argument))
        case SQLITE_TEXT, SQLITE_INTEGER, SQLITE_FLOAT:
            let start = unsafe sqlite3_value_text(argument)
            let size = Int(unsafe sqlite3_value_bytes(argument))
            let text = unsafe String(validating: UnsafeBufferPointer(start: start, count: size), as: UTF8.self)
            return text.map { .text($0) }
        case SQLITE_BLOB:
            let start = unsafe sqlite3_value_blob(argument)
            let size = Int(unsafe sqlite3_value_bytes(argument))
            return .blob(unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: size)))
        default: return .null
        }
    }
}
