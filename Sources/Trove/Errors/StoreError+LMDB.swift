// Converting the errors of LMDB.

import LMDB

extension StoreError {
    /// Converts an error of LMDB.
    package init(_ error: LMDBError) {
        let path = error.path ?? ""
        self =
            switch error.code {
            case .invalid, .versionMismatch, .emptyFile, .notAFile, .isADirectory:
                .file(.notAStore(path: path, reason: error))
            // A conversion expects the catalog.
            case .databaseNotFound where error.operation == "convert": .file(.notAStore(path: path, reason: nil))
            case .noSuchFile, .notADirectory: .file(.missing(path: path, reason: error))
            case .permissionDenied, .readOnlyFileSystem: .file(.noPermission(path: path, reason: error))
            case .diskFull: .file(.diskFull(path: path, reason: error))
            case .noAddressSpace: .file(.noAddressSpace(path: path, size: error.limit ?? 0))
            case .truncated: .file(.truncated(path: path, expected: error.limit ?? 0, actual: error.size ?? 0))
            case .corrupted, .pageNotFound: .file(.damaged(path: path, reason: error))
            case .otherFormat:
                .file(.otherEngine(path: path, format: error.format ?? Engine.format, library: Engine.library))
            case .otherEngineInUse: .file(.usedByOtherEngine(path: path, library: Engine.library))
            case .foreignTables, .unsupportedFile: .file(.notConvertible(path: path, reason: error))
            case .hardLinked: .file(.hardLinked(path: path))
            case .lockFileReplaced: .file(.lockFileReplaced(path: path))
            case .fileReplaced: .file(.fileReplaced(path: path))
            case .openedDifferently: .file(.openedDifferently(path: path))
            case .writerBusy: .transaction(.writerBusy(path: path, timeout: .milliseconds(error.limit ?? 0)))
            case .busy, .mapResizedElsewhere: .transaction(.busy(path: path, reason: error))
            case .readExpired: .transaction(.readExpired(path: path))
            case .usedAfterFork: .transaction(.usedAfterFork(path: path))
            case .writerLockOrphaned:
                .transaction(.writerLockOrphaned(path: path, process: error.limit ?? 0))
            case .suspended: .transaction(.suspended(path: path))
            case .environmentClosed: .transaction(.closed(path: path))
            case .closedInTransaction: .transaction(.closedInTransaction(path: path))
            case .transactionEnded: .transaction(.transactionEnded(path: path))
            case .wrongThread: .transaction(.wrongThread(path: path))
            case .nestedWrite: .transaction(.nestedWrite(path: path))
            case .nestedTransactionOpen: .transaction(.nestedTransactionOpen(path: path))
            case .readOnlyEnvironment: .transaction(.readOnly(path: path))
            case .tooManyReaders: .transaction(.tooManyReaders(path: path, limit: error.limit ?? 0))
            case .tooManyDatabases: .transaction(.tooManyTables(path: path, limit: error.limit ?? 0))
            case .optionOutOfRange:
                .file(
                    .invalidOption(
                        path: path, name: error.operation == "maximumDatabases" ? "maximumTables" : error.operation,
                        value: error.size ?? 0, limit: error.limit ?? 0))
            case .mapFull: .file(.mapFull(path: path, limit: error.limit ?? 0))
            default: .file(.storage(error))
            }
    }

    /// Converts an LMDB error of a commit.
    init(committing error: LMDBError, sequence: UInt64) {
        let known = StoreError(error)
        switch (error.outcome, known) {
        case (.notCommitted?, .file(.storage)), (.unknown?, _):
            self = .transaction(
                .commitFailed(
                    path: error.path ?? "", outcome: error.outcome ?? .unknown, sequence: sequence, reason: error))
        default: self = known
        }
    }
}

/// Runs a closure, and converts its LMDB errors to `StoreError`.
@inline(__always)
func translatingErrors<R: ~Copyable>(_ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch let error as LMDBError {
        if error.code == .cancelled { throw CancellationError() }
        throw StoreError(error)
    }
}
