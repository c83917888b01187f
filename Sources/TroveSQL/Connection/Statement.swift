// A prepared statement.

import CSQLite
import Trove
import TroveTerminal

/// A prepared statement of a connection.
@safe final class Statement {
    private let handle: OpaquePointer
    private unowned let connection: Connection
    private let text: String
    /// The names of the columns of the rows.
    let columns: ColumnNames
    private let argumentCount: Int
    /// The number of comparisons; nil if no scan can take over an OFFSET.
    private let comparisonCount: Int?
    /// The table whose records are counted, if the statement does nothing else.
    private let countedTable: SQLTable?
    /// Whether the statement writes nothing.
    let isReadOnly: Bool
    /// Whether the statement explains another, which is not run.
    let isExplanation: Bool
    /// The tables that the statement writes.
    let writtenTables: [SQLTable]

    /// Prepares a single statement.
    init(_ text: String, of connection: Connection) throws {
        self.connection = connection
        self.text = text
        connection.refusal = nil
        connection.failure = nil
        comparisonCount = OffsetRule.comparisonCount(in: text)
        connection.comparisonCount = comparisonCount
        connection.readTables = []
        connection.insertedTables = []
        connection.writtenTables = []
        // SQLite would leave out the rest of the text.
        if let zero = text.utf8.firstIndex(of: 0) {
            throw SQLError(
                code: Int(SQLITE_MISUSE), message: "The text has a zero character.", sql: text,
                offset: text.utf8.distance(from: text.startIndex, to: zero))
        }
        let count = CountStatement(text)
        countedTable = count.flatMap { count in
            connection.refusedTables[count.table.asciiLowercased] == nil ? connection.records(named: count.table) : nil
        }
        var prepared: OpaquePointer?
        var rest = ""
        var text = countedTable == nil ? text : count?.replacement ?? text
        let code = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                var tail: UnsafePointer<CChar>?
                let code = unsafe sqlite3_prepare_v3(
                    connection.handle, bytes.baseAddress, Int32(clamping: bytes.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, &tail)
                if let start = bytes.baseAddress, let tail = unsafe tail {
                    let used = unsafe tail - start
                    rest = unsafe String(decoding: bytes[used...].map { UInt8(bitPattern: $0) }, as: UTF8.self)
                }
                return code
            }
        }
        guard code == SQLITE_OK else { throw connection.error(code, text) }
        guard let prepared = unsafe prepared else {
            throw SQLError(code: SQLITE_MISUSE, message: "There is no statement.").of(text)
        }
        unsafe handle = prepared
        columns = ColumnNames(
            (0..<(unsafe sqlite3_column_count(prepared))).map { index in
                unsafe sqlite3_column_name(prepared, index).map { unsafe String(cString: $0) } ?? ""
            })
        argumentCount = countedTable == nil ? Int(unsafe sqlite3_bind_parameter_count(prepared)) : 0
        isReadOnly = unsafe sqlite3_stmt_readonly(prepared) != 0
        isExplanation = unsafe sqlite3_stmt_isexplain(prepared) != 0
        writtenTables = connection.writtenTables.sorted().compactMap { connection.records(named: $0) }
        guard isReadOnly || connection.options.mayWrite else {
            throw SQLError(code: SQLITE_AUTH, message: "The statement does more than reading.").of(text)
        }
        // A virtual table in an attached file prepares writes when it is opened, and the authorizer allows them.
        guard isReadOnly || !writtenTables.isEmpty else {
            throw SQLError(code: SQLITE_AUTH, message: "A file that is attached is only read.").of(text)
        }
        try checkIsOnly(rest)
    }

    deinit { unsafe sqlite3_finalize(handle) }

    /// Throws if another statement follows.
    private func checkIsOnly(_ rest: String) throws {
        guard rest.contains(where: { !$0.isWhitespace && $0 != ";" }) else { return }
        var next: OpaquePointer?
        let code = unsafe sqlite3_prepare_v2(connection.handle, rest, -1, &next, nil)
        let isStatement = unsafe code != SQLITE_OK || next != nil
        unsafe sqlite3_finalize(next)
        // A comment may follow.
        guard isStatement else { return }
        throw SQLError(
            code: Int(SQLITE_MISUSE), message: "Only one statement can be run at once.", sql: text,
            offset: text.utf8.count - rest.utf8.count)
    }

    // MARK: Running

    /// Runs the statement.
    ///
    /// - Parameter body: Receives each row, and returns whether to continue.
    func run(_ arguments: [SQLValue], _ body: (borrowing StatementRow) throws -> Bool) throws {
        guard arguments.count == argumentCount else {
            throw SQLError(
                code: SQLITE_RANGE,
                message: "The statement has \(argumentCount) arguments, and \(arguments.count) are given."
            ).of(text)
        }
        connection.failure = nil
        connection.changes = 0
        // SQLite can prepare the statement again.
        connection.comparisonCount = comparisonCount
        defer {
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
        }
        for (index, argument) in arguments.enumerated() { try bind(argument, Int32(index + 1)) }
        if let countedTable { try bind(.integer(Int64(connection.exactCount(of: countedTable))), 1) }
        while true {
            let code = unsafe sqlite3_step(handle)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else {
                if let failure = connection.takeFailure() { throw connection.error(failure, code, text) }
                throw connection.error(code, text)
            }
            if let failure = connection.takeFailure() { throw connection.error(failure, TROVE_CORRUPT_VTAB, text) }
            let row = unsafe StatementRow(handle, columns, text)
            guard try body(row) else { return }
        }
    }

    private func bind(_ value: SQLValue, _ index: Int32) throws {
        let code: Int32 =
            switch value {
            case .null: unsafe sqlite3_bind_null(handle, index)
            case .integer(let number): unsafe sqlite3_bind_int64(handle, index, number)
            case .real(let number): unsafe sqlite3_bind_double(handle, index, number)
            case .text(var text):
                text.withUTF8 { unsafe trove_bind_text(handle, index, $0.baseAddress, $0.count) }
            case .blob(let bytes):
                unsafe bytes.withUnsafeBytes { unsafe trove_bind_blob(handle, index, $0.baseAddress, $0.count) }
            }
        guard code == SQLITE_OK else { throw connection.error(code, text) }
    }
}

/// The current row of a statement, valid inside the closure that receives it.
@safe struct StatementRow: ~Copyable {
    private let handle: OpaquePointer
    let columns: ColumnNames
    private let text: String

    @unsafe fileprivate init(_ handle: OpaquePointer, _ columns: ColumnNames, _ text: String) {
        unsafe self.handle = handle
        self.columns = columns
        self.text = text
    }

    /// Returns the value of a column.
    func value(_ column: Int) -> SQLValue {
        let index = Int32(column)
        switch unsafe sqlite3_column_type(handle, index) {
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, index))
        case SQLITE_FLOAT: return .real(unsafe sqlite3_column_double(handle, index))
        case SQLITE_TEXT:
            // As text, SQLite would copy it to put a zero at its end.
            let start = unsafe sqlite3_column_blob(handle, index)
            let count = Int(unsafe sqlite3_column_bytes(handle, index))
            return .text(unsafe String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_column_blob(handle, index)
            let count = Int(unsafe sqlite3_column_bytes(handle, index))
            return .blob(unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default: return .null
        }
    }

    /// Binds the values to another statement, which copies them. Returns a code of SQLite.
    @unsafe func bind(to statement: OpaquePointer) -> Int32 {
        for column in columns.names.indices {
            let code = unsafe sqlite3_bind_value(
                statement, Int32(column + 1), sqlite3_column_value(handle, Int32(column)))
            if code != SQLITE_OK { return code }
        }
        return SQLITE_OK
    }

    /// Returns the values of all columns.
    var values: [SQLValue] { columns.names.indices.map { value($0) } }

    /// Returns the value of a column as a Swift value.
    func value<Value: SQLColumn>(_ column: Int, as type: Value.Type) throws -> Value {
        let value = value(column)
        do { return try Value(_requiring: value) } catch { throw mismatch(value, column, type) }
    }

    private func mismatch(_ value: SQLValue, _ column: Int, _ type: any SQLColumn.Type) -> SQLError {
        SQLError(
            code: SQLITE_MISMATCH,
            message: "The column \(columns.names[column]) has \(value.excerpt), which is not a value of \(type)."
        ).of(text)
    }

    /// Throws unless the row has a number of columns.
    func checkCount(_ count: Int) throws {
        guard columns.names.count != count else { return }
        throw SQLError(
            code: SQLITE_MISMATCH,
            message: "The rows have \(columns.names.count) columns, and the type has \(count)."
        ).of(text)
    }
}

extension SQLValue {
    /// The value as a literal, cut where it is long.
    var excerpt: String {
        let text = description
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}

extension SQLError {
    /// Returns the error of a statement.
    func of(_ sql: String) -> SQLError {
        var error = self
        error.sql = sql
        return error
    }
}

extension Connection {
    /// Returns the error that a callback has left.
    func error(_ failure: any Error, _ code: Int32, _ text: String) -> any Error {
        switch failure {
        case let cause as StoreError:
            if case .transaction = cause { return cause }
            return SQLError(code: Int(code), message: "\(cause)", sql: text, cause: cause)
        case let error as SQLError: return error.of(text)
        default: return failure
        }
    }

    /// Returns the last error of SQLite, with suggestions.
    func error(_ code: Int32, _ text: String) -> any Error {
        if let failure = takeFailure() { return error(failure, code, text) }
        if code & 0xFF == SQLITE_INTERRUPT, interruption?.isRaised == true { return CancellationError() }
        var message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "SQLite error \(code)"
        if code & 0xFF == SQLITE_AUTH, let refusal { message = refusal }
        if let cause = missingIndex(message, text) { return error(cause, code, text) }
        let offset = Int(unsafe sqlite3_error_offset(handle))
        let extended = unsafe sqlite3_extended_errcode(handle)
        return naming(
            SQLError(
                code: Int(extended), message: message + suggestion(for: message), sql: text,
                offset: offset < 0 ? nil : offset))
    }

    /// Returns the error for a `MATCH` on the name of a table without full text, whose name is no column.
    private func missingIndex(_ message: String, _ text: String) -> StoreError? {
        let prefix = "no such column: "
        guard message.hasPrefix(prefix), text.asciiLowercased.contains("match") else { return nil }
        let parts = message.dropFirst(prefix.count).split(separator: ".").map { String($0).asciiLowercased }
        let table = tables.first { table in
            let ending = table.name.asciiLowercased.split(separator: ".").last.map(String.init)
            return table.kind.isOfRecords && table.stored.fullTexts.isEmpty && ending == parts.last
        }
        return table.map { .text(.noFullTextIndex(type: $0.stored.name, properties: [])) }
    }

    /// Returns what was probably meant; an empty text if that is unknown.
    private func suggestion(for message: String) -> String {
        func name(after prefix: String) -> String? {
            message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : nil
        }
        if let name = name(after: "no such table: ") {
            if let reason = refusedTables[name.asciiLowercased] {
                return ". SQLite refuses the table beside attached files: \(reason)."
            }
            let names = tables.map(\.name)
            return NearestName.question(for: name, among: names)
        }
        if let name = name(after: "no such column: ") {
            let column = name.split(separator: ".").last.map(String.init) ?? name
            let names = Set(tables.flatMap { $0.columns.map(\.name) }).sorted()
            let quoted = column.hasPrefix("\"") ? " A text has single quotes." : ""
            return NearestName.question(for: column, among: names) + quoted
        }
        if message.hasPrefix("UPSERT not implemented") {
            return ". Write INSERT OR REPLACE or INSERT OR IGNORE."
        }
        if message.contains("RETURNING is not available") {
            return ". Read the rows by a SELECT in the same transaction."
        }
        if message.hasPrefix("near \""), let word = message.dropFirst(6).split(separator: "\"").first,
            let table = tables.first(where: { $0.name.asciiLowercased == String(word).asciiLowercased })
        {
            return " The name is a word of SQL: write \(table.name.quotedForSQL)."
        }
        return ""
    }
}
