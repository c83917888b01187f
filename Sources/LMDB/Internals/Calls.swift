// The calls into liblmdb, each in a thin function: arguments in Swift's types, result codes unchanged. No other file of
// the package calls a function of liblmdb. C's types and constants pass through here, and also occur where a cursor
// moves or a number is read: outside of this folder in `Cursor.swift`, `RangeScan.swift` and `EnvironmentInfo.swift`.

import CTroveLMDB

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

typealias TransactionPointer = OpaquePointer
typealias CursorPointer = OpaquePointer
typealias Handle = MDB_dbi

enum Calls {
    static func message(_ code: Int32) -> String {
        unsafe String(cString: trove_mdb_strerror(code))
    }

    /// The maximum size of a key, in bytes. LMDB 1.0 would take longer keys, which 0.9 could not store.
    static let maximumKeySize = 511

    /// The release of the loaded library.
    static var release: (major: Int32, minor: Int32, patch: Int32) {
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        _ = unsafe trove_mdb_version(&major, &minor, &patch)
        return (major, minor, patch)
    }

    /// Returns the code of a read. A database that another process has removed counts as empty. In 0.9.24 it does, and
    /// 0.9.36 and 1.0 have a code of their own.
    @inline(__always)
    private static func reading(_ code: Int32) -> Int32 { code == MDB_BAD_DBI ? MDB_NOTFOUND : code }

    // MARK: Environment

    static func create(_ environment: inout OpaquePointer?) -> Int32 {
        unsafe trove_mdb_env_create(&environment)
    }

    static func configure(_ environment: OpaquePointer, _ options: EnvironmentOptions, mapSize: Int) -> Int32 {
        var code = unsafe trove_mdb_env_set_maxreaders(environment, UInt32(clamping: options.maximumReaders))
        if code == 0 { code = unsafe setMaximumDatabases(environment, options.maximumDatabases) }
        if code == 0 { code = unsafe trove_mdb_env_set_mapsize(environment, mapSize) }
        return code
    }

    static func open(_ environment: OpaquePointer, path: String, flags: Int32, mode: UInt16) -> Int32 {
        unsafe trove_mdb_env_open(environment, path, UInt32(bitPattern: flags), mdb_mode_t(mode))
    }

    /// Opens the first handle of the main table, to make liblmdb set its comparison function. An earlier lookup in this
    /// table would call a null pointer.
    static func openMainTable(_ environment: OpaquePointer) -> Int32 {
        var made: TransactionPointer?
        let code = unsafe trove_mdb_txn_begin(environment, nil, UInt32(MDB_RDONLY), &made)
        guard code == 0, let transaction = unsafe made else { return code }
        var handle: Handle = 0
        let opened = unsafe trove_mdb_dbi_open(transaction, nil, 0, &handle)
        if opened == 0 { return unsafe trove_mdb_txn_commit(transaction) }
        unsafe trove_mdb_txn_abort(transaction)
        return opened
    }

    static func close(_ environment: OpaquePointer) {
        unsafe trove_mdb_env_close(environment)
    }

    static func setMaximumDatabases(_ environment: OpaquePointer, _ count: Int) -> Int32 {
        unsafe trove_mdb_env_set_maxdbs(environment, UInt32(clamping: count))
    }

    static func setMapSize(_ environment: OpaquePointer, _ size: Int) -> Int32 {
        unsafe trove_mdb_env_set_mapsize(environment, size)
    }

    static func info(_ environment: OpaquePointer) -> MDB_envinfo {
        var info = unsafe MDB_envinfo()
        _ = unsafe trove_mdb_env_info(environment, &info)
        return unsafe info
    }

    static func statistics(_ environment: OpaquePointer) -> MDB_stat {
        var stat = MDB_stat()
        _ = unsafe trove_mdb_env_stat(environment, &stat)
        return stat
    }

    /// Returns the number of reader slots in the lock file, chosen by its first opener.
    static func maximumReaders(_ environment: OpaquePointer) -> Int {
        var count: UInt32 = 0
        _ = unsafe trove_mdb_env_get_maxreaders(environment, &count)
        return Int(count)
    }

    static func sweepReaders(_ environment: OpaquePointer, _ dead: inout Int32) -> Int32 {
        unsafe trove_mdb_reader_check(environment, &dead)
    }

    static func copy(_ environment: OpaquePointer, toDescriptor descriptor: Int32, compacting: Bool) -> Int32 {
        unsafe trove_mdb_env_copyfd2(environment, descriptor, compacting ? UInt32(MDB_CP_COMPACT) : 0)
    }

    /// Returns the number of bytes of the file ever used. The result is limited to half of the integer range, even for
    /// a damaged file.
    static func usedSize(_ info: MDB_envinfo, pageSize: Int) -> Int {
        let (pages, pagesOverflow) = unsafe info.me_last_pgno.addingReportingOverflow(1)
        let (size, sizeOverflow) = pages.multipliedReportingOverflow(by: pageSize)
        return pagesOverflow || sizeOverflow || pages < 0 ? .max / 2 : min(size, .max / 2)
    }

    /// Begins and ends a read transaction, to test whether reads are possible.
    static func tryReading(_ environment: OpaquePointer) -> Int32 {
        var made: TransactionPointer?
        let code = unsafe begin(environment, parent: nil, readOnly: true, &made)
        if let transaction = unsafe made { unsafe abort(transaction) }
        return code
    }

    /// Returns liblmdb's descriptor of the data file; -1 if the environment is not open.
    static func descriptor(_ environment: OpaquePointer) -> Int32 {
        var descriptor: mdb_filehandle_t = -1
        _ = unsafe trove_mdb_env_get_fd(environment, &descriptor)
        return descriptor
    }

    static func sync(_ environment: OpaquePointer) -> Int32 {
        unsafe trove_mdb_env_sync(environment, 1)
    }

    /// Returns the lines of liblmdb's own list of readers.
    static func listReaders(_ environment: OpaquePointer) -> [String] {
        final class Lines { var all: [String] = [] }
        let lines = Lines()
        let context = unsafe Unmanaged.passUnretained(lines).toOpaque()
        _ = unsafe trove_mdb_reader_list(
            environment,
            { text, context in
                guard let text = unsafe text, let context = unsafe context else { return 0 }
                unsafe Unmanaged<Lines>.fromOpaque(context).takeUnretainedValue().all.append(String(cString: text))
                return 0
            }, context)
        return lines.all
    }

    /// Returns whether a reader slot belongs to another process.
    static func hasOtherProcess(_ environment: OpaquePointer) -> Bool {
        var own = Int(getpid())
        let code = unsafe trove_mdb_reader_list(
            environment,
            { text, own in
                // A line begins with the number of the process; the list's head and its note that it is empty do not.
                guard let text = unsafe text, let own = unsafe own else { return 0 }
                let process = unsafe strtol(text, nil, 10)
                return unsafe process == 0 || process == own.load(as: Int.self) ? 0 : -1
            }, &own)
        return code < 0
    }

    // MARK: Transactions

    static func begin(
        _ environment: OpaquePointer, parent: TransactionPointer?, readOnly: Bool,
        _ transaction: inout TransactionPointer?
    ) -> Int32 {
        unsafe trove_mdb_txn_begin(environment, parent, readOnly ? UInt32(MDB_RDONLY) : 0, &transaction)
    }

    static func renew(_ transaction: TransactionPointer) -> Int32 { unsafe trove_mdb_txn_renew(transaction) }
    static func reset(_ transaction: TransactionPointer) { unsafe trove_mdb_txn_reset(transaction) }
    static func commit(_ transaction: TransactionPointer) -> Int32 { unsafe trove_mdb_txn_commit(transaction) }
    static func abort(_ transaction: TransactionPointer) { unsafe trove_mdb_txn_abort(transaction) }
    static func identifier(_ transaction: TransactionPointer) -> Int { unsafe trove_mdb_txn_id(transaction) }

    // MARK: Databases

    static func openDatabase(
        _ transaction: TransactionPointer, _ name: String?, create: Bool, _ handle: inout Handle
    ) -> Int32 {
        unsafe trove_mdb_dbi_open(transaction, name, create ? UInt32(MDB_CREATE) : 0, &handle)
    }

    static func flags(_ transaction: TransactionPointer, _ handle: Handle, _ flags: inout UInt32) -> Int32 {
        unsafe trove_mdb_dbi_flags(transaction, handle, &flags)
    }

    static func statistics(_ transaction: TransactionPointer, _ handle: Handle, _ stat: inout MDB_stat) -> Int32 {
        unsafe reading(trove_mdb_stat(transaction, handle, &stat))
    }

    /// Removes a database, and releases its handle at once, whether or not the transaction commits.
    static func drop(_ transaction: TransactionPointer, _ handle: Handle) -> Int32 {
        unsafe trove_mdb_drop(transaction, handle, 1)
    }

    static func empty(_ transaction: TransactionPointer, _ handle: Handle) -> Int32 {
        unsafe trove_mdb_drop(transaction, handle, 0)
    }

    // MARK: Keys and values

    static func get(
        _ transaction: TransactionPointer, _ handle: Handle, _ key: inout MDB_val, _ value: inout MDB_val
    ) -> Int32 {
        unsafe reading(trove_mdb_get(transaction, handle, &key, &value))
    }

    static func put(
        _ transaction: TransactionPointer, _ handle: Handle, _ key: inout MDB_val, _ value: inout MDB_val,
        _ flags: UInt32
    ) -> Int32 {
        unsafe trove_mdb_put(transaction, handle, &key, &value, flags)
    }

    static func delete(_ transaction: TransactionPointer, _ handle: Handle, _ key: inout MDB_val) -> Int32 {
        unsafe reading(trove_mdb_del(transaction, handle, &key, nil))
    }

    // MARK: Cursors

    static func openCursor(
        _ transaction: TransactionPointer, _ handle: Handle, _ cursor: inout CursorPointer?
    ) -> Int32 {
        unsafe trove_mdb_cursor_open(transaction, handle, &cursor)
    }

    static func renew(_ transaction: TransactionPointer, _ cursor: CursorPointer) -> Int32 {
        unsafe trove_mdb_cursor_renew(transaction, cursor)
    }

    static func close(cursor: CursorPointer) { unsafe trove_mdb_cursor_close(cursor) }

    static func get(
        _ cursor: CursorPointer, _ key: inout MDB_val, _ value: inout MDB_val, _ operation: MDB_cursor_op
    ) -> Int32 {
        unsafe reading(trove_mdb_cursor_get(cursor, &key, &value, operation))
    }

    static func put(_ cursor: CursorPointer, _ key: inout MDB_val, _ value: inout MDB_val, _ flags: UInt32) -> Int32 {
        unsafe trove_mdb_cursor_put(cursor, &key, &value, flags)
    }

    static func delete(_ cursor: CursorPointer) -> Int32 { unsafe trove_mdb_cursor_del(cursor, 0) }
}

extension MDB_val {
    /// Creates a value over a buffer, for the duration of a call.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.init(
            mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    /// The bytes returned by liblmdb in this value.
    @inline(__always)
    var bytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
    }

    @inline(__always)
    var mutableBytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: mv_data, count: mv_size)
    }
}
