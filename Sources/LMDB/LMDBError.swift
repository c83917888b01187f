// The error of the LMDB layer: a raw code, kept even when unknown, and its details.

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An error of liblmdb, of the operating system below it, or of this wrapper's own checks.
///
/// The code is a struct over the raw number, so a code unknown to this version is passed on unchanged. Match it like an
/// enum:
///
/// ```swift
/// do {
///     try environment.write { transaction in … }
/// } catch let error as LMDBError where error.code == .mapFull {
///     // the map cannot hold the transaction: open with a larger `mapSize`
/// }
/// ```
public struct LMDBError: Error, Hashable, Sendable {
    /// The code of the error.
    public var code: Code
    /// The failed operation, in the words of liblmdb (`mdb_put`) or of this module (`write`).
    public var operation: String
    /// The path of the environment's file, if known.
    public var path: String?
    /// The name of the database, if the error concerns a database.
    public var database: String?
    /// The limit that was reached: bytes, a number, or milliseconds; for a truncated file, its expected size; for an
    /// orphaned writer lock, the number of the process.
    public var limit: Int?
    /// The format of a file that has the other format.
    public var format: FileFormat?
    /// The actual size of a truncated file, in bytes, or an option's value out of its range.
    public var size: Int?
    /// Whether a failed commit may have taken effect nevertheless; nil for errors of other operations.
    public var outcome: CommitOutcome?
    /// The description of an error thrown by a closure while it wrote a value, which made the transaction unusable; or
    /// the reason that a file cannot be converted.
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

extension LMDBError {
    /// The number of an error: liblmdb's own (negative, from -30799), the system's `errno` (positive), or this
    /// wrapper's (from -20001 down).
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
    /// The file was written by an incompatible version of LMDB; or its lock file was.
    public static let versionMismatch = Self(-30794)
    /// The map has no room for the writes of the transaction.
    public static let mapFull = Self(-30792)
    /// The environment has reached its maximum number of databases.
    public static let tooManyDatabases = Self(-30791)
    /// Every reader slot is taken.
    public static let tooManyReaders = Self(-30790)
    /// A database has flags unsupported by this wrapper, or its name belongs to plain data.
    public static let incompatible = Self(-30784)
    /// A transaction has touched too many pages.
    public static let transactionFull = Self(-30788)
    /// The map was enlarged by another process.
    public static let mapResized = Self(-30785)
    /// The transaction must end: an earlier error made it unusable.
    public static let badTransaction = Self(-30782)
    /// A page does not have the content required by its position in the tree: the file is damaged.
    public static let corrupted = Self(-30796)
    /// A required page was not found: the file is damaged.
    public static let pageNotFound = Self(-30797)
    /// The meta page could not be written, or the environment is otherwise unusable until it is opened again.
    public static let panic = Self(-30795)
    /// The handle of a database was closed, or the database removed, during the transaction.
    public static let badDatabase = Self(-30780)
    /// An unexpected state, in LMDB 1.0: the transaction must end.
    public static let problem = Self(-30779)
    /// The checksum of a page is wrong, in LMDB 1.0.
    public static let badChecksum = Self(-30778)
    /// The system accepted only a part of a write, in LMDB 1.0.
    public static let shortWrite = Self(-30772)
    /// The environment or the transaction is read-only, in LMDB 1.0.
    public static let isReadOnly = Self(-30770)
    /// The key exists already.
    public static let keyExists = Self(-30799)
    /// The key does not exist.
    public static let keyNotFound = Self(-30798)

    /// No such file or directory.
    public static let noSuchFile = Self(2)
    /// An input or output error.
    public static let inputOutput = Self(5)
    /// Not enough memory.
    public static let outOfMemory = Self(12)
    /// Permission denied.
    public static let permissionDenied = Self(13)
    /// The file exists already.
    public static let fileExists = Self(17)
    /// A part of the path is not a directory.
    public static let notADirectory = Self(20)
    /// A directory is in the place of a file.
    public static let isADirectory = Self(21)
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
    /// A write transaction was requested on a thread with an open write transaction.
    public static let nestedWrite = Self(-20003)
    /// A transaction was used while a nested transaction inside it was open.
    public static let nestedTransactionOpen = Self(-20004)
    /// The environment was opened before this process was forked.
    public static let usedAfterFork = Self(-20005)
    /// The file has several hard links, which two processes could open with two lock files.
    public static let hardLinked = Self(-20006)
    /// The file exists and is empty.
    public static let emptyFile = Self(-20007)
    /// The database does not exist.
    public static let databaseNotFound = Self(-20008)
    /// The handle was created by an uncommitted transaction, belongs to another environment, or was opened after this
    /// transaction began.
    public static let databaseNotUsable = Self(-20009)
    /// A key is empty, or longer than liblmdb's maximum.
    public static let badKeySize = Self(-20010)
    /// A key to append does not sort last.
    public static let notAscending = Self(-20011)
    /// The map was enlarged by another process, and cannot be adopted while this thread has a transaction open.
    public static let mapResizedElsewhere = Self(-20012)
    /// The environment is open in this process with options that conflict with the requested options.
    public static let openedDifferently = Self(-20013)
    /// A write was requested in a read-only environment.
    public static let readOnlyEnvironment = Self(-20014)
    /// The value is larger than liblmdb's maximum.
    public static let badValueSize = Self(-20015)
    /// The path leads to something other than a regular file or a directory.
    public static let notAFile = Self(-20016)
    /// The name of a database is empty, longer than 511 bytes of UTF-8, or contains a NUL.
    public static let badDatabaseName = Self(-20017)
    /// Other transactions of this process were open, or its writers had the turn, for longer than the busy timeout.
    public static let busy = Self(-20018)
    /// A transaction was used inside a closure that was writing a value of the same transaction.
    public static let valueOpen = Self(-20019)
    /// The file is shorter than its committed size: it was cut off, or copied in part.
    public static let truncated = Self(-20020)
    /// Other writers, of this process or another process, held the lock for longer than the busy timeout.
    public static let writerBusy = Self(-20021)
    /// The lock file was removed or replaced while it was in use.
    public static let lockFileReplaced = Self(-20022)
    /// The data file was moved, removed or replaced while it was in use.
    public static let fileReplaced = Self(-20023)
    /// A temporary environment had to be opened again, but its file has no name.
    public static let temporaryLost = Self(-20025)
    /// The read transaction was ended because it exceeded the maximum age.
    public static let readExpired = Self(-20024)
    /// The environment was closed.
    public static let environmentClosed = Self(-20026)
    /// The environment was to be closed inside a transaction of the same thread.
    public static let closedInTransaction = Self(-20027)
    /// An option is out of its range.
    public static let optionOutOfRange = Self(-20028)
    /// The file was changed repeatedly while it was verified.
    public static let changing = Self(-20030)
    /// The process has no free block of address space for the map.
    public static let noAddressSpace = Self(-20031)
    /// The file has the format of the other LMDB, 0.9 or 1.0, and not that of the loaded library.
    public static let otherFormat = Self(-20032)
    /// Another process has the file open with a build of liblmdb whose lock file is of another kind.
    public static let otherEngineInUse = Self(-20033)
    /// The file cannot be converted: it has tables or entries that this library never writes.
    public static let foreignTables = Self(-20035)
    /// The conversion of the file was cancelled.
    public static let cancelled = Self(-20036)
    /// A process has died during a write, and this system never releases its writer lock; see ``Engine``.
    public static let writerLockOrphaned = Self(-20038)
    /// The environment is suspended.
    public static let suspended = Self(-20037)
    /// The file uses an option of LMDB 1.0 that this library does not support: encryption, or checksums of pages.
    public static let unsupportedFile = Self(-20034)
}

extension LMDBError.Code {
    /// Creates the code of a failed write.
    ///
    /// liblmdb reports an input or output error when the disk accepts only a part of a write, as a full disk does. The
    /// remaining space distinguishes the two cases.
    ///
    /// - Parameters:
    ///   - code: The code from liblmdb or the system.
    ///   - availableBytes: The free space on the file's volume, evaluated only when needed; nil if unknown.
    package init(writing code: Int32, availableBytes: @autoclosure () -> UInt64?) {
        self.init(code)
        if self == .shortWrite { self = .inputOutput }
        if code == EDQUOT {
            self = .diskFull
        } else if self == .inputOutput, let available = availableBytes(), available < Self.leastUsableSpace {
            self = .diskFull
        }
    }

    /// The free space below which a disk counts as full. Not 0: other programs may have freed some space in the
    /// meantime.
    private static var leastUsableSpace: UInt64 { 1 << 20 }
}
