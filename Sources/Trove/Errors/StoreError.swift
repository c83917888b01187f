// The one error of a store: what happened, to which record type, key or path, and what to do about it.

import LMDB
import TroveCoding

/// Why a store could not do what it was asked.
///
/// A transaction that throws one leaves the store as it was, with one exception that says so of itself:
/// ``commitFailed(path:outcome:sequence:reason:)`` with an unknown outcome. Earlier commits are never touched.
public enum StoreError: Error, Hashable, Sendable {
    // MARK: Records and keys

    /// A record's key has more bytes than LMDB stores.
    case keyTooLarge(type: String, size: Int, limit: Int)
    /// A field has no bytes that would give it back.
    case unencodable(type: String, reason: CodingError)
    /// The record is there already, and `onConflict: .throw` was asked for.
    case keyExists(type: String, key: [UInt8])
    /// Another record has the same values of a unique constraint. The keys are those of the record that was to be stored,
    /// and of the one that has them.
    case notUnique(type: String, index: String, key: [UInt8], existing: [UInt8])
    /// The stored bytes are not what the type's layout says; the reason holds the offset.
    case corrupted(type: String, key: [UInt8], reason: CodingError)
    /// The stored bytes are not those that were written.
    case checksumMismatch(type: String, key: [UInt8])
    /// The row of an index with this key cannot be read, or leads to no record.
    case indexDamaged(type: String, index: String, key: [UInt8])
    /// The property is not stored, or is only a part of one that is; or a conformance by hand leaves it out of
    /// ``IndexKeyRecord/projection(of:)``.
    case notStored(type: String, property: String)
    /// A query made by hand names components that are not those of the type's key.
    case wrongKeyComponents(type: String, given: String, key: String)
    /// A page of a sorted query was to begin behind the record of a key, and there is none any more.
    case noContinuation(type: String, key: [UInt8])
    /// The closure of an update has changed the record's key.
    case keyChanged(type: String, key: [UInt8])
    /// The sum of a property is more than its type holds.
    case sumOverflow(type: String, property: String)
    /// A text is no value of the key's component that it stands for.
    case notAComponent(type: String, component: String, layout: String, text: String)
    /// The record has a field of a type written by hand: nothing is known of its bytes but the name of their layout.
    case unknownLayout(type: String, layout: String)

    // MARK: Types

    /// The record was stored with a version of its type that no migration handles, and whose layout is not known.
    case unsupportedMigration(type: String, version: UInt32)
    /// The record was stored with a version of its type that the automatic rules do not convert.
    case noConversion(type: String, version: UInt32, reason: ConversionError)
    /// The record was stored with a version of its type that converts, but one of its own values does not. It is intact.
    case unconvertible(type: String, version: UInt32, key: [UInt8], reason: ConversionError)
    /// Two types have the same prefix; `free` is one that neither the store nor this process uses.
    case prefixTaken(path: String, prefix: UInt32, type: String, by: String, free: UInt32)
    /// The version is known with another layout.
    case layoutChanged(path: String, type: String, version: UInt32, stored: String, declared: String)
    /// The key's components are not those with which records are stored, and the store was opened without the type among
    /// its records, so that nothing could be migrated.
    case keyLayoutChanged(path: String, type: String, stored: String, declared: String)
    /// Another program has given the type a newer layout than this program's, or indexes and unique constraints that
    /// this one does not declare. The layouts are those of records.
    case schemaNewer(path: String, type: String, stored: String, declared: String, undeclaredIndexes: [String] = [])
    /// The type has two indexes of one kind, properties and condition.
    case indexDeclaredTwice(type: String, index: String)
    /// An index is made of values that are stored as JSON in part, in which a value can be spelled in several ways.
    case indexOfJSON(type: String, index: String)
    /// The type declares no such index or unique constraint; `indexes` are those that it declares.
    case noSuchIndex(type: String, index: String, indexes: [String])
    /// Records would have to be migrated, and the store was opened with ``MigrationPolicy/refuse``. The plan says how.
    case migrationRefused(path: String, plan: String)
    /// Two records would have the same key after their migration. `records` are the keys that they have now, where they
    /// are known.
    case keysCollide(type: String, key: [UInt8], records: [[UInt8]])

    // MARK: Files

    /// The path names something that is not a store; without a reason, an LMDB file of another program.
    case notAStore(path: String, reason: LMDBError?)
    /// The store was written by a later version of Trove.
    case formatTooNew(path: String, format: Int, supported: Int)
    /// The store was written by a version of Trove whose format this one reads no more.
    case formatTooOld(path: String, format: Int, supported: Int)
    /// The file is shorter than what was committed to it; the sizes are in bytes.
    case truncated(path: String, expected: Int, actual: Int)
    /// The file's own structure is damaged.
    case damaged(path: String, reason: LMDBError)
    /// The file has several names, under which two processes could open it with two locks.
    case hardLinked(path: String)
    /// The lock file was removed or replaced while the store was open: another process may be writing under another
    /// lock.
    case lockFileReplaced(path: String)
    /// The file was moved, removed or replaced while the store was open.
    case fileReplaced(path: String)
    /// The store is open in this process with options that exclude those asked for.
    case openedDifferently(path: String)
    /// There is no store at the path, and it was opened read-only, or its directory is missing.
    case missing(path: String, reason: LMDBError)
    /// The file, its lock file or its directory may not be read or written.
    case noPermission(path: String, reason: LMDBError)
    /// The disk has no room for the commit; all earlier ones are intact.
    case diskFull(path: String, reason: LMDBError)

    // MARK: Commits

    /// The commit could not be written to the disk.
    ///
    /// With the outcome `notCommitted` nothing of it is in the store. With `unknown` it may be: it is there if
    /// ``Store/commitSequence`` is at least `sequence`, provided that nobody has written since.
    case commitFailed(path: String, outcome: CommitOutcome, sequence: UInt64, reason: LMDBError)

    // MARK: Transactions and limits

    /// Other writers, of this process or another, held the lock for longer than the busy timeout.
    case writerBusy(path: String, timeout: Duration)
    /// Other transactions of this process stood in the way for longer than the busy timeout.
    case busy(path: String, reason: LMDBError)
    /// The read was ended because it had lasted longer than the maximum age.
    case readExpired(path: String)
    /// The store was opened before this process was forked off.
    case usedAfterFork(path: String)

    /// A context was used after its closure had returned.
    case transactionEnded(path: String)
    /// A context was used on another thread than its closure's.
    case wrongThread(path: String)
    /// A write was begun on a thread that is inside one.
    case nestedWrite(path: String)
    /// A context was used while a nested transaction of its own is open.
    case nestedTransactionOpen(path: String)
    /// The store was opened read-only.
    case readOnly(path: String)
    /// Every reader slot is taken.
    case tooManyReaders(path: String, limit: Int)
    /// The store has as many tables as it was opened for.
    case tooManyTables(path: String, limit: Int)
    /// The transaction outgrew the map.
    case mapFull(path: String, limit: Int)
    /// What LMDB or the system said, where none of the above names it.
    case storage(LMDBError)
}

extension StoreError {
    /// The error of the layer below, in this one's terms.
    package init(_ error: LMDBError) {
        let path = error.path ?? ""
        self =
            switch error.code {
            case .invalid, .versionMismatch, .emptyFile, .notAFile:
                .notAStore(path: path, reason: error)
            case .noSuchFile: .missing(path: path, reason: error)
            case .permissionDenied, .readOnlyFileSystem: .noPermission(path: path, reason: error)
            case .diskFull: .diskFull(path: path, reason: error)
            case .truncated: .truncated(path: path, expected: error.limit ?? 0, actual: error.size ?? 0)
            case .corrupted, .pageNotFound: .damaged(path: path, reason: error)
            case .hardLinked: .hardLinked(path: path)
            case .lockFileReplaced: .lockFileReplaced(path: path)
            case .fileReplaced: .fileReplaced(path: path)
            case .openedDifferently: .openedDifferently(path: path)
            case .writerBusy: .writerBusy(path: path, timeout: .milliseconds(error.limit ?? 0))
            case .busy, .mapResizedElsewhere: .busy(path: path, reason: error)
            case .readExpired: .readExpired(path: path)
            case .usedAfterFork: .usedAfterFork(path: path)
            case .transactionEnded: .transactionEnded(path: path)
            case .wrongThread: .wrongThread(path: path)
            case .nestedWrite: .nestedWrite(path: path)
            case .nestedTransactionOpen: .nestedTransactionOpen(path: path)
            case .readOnlyEnvironment: .readOnly(path: path)
            case .tooManyReaders: .tooManyReaders(path: path, limit: error.limit ?? 0)
            case .tooManyDatabases: .tooManyTables(path: path, limit: error.limit ?? 0)
            case .mapFull: .mapFull(path: path, limit: error.limit ?? 0)
            default: .storage(error)
            }
    }

    /// The error of a commit that failed.
    init(committing error: LMDBError, sequence: UInt64) {
        let known = StoreError(error)
        switch (error.outcome, known) {
        case (.notCommitted?, .storage), (.unknown?, _):
            self = .commitFailed(
                path: error.path ?? "", outcome: error.outcome ?? .unknown, sequence: sequence, reason: error)
        default: self = known
        }
    }

    /// The error of reading a record.
    @usableFromInline
    init(reading type: String, key: [UInt8], _ error: CodingError) {
        if case .unknownLayout(let layout) = error.reason {
            self = .unknownLayout(type: type, layout: layout)
        } else {
            self = .corrupted(type: type, key: key, reason: error)
        }
    }

    /// The error of writing a record.
    @usableFromInline
    init(writing type: String, _ error: CodingError) {
        if case .keyTooLarge(let size, let limit) = error.reason {
            self = .keyTooLarge(type: type, size: size, limit: limit)
        } else {
            self = .unencodable(type: type, reason: error)
        }
    }
}

/// Runs what speaks to LMDB, and puts its errors into a store's terms.
@inline(__always)
func translatingErrors<R: ~Copyable>(_ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch let error as LMDBError {
        throw StoreError(error)
    }
}
