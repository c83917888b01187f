// The virtual tables for SQLite: its callbacks, as C functions.
//
// SQLite calls them on the thread of the context, inside the call that runs the statement.

import CSQLite
import LMDB
import Trove

/// A table as SQLite sees it. The first member is SQLite's own.
@safe struct TableHandle {
    var base = unsafe sqlite3_vtab()
    let table: Unmanaged<SQLTable>
}

/// The module of all tables.
@safe struct TableModule: @unchecked Sendable {
    let pointer: UnsafePointer<sqlite3_module>

    /// The module, which lives as long as the process.
    static let shared = TableModule(isCreatable: false)
    /// The module of tables that a connection creates.
    static let creatable = TableModule(isCreatable: true)

    private init(isCreatable: Bool) {
        var module = sqlite3_module()
        module.iVersion = 2
        // Without `xCreate` the tables exist by themselves, and cannot be created.
        if isCreatable {
            unsafe module.xCreate = { connection, table, count, names, result, message in
                let name = unsafe count > 2 ? names?[2] : nil
                return unsafe TableModule.connect(connection, table, name, result, message)
            }
            unsafe module.xDestroy = { table in unsafe TableModule.disconnect(table) }
        }
        unsafe module.xConnect = { connection, table, count, names, result, message in
            // The name of the module, of the database and of the table.
            let name = unsafe count > 2 ? names?[2] : nil
            return unsafe TableModule.connect(connection, table, name, result, message)
        }
        unsafe module.xBestIndex = { table, request in unsafe TableModule.choosePath(table, request) }
        unsafe module.xDisconnect = { table in unsafe TableModule.disconnect(table) }
        unsafe module.xOpen = { table, cursor in unsafe TableModule.open(table, cursor) }
        unsafe module.xClose = { cursor in unsafe TableModule.close(cursor) }
        unsafe module.xFilter = { cursor, number, _, _, arguments in
            unsafe TableModule.filter(cursor, number, arguments)
        }
        unsafe module.xNext = { cursor in unsafe TableModule.next(cursor) }
        unsafe module.xEof = { cursor in
            unsafe cursor.unsafelyUnwrapped.withMemoryRebound(to: RowCursor.self, capacity: 1) {
                unsafe $0.pointee.isOver ? 1 : 0
            }
        }
        unsafe module.xColumn = { cursor, context, column in unsafe TableModule.column(cursor, context, column) }
        unsafe module.xUpdate = { table, count, arguments, _ in
            unsafe TableModule.update(table, count, arguments)
        }
        unsafe module.xRowid = { _, _ in SQLITE_ERROR }
        let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        unsafe pointer.initialize(to: module)
        unsafe self.pointer = UnsafePointer(pointer)
    }

    // MARK: Tables

    private static func connect(
        _ connection: OpaquePointer?, _ auxiliary: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
        _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
        _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32 {
        guard let auxiliary = unsafe auxiliary else { return SQLITE_MISUSE }
        let table = unsafe Unmanaged<SQLTable>.fromOpaque(auxiliary)
        let code = unsafe table._withUnsafeGuaranteedRef { table in
            table.connection.isDeclaring = true
            defer { table.connection.isDeclaring = false }
            let name = unsafe name.map { unsafe String(cString: $0) }
            return unsafe sqlite3_declare_vtab(connection, table.declaration(named: name))
        }
        guard code == SQLITE_OK else {
            unsafe message?.pointee = trove_copied_text(sqlite3_errmsg(connection))
            return code
        }
        _ = unsafe trove_vtab_direct_only(connection)
        _ = unsafe trove_vtab_handles_conflicts(connection)
        let handle = UnsafeMutablePointer<TableHandle>.allocate(capacity: 1)
        unsafe handle.initialize(to: TableHandle(table: table))
        unsafe result?.pointee = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    private static func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
        guard let table = unsafe table else { return SQLITE_MISUSE }
        let handle = unsafe UnsafeMutableRawPointer(table).assumingMemoryBound(to: TableHandle.self)
        unsafe handle.deinitialize(count: 1)
        unsafe handle.deallocate()
        return SQLITE_OK
    }

    @inline(__always)
    private static func handle(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Unmanaged<SQLTable> {
        unsafe UnsafeMutableRawPointer(table.unsafelyUnwrapped).assumingMemoryBound(to: TableHandle.self).pointee.table
    }

    private static func choosePath(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?, _ info: UnsafeMutablePointer<sqlite3_index_info>?
    ) -> Int32 {
        guard let info = unsafe info else { return SQLITE_MISUSE }
        return unsafe handle(table)._withUnsafeGuaranteedRef { table in
            let request = unsafe PlanRequest(info, of: table)
            // SQLite looks for another plan, with the other side of MATCH.
            if request.hasUnusableMatch { return SQLITE_CONSTRAINT }
            let choice: PathChoice
            do {
                choice = try table.choice(for: request)
            } catch {
                table.connection.failure = table.connection.failure ?? error
                return SQLITE_ERROR
            }
            for (ordinal, constraint) in choice.arguments.enumerated() {
                unsafe info.pointee.aConstraintUsage[constraint].argvIndex = Int32(ordinal + 1)
                if choice.omitted.contains(constraint) {
                    unsafe info.pointee.aConstraintUsage[constraint].omit = 1
                }
                if choice.lists.contains(constraint) { _ = unsafe sqlite3_vtab_in(info, Int32(constraint), 1) }
            }
            unsafe info.pointee.idxNum = Int32(table.number(of: choice.plan))
            unsafe info.pointee.idxStr = trove_copied_text(table.description(of: choice.plan))
            unsafe info.pointee.needToFreeIdxStr = 1
            unsafe info.pointee.orderByConsumed = choice.plan.consumesOrder ? 1 : 0
            unsafe info.pointee.estimatedCost = choice.cost
            unsafe info.pointee.estimatedRows = Int64(choice.rows)
            unsafe info.pointee.idxFlags = choice.plan.isUnique ? SQLITE_INDEX_SCAN_UNIQUE : 0
            return SQLITE_OK
        }
    }

    // MARK: Cursors

    private static func open(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?,
        _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 {
        let taken = unsafe handle(table)._withUnsafeGuaranteedRef { unsafe $0.takeCursor() }
        unsafe cursor?.pointee = UnsafeMutableRawPointer(taken).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    @inline(__always)
    private static func rowCursor(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
    ) -> UnsafeMutablePointer<RowCursor> {
        unsafe UnsafeMutableRawPointer(cursor.unsafelyUnwrapped).assumingMemoryBound(to: RowCursor.self)
    }

    private static func close(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
        let cursor = unsafe rowCursor(cursor)
        unsafe cursor.pointee.scan.takeUnretainedValue().table.giveBack(cursor)
        return SQLITE_OK
    }

    private static func filter(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ number: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        let cursor = unsafe rowCursor(cursor)
        return unsafe cursor.pointee.scan._withUnsafeGuaranteedRef { scan in
            perform(scan) { unsafe try scan.begin(Int(number), arguments, cursor) }
        }
    }

    @inline(__always)
    private static func next(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
        let cursor = unsafe rowCursor(cursor)
        if unsafe cursor.pointee.countedRows > 0 {
            unsafe cursor.pointee.passedRows += 1
            unsafe cursor.pointee.countedRows -= 1
            if unsafe cursor.pointee.countedRows > 0 { return SQLITE_OK }
            if unsafe cursor.pointee.count == 0 {
                unsafe cursor.pointee.isOver = true
                return SQLITE_OK
            }
        }
        unsafe cursor.pointee.position += 1
        unsafe cursor.pointee.beginRow()
        if unsafe cursor.pointee.position < cursor.pointee.count { return SQLITE_OK }
        return unsafe cursor.pointee.scan._withUnsafeGuaranteedRef { scan in
            perform(scan) { unsafe try scan.fill(cursor) }
        }
    }

    /// Runs a closure, and keeps its error for the statement.
    private static func perform(_ scan: TableScan, _ body: () throws -> Void) -> Int32 {
        do {
            try translatingEngineErrors(body)
            return SQLITE_OK
        } catch {
            let connection = scan.table.connection
            connection.failure = connection.failure ?? error
            if error is PlanViolation { return SQLITE_ABORT }
            if case .record(.checksumMismatch)? = error as? StoreError { return TROVE_CORRUPT_VTAB }
            if case .record(.corrupted)? = error as? StoreError { return TROVE_CORRUPT_VTAB }
            return SQLITE_ERROR
        }
    }

    // MARK: Changes

    /// Changes a row. Without transactions of the module, the call that runs the statement undoes its changes.
    private static func update(
        _ table: UnsafeMutablePointer<sqlite3_vtab>?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        unsafe handle(table)._withUnsafeGuaranteedRef { table in
            let rule = unsafe RowConflictRule(of: table.connection.handle)
            do {
                try translatingEngineErrors {
                    let row = unsafe RowValues(arguments, count: Int(count))
                    if try TableWriter(table, rule).write(row) { table.connection.changes += 1 }
                }
                return SQLITE_OK
            } catch {
                return table.connection.code(of: error, rule, in: table)
            }
        }
    }

    @inline(__always)
    private static func column(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ context: OpaquePointer?, _ column: Int32
    ) -> Int32 {
        let cursor = unsafe rowCursor(cursor)
        // The value would be that of a column that an UPDATE does not change.
        if unsafe cursor.pointee.mayWrite, unsafe sqlite3_vtab_nochange(context) != 0 { return SQLITE_OK }
        unsafe cursor.pointee.cell(Int(column)).setResult(context)
        return SQLITE_OK
    }
}
