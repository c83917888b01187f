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
/// All environments that a process opens on one file, under whatever name, share one underlying LMDB environment: two
/// would destroy each other's locks. The file is closed when the last of them, and the last transaction, is gone.
///
/// A path that is a directory holds LMDB's own layout (`data.mdb`, `lock.mdb`), and so does the directory of a path
/// that ends in `data.mdb`; any other path is the data file itself, with its lock file beside it under the same name
/// and `-lock`.
public final class Environment: Sendable {
    let hold: EnvironmentHold
    /// This opener's own choice: the file may be open for writing elsewhere in the process.
    private let isReadOnly: Bool
    package let shared: SharedEnvironment

    /// Opens the environment at a path, and creates it where there is none.
    ///
    /// - Parameters:
    ///   - path: A file, or a directory for LMDB's own layout. Symbolic links are followed.
    ///   - options: How to open it; see ``EnvironmentOptions``.
    /// - Throws: ``LMDBError``, which names the path: a missing directory, no permission, a file that is not LMDB's, an
    ///   empty file, a second hard link, or other options than those it is already open with in this process.
    public init(path: String, options: EnvironmentOptions = EnvironmentOptions()) throws(LMDBError) {
        hold = try EnvironmentRegistry.shared.open(path: path, options: options)
        shared = hold.environment
        isReadOnly = options.isReadOnly
    }

    /// The canonical path of the data file.
    public var path: String { shared.path }

    /// The options with which the file is open: those of its first opener in this process, but for `isReadOnly`.
    public var options: EnvironmentOptions {
        var options = shared.options
        options.isReadOnly = isReadOnly
        return options
    }

    private func checkIsWritable(_ operation: String) throws(LMDBError) {
        if isReadOnly { throw LMDBError(.readOnlyEnvironment, in: operation, path: path) }
    }

    /// The longest key that can be stored, in bytes.
    public static var maximumKeySize: Int { Calls.maximumKeySize }

    package var writers: WriterQueue { shared.writers }

    /// Runs a closure in a read transaction: a snapshot of the last commit, which no writer can change.
    ///
    /// It does not wait for a running write. Before it begins, it can wait up to 0.1 seconds while a writer makes room
    /// to enlarge the map; up to the busy timeout while the process's other transactions end, when another process has
    /// enlarged it; and while ``dropDatabase(_:)`` is at work.
    ///
    /// - Parameter body: Runs once, on this thread. The transaction ends when it returns.
    /// - Returns: What the closure returns.
    /// - Throws: ``LMDBError`` when no transaction can begin; what the closure throws.
    public func read<R>(_ body: (borrowing ReadTransaction) throws -> R) throws -> R {
        let core = try shared.beginRead()
        defer { core.endRead() }
        return try body(ReadTransaction(core: core, lease: core.currentLease))
    }

    /// Runs a closure in the write transaction: committed when it returns, rolled back when it throws.
    ///
    /// Writers run one at a time, in order of arrival. A transaction in which an operation failed in a way that may
    /// have left it half done cannot commit, even when the closure swallows that error: the error is thrown again.
    ///
    /// - Parameter body: Runs once, on this thread.
    /// - Returns: What the closure returns, when its changes are durable.
    /// - Throws: ``LMDBError``; what the closure throws.
    public func write<R>(_ body: (borrowing WriteTransaction) throws -> R) throws -> R {
        try checkIsWritable("write")
        let core = try shared.beginWrite()
        defer { core.endWrite() }
        let result = try body(WriteTransaction(core: core, lease: core.currentLease))
        try core.commit()
        return result
    }

    /// Opens a database that exists, for all later transactions.
    ///
    /// - Parameter name: Its name.
    /// - Throws: ``LMDBError/Code/databaseNotFound``; ``LMDBError/Code/nestedWrite`` inside a write transaction of the
    ///   same thread, where `WriteTransaction/database(_:)` serves; ``LMDBError/Code/busy`` when the writers of this
    ///   process are at work for longer than the busy timeout.
    public func openDatabase(_ name: String) throws(LMDBError) -> Database {
        try shared.checkFork("openDatabase")
        if let known = shared.database(named: name) { return known }
        _ = try shared.openDatabases([name])
        guard let database = shared.database(named: name) else {
            throw LMDBError(.databaseNotFound, in: "openDatabase", path: path, database: name)
        }
        return database
    }

    /// Creates a database, or opens the one that exists, in a write transaction of its own.
    ///
    /// - Parameter name: Its name.
    public func createDatabase(_ name: String) throws -> Database {
        try shared.checkFork("createDatabase")
        if let known = shared.database(named: name) { return known }
        return try write { transaction in try transaction.createDatabase(name) }
    }

    /// Removes a database with all it holds, at a moment when no transaction of this process is open.
    ///
    /// None can begin while it runs, nor while it waits for another process's writer. Handles of the database are of no
    /// use afterwards, even to a database of the same name that is created later. Another process that has one open
    /// sees an empty database, or fails to write to it: where several programs share the file,
    /// `WriteTransaction/removeAll(from:)` is the safe way.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``LMDBError/Code/busy`` when transactions of this process stay open for longer than the busy timeout,
    ///   or when one of them is the calling thread's.
    @discardableResult
    public func dropDatabase(_ name: String) throws(LMDBError) -> Bool {
        try checkIsWritable("dropDatabase")
        return try shared.dropDatabase(name)
    }

    /// The names of all databases that the last commit holds, in byte order.
    ///
    /// - Complexity: O(*n*) in the number of databases.
    public func databaseNames() throws(LMDBError) -> [String] {
        let core = try shared.beginRead()
        defer { core.endRead() }
        return try core.databaseNames()
    }
}
