// An LMDB environment: one file, one map, one writer at a time, any number of readers.

import Synchronization

/// A memory-mapped file of named, ordered databases.
///
/// ```swift
/// let environment = try Environment(path: "words.mdb")
/// try environment.write { transaction in
///     let words = try transaction.createDatabase("words")
///     try transaction.put([1], for: [104, 105], in: words)
/// }
/// ```
///
/// Within a process, all environments on a file, under whatever name, share a single underlying LMDB environment: two
/// would destroy each other's locks. The file is closed after its last environment is closed or released, and its last
/// transaction has ended.
///
/// If the path is a directory, it holds LMDB's own layout (`data.mdb`, `lock.mdb`); a path ending in `data.mdb` opens
/// its directory in the same way. Any other path is the data file itself. Its lock file is next to it, under the same
/// name with `-lock` appended.
public final class Environment: Sendable {
    let hold: EnvironmentHold
    /// The choice of this opener. Elsewhere in the process, the file may be open for writing.
    private let isReadOnly: Bool
    package let shared: SharedEnvironment
    /// The report of the conversion that this opening did.
    package let conversion: ConversionReport?
    let phase = Atomic(EnvironmentPhase.open)

    /// Opens the environment at a path, and creates it if it does not exist.
    ///
    /// - Parameters:
    ///   - path: A file, or a directory for LMDB's own layout. Symbolic links are followed.
    ///   - options: The options; see ``EnvironmentOptions``.
    /// - Throws: ``LMDBError`` with the path: a missing directory, no permission, a file of another kind, an empty
    ///   file, a second hard link, or options that conflict with an earlier opener in this process.
    public convenience init(path: String, options: EnvironmentOptions = EnvironmentOptions()) throws(LMDBError) {
        try self.init(path: path, options: options) { _, _ in true }
    }

    /// Opens the environment at a path, and reports the progress of a conversion of its file.
    package init(
        path: String, options: EnvironmentOptions, conversion progress: @escaping ConversionProgress
    ) throws(LMDBError) {
        (hold, conversion) = try EnvironmentRegistry.shared.open(path: path, options: options, progress: progress)
        shared = hold.environment
        isReadOnly = options.isReadOnly
    }

    deinit {
        guard phase.load(ordering: .relaxed) != .closed else { return }
        _ = hold.removeOpener(closes: false)
        // A closed environment that is still referenced would otherwise keep the file open.
        if hold.hasClosedOpener, shared.isQuietNow, hold.refuseOpeners() { shared.closeWhenQuiet() }
    }

    /// The canonical path of the data file.
    public var path: String { shared.path }

    /// The options of the open file: the options of its first opener in this process, except `isReadOnly`.
    public var options: EnvironmentOptions {
        var options = shared.options
        options.isReadOnly = isReadOnly
        return options
    }

    private func checkIsWritable(_ operation: String) throws(LMDBError) {
        if isReadOnly { throw LMDBError(.readOnlyEnvironment, in: operation, path: path) }
    }

    /// The maximum size of a key, in bytes.
    public static var maximumKeySize: Int { Calls.maximumKeySize }

    /// The maximum size of a value, in bytes: almost 2 GiB.
    ///
    /// liblmdb writes the pages of a value with a single call, and no system writes more than 0x7FFFF000 bytes at once.
    /// Pages have at most 64 KiB, and the first one begins with 16 bytes of liblmdb's own.
    @inlinable
    public static var maximumValueSize: Int { 0x7FFF_0000 - 16 }

    package var writers: WriterQueue { shared.writers }

    /// Runs a closure in a read transaction: a snapshot of the last commit, which no writer can change.
    ///
    /// A read transaction does not wait for a running write. Before it begins, it can wait up to 0.1 seconds while a
    /// writer makes room to enlarge the map. It can wait up to the busy timeout for the process's other transactions to
    /// end, when another process has enlarged the map. It also waits while ``dropDatabase(_:)`` runs.
    ///
    /// - Parameter body: Runs once, on this thread. The transaction ends when it returns.
    /// - Returns: The result of the closure.
    /// - Throws: ``LMDBError`` when no transaction can begin; any error of the closure.
    public func read<R>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
        let core = try shared.beginRead()
        defer { core.endRead() }
        try checkIsOpen()
        return try body(ReadTransaction(core: core, lease: core.currentLease))
    }

    /// Runs a closure in a write transaction, which commits when the closure returns and rolls back when it throws.
    ///
    /// Writers run one at a time, in order of arrival. If an operation fails and may leave the transaction half done,
    /// the transaction cannot commit. Even when the closure catches the error, it is thrown again at the commit.
    ///
    /// - Parameter body: Runs once, on this thread.
    /// - Returns: The result of the closure, after its changes are durable.
    /// - Throws: ``LMDBError``; any error of the closure.
    public func write<R>(_ body: (borrowing WriteTransaction) throws -> R) throws -> R {
        try checkIsWritable("write")
        try checkIsOpen()
        let core = try shared.beginWrite()
        defer { core.endWrite() }
        try checkIsOpenInTurn()
        let result = try body(WriteTransaction(core: core, lease: core.currentLease))
        try core.commit()
        return result
    }

    /// Opens an existing database for all later transactions.
    ///
    /// - Parameter name: Its name.
    /// - Throws: ``LMDBError/Code/databaseNotFound``; ``LMDBError/Code/nestedWrite`` inside a write transaction of the
    ///   same thread, where `WriteTransaction/database(_:)` must be used; ``LMDBError/Code/busy`` when the writers of
    ///   this process keep the turn for longer than the busy timeout.
    public func openDatabase(_ name: String) throws(LMDBError) -> Database {
        try shared.checkFork("openDatabase")
        try checkIsOpen()
        if let known = shared.database(named: name) { return known }
        _ = try shared.openDatabases([name])
        guard let database = shared.database(named: name) else {
            throw LMDBError(.databaseNotFound, in: "openDatabase", path: path, database: name)
        }
        return database
    }

    /// Creates a database, or opens the existing database, in a write transaction of its own.
    ///
    /// - Parameter name: Its name.
    public func createDatabase(_ name: String) throws -> Database {
        try shared.checkFork("createDatabase")
        if let known = shared.database(named: name) { return known }
        return try write { transaction in try transaction.createDatabase(name) }
    }

    /// Removes a database and its contents, at a moment when no transaction of this process is open.
    ///
    /// No transaction can begin while this method runs, nor while it waits for the writer of another process. Handles
    /// of the database are unusable afterwards, even for a later database of the same name. Another process with the
    /// database open sees an empty database, or fails to write to it. If several programs share the file,
    /// `WriteTransaction/removeAll(from:)` is the safe alternative.
    ///
    /// - Returns: Whether the database existed.
    /// - Throws: ``LMDBError/Code/busy`` when transactions of this process stay open for longer than the busy timeout,
    ///   or when the calling thread has a transaction open.
    @discardableResult
    public func dropDatabase(_ name: String) throws(LMDBError) -> Bool {
        try checkIsWritable("dropDatabase")
        try checkIsOpen()
        return try shared.dropDatabase(name)
    }

    /// Returns the names of all databases in the last commit, in byte order.
    ///
    /// - Complexity: O(*n*) in the number of databases.
    public func databaseNames() throws(LMDBError) -> [String] {
        let core = try shared.beginRead()
        defer { core.endRead() }
        return try core.databaseNames()
    }
}
