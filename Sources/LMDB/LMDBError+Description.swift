// The description of an error: what happened, where, and what to do about it.

extension LMDBError: CustomStringConvertible {
    /// The error, the place, and the advice, in one line.
    public var description: String {
        var text = code.summary ?? Calls.message(code.rawValue)
        if let format { text += " (the file is of \(format), the library is \(Engine.version))" }
        if let limit { text += " (\(code.words(forLimit: limit, size)))" }
        text += " in \(operation)"
        if let database { text += " on database “\(database)”" }
        if let path { text += " at \(path)" }
        if outcome == .unknown { text += ", which may or may not have committed" }
        if let cause { text += ", after an error: \(cause)" }
        if let advice = code.advice { text += "; \(advice)" }
        return text
    }
}

extension LMDBError.Code {
    /// The meaning of this wrapper's own codes; nil where liblmdb or the system has a message.
    var summary: String? {
        switch self {
        case .transactionEnded: "the transaction has ended"
        case .wrongThread: "a transaction was used on a thread other than its own"
        case .nestedWrite: "this thread already has a write transaction open"
        case .nestedTransactionOpen: "the transaction has an open nested transaction"
        case .usedAfterFork: "the environment was opened before this process was forked"
        case .hardLinked: "the file has more than one hard link"
        case .emptyFile: "the file exists and is empty"
        case .databaseNotFound: "the database does not exist"
        case .databaseNotUsable: "the database handle is not usable in this transaction"
        case .badKeySize: "a key is empty or too long"
        case .badValueSize: "a value is too large"
        case .notAscending: "the key does not sort after the last key"
        case .mapResizedElsewhere: "another process has enlarged the map"
        case .openedDifferently: "the file is open in this process with other options"
        case .readOnlyEnvironment: "the environment was opened read-only"
        case .notAFile: "the path names neither a file nor a directory"
        case .badDatabaseName: "the name of a database is empty, too long, or contains a NUL"
        case .busy: "other transactions of this process stayed open for too long"
        case .valueOpen: "a value of this transaction is being written"
        case .truncated: "the file is shorter than its committed size"
        case .writerBusy: "other writers held the lock for longer than the busy timeout"
        case .lockFileReplaced: "the lock file was removed or replaced while in use"
        case .fileReplaced: "the file was moved, removed or replaced while in use"
        case .readExpired: "the read transaction was ended because it exceeded the maximum age"
        case .temporaryLost: "a temporary environment is unusable, and its contents are lost"
        case .environmentClosed: "the environment was closed"
        case .closedInTransaction: "this thread has a transaction open"
        case .optionOutOfRange: "an option is out of its range"
        case .changing: "the file was changed repeatedly while it was read"
        case .noAddressSpace: "the process has no free address space for the map"
        case .otherFormat: "the file has the other format of LMDB"
        case .otherEngineInUse: "the file is in use by another build of liblmdb"
        case .foreignTables: "the file has tables or entries that this library never writes"
        case .suspended: "the environment is suspended"
        case .writerLockOrphaned: "a process died during a write, and the system does not release its writer lock"
        case .cancelled: "the conversion was cancelled"
        case .unsupportedFile: "the file has encryption or checksums of LMDB 1.0, which are not supported"
        default: nil
        }
    }

    fileprivate func words(forLimit limit: Int, _ size: Int?) -> String {
        switch self {
        case .truncated: "\(limit) bytes expected" + (size.map { ", \($0) found" } ?? "")
        case .optionOutOfRange: (size.map { "\($0) is " } ?? "") + "not from 1 to \(limit)"
        case .writerBusy: "\(limit) ms"
        case .noAddressSpace: "\(limit) bytes"
        case .versionMismatch: "version \(limit)"
        case .writerLockOrphaned: "process \(limit)"
        default: "limit \(limit)"
        }
    }

    /// The advice for the error, if there is a single remedy.
    var advice: String? {
        switch self {
        case .mapFull:
            "open with a larger mapSize, write less in one transaction, or repeat it: a growing map is doubled first"
        case .noAddressSpace: "open with a smaller mapSize, close other environments, or \(AddressSpace.advice())"
        case .isADirectory: "name a file in the directory"
        case .badValueSize: "divide the value into several values"
        case .tooManyDatabases: "open with a larger maximumDatabases"
        case .tooManyReaders: "open with a larger maximumReaders, or end read transactions sooner"
        case .transactionFull: "write less in one transaction"
        case .invalid, .versionMismatch: "the path must name an environment of LMDB 0.9 or 1.0"
        case .otherFormat: "convert the file, or load the other release of liblmdb"
        case .otherEngineInUse: "close it in the other process, or let both processes load the same liblmdb"
        case .suspended: "resume it first"
        case .writerLockOrphaned: "close the environment in all processes, or end them; then open it again"
        case .foreignTables: "copy its entries with the program that created it"
        case .unsupportedFile: "copy its entries with the program that created it"
        case .panic: "end the open transactions of this process, and try again"
        case .corrupted, .pageNotFound, .truncated: "restore the file from a copy"
        case .transactionEnded: "use a transaction only inside its closure"
        case .wrongThread: "use a transaction only on the thread that runs its closure"
        case .nestedWrite: "call nested on the open transaction instead"
        case .nestedTransactionOpen: "use the nested transaction until its closure returns"
        case .usedAfterFork: "open the environment again in the child"
        case .hardLinked: "remove its other names, or allow hard links in the options"
        case .emptyFile: "remove the file, and a new environment is created in its place"
        case .databaseNotUsable:
            "open the database before the transaction begins; create it in a transaction that commits"
        case .mapResizedElsewhere: "end this thread's transactions first"
        case .openedDifferently: "open the file with the same options, or release the other reference first"
        case .diskFull: "free some space on the disk or delete, and write again: no commit was lost"
        case .permissionDenied: "check the owner and mode of the file, its lock file and its directory"
        case .noSuchFile: "create the directory first"
        case .changing: "verify a copy, or stop the programs that write to it"
        case .fileExists: "choose a path where there is nothing yet"
        case .badDatabaseName: "choose a name of 1 to 511 bytes"
        case .busy: "end the other transactions, or open with a longer busyTimeout"
        case .writerBusy: "try again, or open with a longer busyTimeout"
        case .lockFileReplaced: "close the environment in every process, and reopen it; never remove a lock file in use"
        case .fileReplaced: "close the environment, and open the file under its current name"
        case .readExpired: "read less at once, or raise the maximum age"
        case .environmentClosed: "open the file again"
        case .closedInTransaction: "close the environment after the closure of the transaction has returned"
        case .temporaryLost: "create a new temporary environment"
        case .valueOpen: "read everything that the value needs before the put"
        case .optionOutOfRange: "choose a number in the range"
        case .incompatible: "choose another name, or copy its contents with the program that created it"
        default: nil
        }
    }
}
