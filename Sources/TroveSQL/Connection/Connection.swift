// A connection of SQLite in memory, with the types of a store as its virtual tables.

import CSQLite
import LMDB
import Trove

/// A connection with the types of a store as tables. One thread at a time uses it.
///
/// It holds no snapshot: it borrows the transaction of a context for the length of a call. A connection knows the
/// catalog of its creation only.
@safe final class Connection: @unchecked Sendable {
    /// The context of the call that runs.
    struct Run {
        let context: ReadContext
        let core: TransactionCore
        let lease: UInt64
    }

    private struct StatementKey: Hashable {
        var text: String
        var options: ConnectionOptions

        /// SQLite reads bytes. Texts that are equal only as characters, such as é in one scalar and in two, are not the
        /// same statement.
        static func == (one: StatementKey, other: StatementKey) -> Bool {
            one.text == other.text && one.options == other.options && one.text.utf8.elementsEqual(other.text.utf8)
        }
    }

    let handle: OpaquePointer
    /// The catalog whose tables the connection has; nil for a catalog that its transaction has changed.
    let catalog: AnyObject?
    /// The number of types that were declared at the creation.
    let declaredTypeCount: Int
    private(set) var tables: [SQLTable] = []
    /// The tables by their names in small letters.
    private var namedTables: [String: SQLTable] = [:]
    private(set) var run: Run?
    var options = ConnectionOptions()
    /// The first error of a callback in the statement that runs.
    var failure: (any Error)?
    /// The number of rows that the statement has changed.
    var changes = 0
    /// The number of comparisons of the statement; nil if no scan of it can take over an OFFSET.
    var comparisonCount: Int?
    /// Whether a table of the store declares its columns.
    var isDeclaring = false
    /// Whether the connection itself runs statements, before those of a caller.
    private(set) var isOpening = false
    /// The attached files, by name.
    var attached: [String: SQLAttachment] = [:]
    /// The tables that virtual tables in attached files keep their contents in, as `file.table` in small letters.
    var shadowTables: Set<String> = []
    /// The reasons for which SQLite has refused tables, by their names in small letters.
    private(set) var refusedTables: [String: String] = [:]
    /// What can interrupt the call that runs.
    private(set) var interruption: StatementInterruption?
    /// What the authorizer has refused last.
    var refusal: String?
    /// The tables that the statement to prepare reads, and those that it inserts into, in small letters.
    var readTables: Set<String> = []
    var insertedTables: Set<String> = []
    /// The tables that the statement to prepare writes, in small letters.
    var writtenTables: Set<String> = []
    /// The writers of types that the program does not declare, in the call that runs.
    var storedWriters: [UInt32: StoredRecordWriter] = [:]
    private var statements: [StatementKey: Statement] = [:]
    /// The texts of the statements, the one used last at the end.
    private var recent: [StatementKey] = []
    private static let statementLimit = 64

    /// Creates a connection.
    ///
    /// - Parameter files: Files of SQLite that statements can read. Such a connection is of use for one call.
    init(_ context: ReadContext, attaching files: [String: SQLAttachment] = [:]) throws {
        catalog = context.catalogIdentity
        declaredTypeCount = context.declaredTypeCount
        var opened: OpaquePointer?
        var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        // The address of a file can say that it is only read.
        if !files.isEmpty { flags |= SQLITE_OPEN_URI }
        let code = unsafe sqlite3_open_v2(":memory:", &opened, flags, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            unsafe sqlite3_close_v2(opened)
            throw SQLError(code: code, message: "SQLite has no memory for a connection.")
        }
        unsafe handle = opened
        try configure()
        let stored = try context.storedTables()
        let names = TableNames(stored.map(\.name))
        /// Adds a table, unless a type has its names.
        func add(_ table: SQLTable, _ names: [String]) throws {
            let free = names.filter { namedTables[$0.asciiLowercased] == nil }
            guard !free.isEmpty else { return }
            // A table of an attached file would come before one that exists by itself.
            let module = files.isEmpty ? nil : "trove_\(tables.count)"
            if let module { try register(table, TableModule.creatable, as: module) }
            tables.append(table)
            for name in free {
                namedTables[name.asciiLowercased] = table
                if let module {
                    try create("CREATE VIRTUAL TABLE main.\(name.quotedForSQL) USING \(module)", name)
                } else {
                    try register(table, TableModule.shared, as: name)
                }
            }
        }
        for (index, table) in stored.enumerated() {
            try add(SQLTable(table, name: names.shortest(index), of: self), names.all(index))
        }
        let records = Dictionary(tables.map { ($0.stored.name, $0) }) { first, _ in first }
        for (index, type) in stored.enumerated() {
            guard let table = records[type.name] else { continue }
            for field in table.layout.fields.indices {
                guard let list = ElementList(table, field: field) else { continue }
                let names = names.all(index, property: list.property)
                let elements = SQLTable(table.stored, .elements(list), list.layout, name: names.first ?? "", of: self)
                try add(elements, names)
            }
        }
        for links in try context.storedLinkLists(among: stored) {
            guard let index = stored.firstIndex(where: { $0.name == links.type }) else { continue }
            let names = names.all(index, property: links.property)
            try add(SQLTable(links.table, .links(links), links.layout, name: names.first ?? "", of: self), names)
        }
        for list in CatalogList.allCases {
            try add(
                SQLTable(StoredTable(named: list.name), .list(list), list.layout, name: list.name, of: self),
                [list.name])
        }
        if !files.isEmpty { try attach(files) }
    }

    private func register(_ table: SQLTable, _ module: TableModule, as name: String) throws {
        let code = unsafe sqlite3_create_module_v2(
            handle, name, module.pointer, Unmanaged.passUnretained(table).toOpaque(), nil)
        guard code == SQLITE_OK else { throw SQLError(code: code, message: "The table \(name) failed.") }
    }

    /// Creates a table, unless SQLite refuses its name or its columns. Then a statement that names it is an error.
    private func create(_ statement: String, _ name: String) throws {
        let code = opening { unsafe sqlite3_exec(handle, statement, nil, nil, nil) }
        if code != SQLITE_OK, ![SQLITE_NOMEM, SQLITE_INTERRUPT].contains(code & 0xFF) {
            refusedTables[name.asciiLowercased] = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
            return
        }
        guard code == SQLITE_OK else { throw SQLError(code: code, message: "The table \(name) failed.") }
    }

    /// Runs a closure whose statements may do anything.
    func opening<R>(_ body: () throws -> R) rethrows -> R {
        isOpening = true
        defer { isOpening = false }
        return try body()
    }

    deinit {
        recent = []
        statements = [:]
        unsafe sqlite3_close_v2(handle)
    }

    private func configure() throws {
        for (option, value) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        ] as [(Int32, Int32)] {
            _ = unsafe trove_db_config(handle, option, value)
        }
        // Sorted rows stay in memory: a statement creates no file.
        let code = unsafe sqlite3_exec(handle, "PRAGMA temp_store=MEMORY", nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLError(code: code, message: "SQLite refuses its configuration.") }
        for (limit, value) in [
            (SQLITE_LIMIT_LENGTH, 256 << 20), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20), (SQLITE_LIMIT_ATTACHED, 0),
            // The time of LIKE is the product of the lengths of text and pattern, and nothing interrupts a function.
            (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
        ] as [(Int32, Int32)] {
            _ = unsafe sqlite3_limit(handle, limit, value)
        }
        _ = unsafe sqlite3_extended_result_codes(handle, 1)
        let itself = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe Authorizer.install(on: handle, itself)
        guard unsafe TextFunctions.install(on: handle, itself) == SQLITE_OK else {
            throw SQLError(code: SQLITE_NOMEM, message: "SQLite has no memory for functions.")
        }
        unsafe sqlite3_progress_handler(
            handle, 10_000,
            { connection in
                guard let connection = unsafe connection else { return 1 }
                return unsafe Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { connection in
                    connection.mayContinue ? 0 : 1
                }
            }, itself)
    }

    /// Returns whether the read of the statement that runs can still be used.
    private var mayContinue: Bool {
        guard let run else { return true }
        if let interruption, interruption.isRaised {
            failure = failure ?? CancellationError()
            return false
        }
        do {
            try translatingEngineErrors { try run.core.check(run.lease) }
            return true
        } catch {
            failure = failure ?? error
            return false
        }
    }

    /// Returns the table with a name, in any case of ASCII letters; nil if there is none.
    func table(named name: String) -> SQLTable? { namedTables[name.asciiLowercased] }

    /// Returns the table of a type's records by a name, in any case of ASCII letters; nil if there is none.
    func records(named name: String) -> SQLTable? {
        namedTables[name.asciiLowercased].flatMap { $0.kind.isOfRecords ? $0 : nil }
    }

    /// Returns the number of records of a table, or 0 where it cannot be read: the plan is then of no importance.
    func count(of table: SQLTable) -> Int {
        table.stored.records.map(count) ?? 0
    }

    /// Returns the number of entries of a path, or 0 where they cannot be read.
    func count(of path: TablePath) -> Int { path.entries.map(count) ?? 0 }

    private func count(_ entries: Database) -> Int {
        guard let run else { return 0 }
        do {
            return try run.core.count(entries)
        } catch {
            return 0
        }
    }

    /// Returns the number of records of a table, as a read of all of them.
    func exactCount(of table: SQLTable) throws -> Int {
        guard let run else { return 0 }
        run.context.noteRead(of: table.stored.keyPrefix)
        return try table.stored.records.map { records in try translatingEngineErrors { try run.core.count(records) } }
            ?? 0
    }

    // MARK: Statements

    /// Runs a closure in which tables are read in a context.
    func reading<R>(_ context: ReadContext, _ options: ConnectionOptions, _ body: () throws -> R) throws -> R {
        let outer = run
        self.options = options
        run = Run(context: context, core: context.engineTransaction, lease: context.engineLease)
        let isInner = outer != nil
        if !isInner {
            interruption = StatementCall.interruption
            unsafe interruption?.begin(handle)
        }
        defer {
            run = outer
            if !storedWriters.isEmpty { storedWriters = [:] }
            if !isInner {
                unsafe interruption?.end(handle)
                interruption = nil
            }
        }
        return try body()
    }

    /// Returns the prepared statement of a text.
    func statement(_ text: String) throws -> Statement {
        let key = StatementKey(text: text, options: options)
        if let known = statements[key] {
            if recent.last != key {
                recent.removeAll { $0 == key }
                recent.append(key)
            }
            return known
        }
        let statement = try Statement(text, of: self)
        statements[key] = statement
        recent.append(key)
        if recent.count > Self.statementLimit { statements[recent.removeFirst()] = nil }
        return statement
    }

    /// Takes the error of the callbacks.
    func takeFailure() -> (any Error)? {
        defer { failure = nil }
        return failure
    }
}
