// The new file of a conversion: the entries of a walk, appended by the loaded liblmdb.

import CTroveLMDB

/// Appends the entries of a file, in their order, to an empty environment.
@safe final class EntryAppender: FileVisitor {
    typealias Failure = LMDBError

    /// The digests of what was appended.
    private(set) var digests = EntryDigests()
    private let environment: OpaquePointer
    private let destination: String
    private let progress: ConversionProgress
    private var transaction: TransactionPointer?
    private var cursor: CursorPointer?
    private var name = ""
    /// The bytes that the transaction has appended.
    private var uncommitted = 0
    private var pages: (done: UInt64, total: UInt64) = (0, 1)
    private var entriesUntilProgress = 0

    /// The size of a transaction.
    private static let batchSize = 64 << 20
    /// The number of entries between two reports of progress.
    private static let entriesBetweenReports = 1000

    /// Opens the environment.
    ///
    /// - Parameters:
    ///   - path: An empty file.
    ///   - destination: The path that errors name.
    ///   - tables: The number of tables.
    ///   - size: A size that the environment does not exceed.
    init(
        _ path: String, for destination: String, tables: Int, size: Int, _ progress: @escaping ConversionProgress
    ) throws(LMDBError) {
        self.destination = destination
        self.progress = progress
        var made: OpaquePointer?
        let code = unsafe Calls.create(&made)
        guard code == 0, let environment = unsafe made else {
            throw LMDBError(.init(code), in: "mdb_env_create", path: destination)
        }
        unsafe self.environment = environment
        try run("mdb_env_open") {
            var code = unsafe Calls.setMaximumDatabases(environment, tables + 1)
            if code == 0 { code = unsafe Calls.setMapSize(environment, SharedEnvironment.roundedToPages(size)) }
            if code != 0 { return code }
            return unsafe Calls.open(
                environment, path: path, flags: MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, mode: 0o600)
        }
    }

    deinit {
        if let transaction = unsafe transaction { unsafe Calls.abort(transaction) }
        unsafe Calls.close(environment)
    }

    func advance(to pages: UInt64, of total: UInt64) { self.pages = (pages, total) }

    func beginTable(_ name: String) throws(LMDBError) {
        try commit()
        self.name = name
        digests.begin(name)
        try openTable()
    }

    func visit(_ entry: FileEntry) throws(LMDBError) -> FileFinding? {
        if uncommitted >= Self.batchSize {
            try commit()
            try openTable()
        }
        if entriesUntilProgress == 0 {
            guard progress(pages.done, pages.total) else {
                throw LMDBError(.cancelled, in: "convert", path: destination)
            }
            entriesUntilProgress = Self.entriesBetweenReports
        }
        entriesUntilProgress -= 1
        guard digests.add(entry) else { throw LMDBError(.inputOutput, in: "pread", path: destination) }
        try append(entry)
        return nil
    }

    /// Commits what was appended last.
    func finish() throws(LMDBError) {
        try commit()
        try run("mdb_env_sync") { unsafe Calls.sync(environment) }
    }

    private func append(_ entry: FileEntry) throws(LMDBError) {
        guard let cursor = unsafe cursor else { return }
        var value = unsafe MDB_val(mv_size: entry.value.size, mv_data: nil)
        var keySize = 0
        try run("mdb_cursor_put") {
            entry.withKey { key in
                keySize = key.byteCount
                return unsafe key.withUnsafeBytes { key in
                    var key = unsafe MDB_val(key)
                    return unsafe Calls.put(cursor, &key, &value, UInt32(MDB_RESERVE | MDB_APPEND))
                }
            }
        }
        uncommitted += keySize + entry.value.size
        var offset = 0
        let start = unsafe value.mv_data
        let isRead = entry.value.forEachPiece { piece in
            unsafe piece.withUnsafeBytes { piece in
                guard let source = piece.baseAddress else { return }
                unsafe start?.advanced(by: offset).copyMemory(from: source, byteCount: piece.count)
            }
            offset += piece.byteCount
        }
        guard isRead else { throw LMDBError(.inputOutput, in: "pread", path: destination) }
    }

    private func openTable() throws(LMDBError) {
        var begun: TransactionPointer?
        try run("mdb_txn_begin") { unsafe Calls.begin(environment, parent: nil, readOnly: false, &begun) }
        unsafe transaction = begun
        guard let transaction = unsafe begun else { return }
        var handle: Handle = 0
        try run("mdb_dbi_open") { unsafe Calls.openDatabase(transaction, name, create: true, &handle) }
        try run("mdb_cursor_open") { unsafe Calls.openCursor(transaction, handle, &cursor) }
    }

    private func commit() throws(LMDBError) {
        if let cursor = unsafe cursor { unsafe Calls.close(cursor: cursor) }
        unsafe cursor = nil
        guard let transaction = unsafe transaction else { return }
        unsafe self.transaction = nil
        uncommitted = 0
        try run("mdb_txn_commit") { unsafe Calls.commit(transaction) }
    }

    private func run(_ operation: String, _ call: () -> Int32) throws(LMDBError) {
        let code = call()
        guard code != 0 else { return }
        throw LMDBError(
            .init(writing: code, availableBytes: FileCalls.availableBytes(beside: destination)), in: operation,
            path: destination)
    }
}
