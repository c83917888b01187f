// What went wrong below the record store: a raw code that survives even when it is unknown, and the details that go
// with it.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An error of liblmdb, of the operating system below it, or of this wrapper's own checks.
///
/// The code is a struct over the raw number, so that a code which this version does not know is passed on unharmed.
/// Match it as you would an enum:
///
/// ```swift
/// do {
///     try environment.write { transaction in … }
/// } catch let error as LMDBError where error.code == .mapFull {
///     // the map cannot hold the transaction: open with a larger `mapSize`
/// }
/// ```
public struct LMDBError: Error, Hashable, Sendable {
    /// What went wrong.
    public var code: Code
    /// What was being done, in the words of liblmdb (`mdb_put`) or of this module (`write`).
    public var operation: String
    /// The path of the environment's file, where one is known.
    public var path: String?
    /// The name of the database, where the error concerns one.
    public var database: String?
    /// The limit that was reached: bytes, a number, or milliseconds; the size that a truncated file should have.
    public var limit: Int?
    /// The size that a truncated file has, in bytes.
    public var size: Int?
    /// Whether a commit that failed may have taken place all the same; nil where the error is not that of a commit.
    public var outcome: CommitOutcome?
    /// The words of the error that made a transaction unusable, where a closure threw it that was writing a value.
    public var cause: String?

    package init(
        _ code: Code, in operation: String, path: String? = nil, database: String? = nil, limit: Int? = nil
    ) {
        self.code = code
        self.operation = operation
        self.path = path
        self.database = database
        self.limit = limit
    }
}

/// What became of a commit that failed.
public enum CommitOutcome: Hashable, Sendable {
    /// Nothing of it is in the file, now or later.
    case notCommitted
    /// The write that makes it current has failed half-way: it may be there or not, and a power cut may still turn one
    /// into the other. Reading, and writing, goes on with what the file shows.
    case unknown
}

extension LMDBError {
    /// The number behind an error: liblmdb's own (negative, from -30799), the system's `errno` (positive), or one of
    /// this wrapper's (from -20001 down).
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number itself.
        public var rawValue: Int32

        /// Wraps a number, known or not.
        public init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package init(_ rawValue: Int32) {
            self.rawValue = rawValue
        }
    }
}

extension LMDBError.Code {
    /// The file is not an LMDB environment.
    public static let invalid = Self(-30793)
    /// The file was written by an incompatible version of LMDB, or is no LMDB file at all.
    public static let versionMismatch = Self(-30794)
    /// The map cannot hold what the transaction writes.
    public static let mapFull = Self(-30792)
    /// The environment has as many databases as it was opened for.
    public static let tooManyDatabases = Self(-30791)
    /// Every reader slot is taken.
    public static let tooManyReaders = Self(-30790)
    /// A database has flags with which this wrapper does not work, or its name belongs to plain data.
    public static let incompatible = Self(-30784)
    /// A transaction has touched too many pages.
    public static let transactionFull = Self(-30788)
    /// The map was enlarged by another process.
    public static let mapResized = Self(-30785)
    /// The transaction must end: an earlier error made it unusable.
    public static let badTransaction = Self(-30782)
    /// A page is not what its place in the tree demands: the file is damaged.
    public static let corrupted = Self(-30796)
    /// A page that must exist was not found: the file is damaged.
    public static let pageNotFound = Self(-30797)
    /// The meta page could not be written, or the environment is otherwise beyond use until it is opened anew.
    public static let panic = Self(-30795)
    /// The key exists already.
    public static let keyExists = Self(-30799)
    /// There is no such key.
    public static let keyNotFound = Self(-30798)

    /// No such file or directory.
    public static let noSuchFile = Self(2)
    /// An input or output error.
    public static let inputOutput = Self(5)
    /// Not enough memory, or not enough address space for the map.
    public static let outOfMemory = Self(12)
    /// Permission denied.
    public static let permissionDenied = Self(13)
    /// The file exists already.
    public static let fileExists = Self(17)
    /// An argument is not valid.
    public static let invalidArgument = Self(22)
    /// No space is left on the device.
    public static let diskFull = Self(28)
    /// The file system is mounted read-only.
    public static let readOnlyFileSystem = Self(30)

    /// The transaction has ended: it was committed, aborted, or its closure has returned.
    public static let transactionEnded = Self(-20001)
    /// A transaction was used on a thread other than its own.
    public static let wrongThread = Self(-20002)
    /// A write transaction was asked for on a thread that has one open already.
    public static let nestedWrite = Self(-20003)
    /// A transaction was used while a nested transaction of its own is open.
    public static let nestedTransactionOpen = Self(-20004)
    /// The environment was opened before this process was forked off.
    public static let usedAfterFork = Self(-20005)
    /// The file has more than one hard link, which two processes could open under two lock files.
    public static let hardLinked = Self(-20006)
    /// The file exists and is empty.
    public static let emptyFile = Self(-20007)
    /// There is no database of that name.
    public static let databaseNotFound = Self(-20008)
    /// The handle comes from a transaction that did not commit, or belongs to another environment, or was opened after
    /// this transaction began.
    public static let databaseNotUsable = Self(-20009)
    /// A key is empty or longer than liblmdb can store.
    public static let badKeySize = Self(-20010)
    /// A key that was to be appended does not sort last.
    public static let notAscending = Self(-20011)
    /// The map was enlarged by another process, and cannot be adopted while this thread has a transaction open.
    public static let mapResizedElsewhere = Self(-20012)
    /// The environment is open in this process with options that exclude those asked for.
    public static let openedDifferently = Self(-20013)
    /// A write was asked of an environment that was opened read-only.
    public static let readOnlyEnvironment = Self(-20014)
    /// The value is larger than liblmdb can store.
    public static let badValueSize = Self(-20015)
    /// The path names something that is neither a regular file nor a directory.
    public static let notAFile = Self(-20016)
    /// The name of a database is empty, longer than 511 bytes of UTF-8, or contains a NUL.
    public static let badDatabaseName = Self(-20017)
    /// Other transactions of this process were open, or its writers had the turn, for longer than the busy timeout.
    public static let busy = Self(-20018)
    /// A transaction was used by the closure that writes one of its values.
    public static let valueOpen = Self(-20019)
    /// The file is shorter than what was committed to it: it was cut off, or copied in part.
    public static let truncated = Self(-20020)
    /// Other writers, of this process or another, held the lock for longer than the busy timeout.
    public static let writerBusy = Self(-20021)
    /// The lock file was removed or replaced while it was in use.
    public static let lockFileReplaced = Self(-20022)
    /// The data file was moved, removed or replaced while it was in use.
    public static let fileReplaced = Self(-20023)
    /// A temporary environment had to be opened anew, and could not: its file has no name.
    public static let temporaryLost = Self(-20025)
    /// The read transaction was ended because it had lasted longer than the maximum.
    public static let readExpired = Self(-20024)
    /// The file was changed again and again while it was verified.
    public static let changing = Self(-20030)
}

extension LMDBError.Code {
    /// The code of a write that failed.
    ///
    /// liblmdb calls it an input or output error when the disk has taken only a part of what it wrote, which is what a
    /// full disk does: the space that is left tells the two apart.
    ///
    /// - Parameters:
    ///   - code: What liblmdb or the system said.
    ///   - availableBytes: The space on the file's volume, asked for where it matters; nil where it is not known.
    package init(writing code: Int32, availableBytes: @autoclosure () -> UInt64?) {
        self.init(code)
        if code == EDQUOT {
            self = .diskFull
        } else if self == .inputOutput, let available = availableBytes(), available < Self.leastUsableSpace {
            self = .diskFull
        }
    }

    /// Space below which a disk counts as full. Not 0: other programs may have given some back meanwhile.
    private static var leastUsableSpace: UInt64 { 1 << 20 }
}
