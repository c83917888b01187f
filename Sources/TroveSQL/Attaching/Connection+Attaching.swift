// Files of SQLite beside the tables of a store, for a single call.

import CSQLite

extension Connection {
    /// The number of files that SQLite can attach as it is built everywhere.
    private static let attachmentLimit = 10
    private static let busyTimeout: Int32 = 5000

    /// Attaches files for reading.
    ///
    /// - Throws: ``SQLError`` for a name that cannot be used, and for a file that is missing, or is not of SQLite.
    func attach(_ files: [String: SQLAttachment]) throws {
        guard files.count <= Self.attachmentLimit else {
            throw SQLError(
                code: SQLITE_ERROR,
                message: "\(files.count) files are attached, and SQLite allows \(Self.attachmentLimit).")
        }
        _ = unsafe sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, Int32(files.count))
        // Another program may be in the middle of a commit.
        _ = unsafe sqlite3_busy_timeout(handle, Self.busyTimeout)
        try opening {
            for (name, file) in files.sorted(by: { $0.key < $1.key }) {
                try check(name, among: files.keys)
                try attach(file, as: name)
                noteShadowTables(of: name)
            }
        }
        attached = files
    }

    /// Throws for a name that a statement could not write without quotes, or that has another meaning.
    private func check(_ name: String, among names: some Collection<String>) throws {
        let isWord = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isWord, let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            throw SQLError(
                code: SQLITE_ERROR,
                message:
                    "A file cannot be attached as \(name.quotedAsJSON): a name has ASCII letters, digits and _, and does not begin with a digit."
            )
        }
        guard !["main", "temp"].contains(name.asciiLowercased) else {
            throw SQLError(
                code: SQLITE_ERROR,
                message: "A file cannot be attached as \(name), which is SQLite's name of the store's own tables.")
        }
        guard names.count(where: { $0.asciiLowercased == name.asciiLowercased }) == 1 else {
            throw SQLError(
                code: SQLITE_ERROR, message: "Two files are attached as \(name), in the same or another letter case.")
        }
    }

    private func attach(_ file: SQLAttachment, as name: String) throws {
        let path = file.path
        guard !path.utf8.contains(0), let isFile = Self.isFile(path) else {
            throw SQLError(code: SQLITE_CANTOPEN, message: "There is no file at \(path).", file: path)
        }
        guard isFile else {
            throw SQLError(
                code: SQLITE_CANTOPEN, message: "\(path) is not a file, so it is not a database.", file: path)
        }
        do {
            try open(file, as: name, isImmutable: false)
        } catch let error as SQLError where Self.isLocked(path, error) {
            // A database with a log in advance (WAL) needs files beside it, and its directory cannot be written. No
            // program writes the database, since there is no log.
            execute("DETACH \"\(name)\"")
            try open(file, as: name, isImmutable: true)
        }
    }

    /// Returns whether a database could not be read since no files can be created beside it, and has no log.
    private static func isLocked(_ path: String, _ error: SQLError) -> Bool {
        [Int(SQLITE_CANTOPEN), Int(SQLITE_READONLY)].contains(error.code & 0xFF)
            && ["-wal", "-journal"].allSatisfy { isFile(path + $0) == nil }
    }

    /// Returns whether a path is that of a file; nil if there is nothing.
    private static func isFile(_ path: String) -> Bool? {
        let answer = unsafe trove_is_file(path)
        return answer < 0 ? nil : answer == 1
    }

    private func open(_ file: SQLAttachment, as name: String, isImmutable: Bool) throws {
        // The second statement reads the first page: SQLite attaches any file.
        let address = SQLValue.text(file.address(isImmutable: isImmutable)).description
        for statement in ["ATTACH \(address) AS \"\(name)\"", "SELECT count(*) FROM \"\(name)\".sqlite_master"] {
            let code = execute(statement)
            if code == SQLITE_OK { continue }
            let reason =
                code & 0xFF == SQLITE_NOTADB
                ? "it is not a database of SQLite, or it is encrypted"
                : unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? "SQLite error \(code)"
            throw SQLError(code: code, message: "\(file.path) cannot be attached: \(reason).", file: file.path)
        }
    }

    /// Notes the tables in which the R-Trees of a file keep their contents.
    private func noteShadowTables(of name: String) {
        let query = "SELECT name FROM \"\(name)\".sqlite_master WHERE type = 'table' AND rootpage = 0"
        var statement: OpaquePointer?
        guard unsafe sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK else { return }
        defer { unsafe sqlite3_finalize(statement) }
        while unsafe sqlite3_step(statement) == SQLITE_ROW {
            guard let text = unsafe sqlite3_column_text(statement, 0) else { continue }
            let table = "\(name).\(unsafe String(cString: text))".asciiLowercased
            for part in ["node", "parent", "rowid"] { shadowTables.insert("\(table)_\(part)") }
        }
    }

    /// Returns whether a table of an attached file has the contents of an R-Tree.
    func isShadowTable(_ table: String, in database: String) -> Bool {
        shadowTables.contains("\(database).\(table)".asciiLowercased)
    }

    @discardableResult
    private func execute(_ statement: String) -> Int32 { unsafe sqlite3_exec(handle, statement, nil, nil, nil) }

    /// Returns an error of SQLite with the attached files, of which it can be.
    func naming(_ error: SQLError) -> SQLError {
        let codes = [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_BUSY, SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_READONLY]
        guard !attached.isEmpty, codes.contains(Int32(truncatingIfNeeded: error.code & 0xFF)) else { return error }
        var named = error
        let paths = attached.values.map(\.path).sorted()
        named.message += " (an attached file: \(paths.joined(separator: ", ")))"
        if paths.count == 1 { named.file = paths[0] }
        return named
    }
}
