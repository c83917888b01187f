// The errors of files.

import LMDB

extension StoreError {
    /// An error of a store's file, or any other error of LMDB and of the system.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum FileError: Hashable, Sendable {
        /// The URL is not a file URL.
        case notAFileURL(url: String)
        /// The path is not the path of a store. Without a reason, the file is an LMDB file of another program.
        case notAStore(path: String, reason: LMDBError?)
        /// There is no store at the path, and the store was opened read-only, or its directory is missing.
        case missing(path: String, reason: LMDBError)
        /// The process has no permission to read or write the file, its lock file or its directory.
        case noPermission(path: String, reason: LMDBError)
        /// The disk has no room for the commit; all earlier commits are intact.
        case diskFull(path: String, reason: LMDBError)
        /// The transaction needs more space than the map has.
        case mapFull(path: String, limit: Int)
        /// The process has no free block of address space for the store's map of `size` bytes.
        case noAddressSpace(path: String, size: Int)
        /// An option of the store has a value outside its range, which ends with the limit. No file was created.
        case invalidOption(path: String, name: String, value: Int, limit: Int)
        /// The store was written by a later version of Trove: in a format later than the supported formats, or with
        /// `features` that this version lacks. Without a feature of the group ``StoreFeature/Group/neededToWrite``,
        /// only writing throws.
        case formatTooNew(path: String, format: Int, supported: Int, features: [StoreFeature] = [])
        /// The store was written by an older version of Trove, in a format no longer supported.
        case formatTooOld(path: String, format: Int, supported: Int)
        /// The store is already open in this process, with incompatible options.
        case openedDifferently(path: String)
        /// The file has several hard links: two processes could open it with two lock files.
        case hardLinked(path: String)
        /// The lock file was removed or replaced while the store was open: another process may be writing under another
        /// lock.
        case lockFileReplaced(path: String)
        /// The file was moved, removed or replaced while the store was open.
        case fileReplaced(path: String)
        /// The file is shorter than its committed size; the sizes are in bytes.
        case truncated(path: String, expected: Int, actual: Int)
        /// The file's own structure is damaged.
        case damaged(path: String, reason: LMDBError)
        /// The file has the other format of LMDB, and not that of the loaded library, and was not converted: it was
        /// opened read-only, or with ``StoreOptions/Conversion/never``.
        case otherEngine(path: String, format: FileFormat, library: String)
        /// Another process has the store open with another build of liblmdb. A file can only be used by one at a time.
        case usedByOtherEngine(path: String, library: String)
        /// The file has the other format of LMDB, and cannot be converted: it has something that Trove never writes.
        /// The file is unchanged.
        case notConvertible(path: String, reason: LMDBError)
        /// The store was opened with ``StoreOptions/verifiesFile``, and its pages are damaged. There is at least one
        /// finding, and at most 1,000.
        case verificationFailed(path: String, findings: [FileFinding])
        /// The file has the changes of a store since a commit, and not the store. It is read-only.
        case holdsChangesOnly(path: String)
        /// Any other error of LMDB or of the system.
        case storage(LMDBError)
    }
}

extension StoreError.FileError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .notAFileURL(let url):
            "\(url) is not a file URL. A store is a file of this machine: URL(filePath:) gives the URL of a path."
        case .notAStore(let path, let reason):
            Self.notAStoreText(path, reason)
        case .missing(let path, let reason): Self.missingText(path, reason)
        case .noPermission(let path, let reason):
            "There is no permission to open \(path): \(reason)."
        case .diskFull(let path, _):
            "The disk of \(path) is full. Free some space, by deleting records or other files, and write again: no commit was lost."
        case .mapFull(let path, let limit): Self.mapFullText(path, limit)
        case .noAddressSpace(let path, let size): Self.noAddressSpaceText(path, size)
        case .invalidOption(let path, let name, let value, let limit):
            "\(path) was not opened: \(name) is \(value). Choose a number from 1 to \(limit)."
        case .formatTooNew(let path, _, _, let features) where !features.isEmpty:
            Self.missingFeaturesText(path, features)
        case .formatTooNew(let path, let format, let supported, _):
            "\(path) has format \(format); this version of Trove reads formats up to \(supported). Open it with a later version."
        case .formatTooOld(let path, let format, let supported):
            "\(path) has format \(format); this version of Trove reads format \(supported) and later formats. Open it with an earlier version."
        case .openedDifferently(let path):
            "\(path) is already open in this process with other options. Open it with the same isReadOnly and durability, or call close() on the other store first."
        case .hardLinked(let path):
            "\(path) has more than one hard link, so that another process could open it with another lock file. Remove all links except one."
        case .lockFileReplaced(let path):
            "The lock file \(path) was removed or replaced while the store was open. Call close() on the store in every process, or end the process; then open it again. Leave the lock file where it is."
        case .fileReplaced(let path):
            "\(path) was moved, removed or replaced while the store was open. Call close() on the store, and open the file under its current name."
        case .truncated(let path, let expected, let actual):
            "\(path) is truncated: it has \(actual) of \(expected) committed bytes. Restore it from a copy, or recover its records with trove salvage."
        case .damaged(let path, let reason):
            "\(path) is damaged: \(reason). Examine it with trove verify."
        case .otherEngine(let path, let format, let library):
            "\(path) has the format of \(format), and this process has loaded liblmdb \(library). Open it once for writing, which converts it, or run trove upgrade."
        case .usedByOtherEngine(let path, let library):
            "\(path) is open in another process with another build of liblmdb than \(library), the one of this process. Close it there, or let both processes load the same library."
        case .notConvertible(let path, let reason):
            "\(path) cannot be converted for liblmdb \(Engine.version): \(reason)."
        case .verificationFailed(let path, let findings):
            "\(path) is damaged: \(words(findings)). Restore it from a copy, examine it with trove verify, or recover its records with trove salvage."
        case .holdsChangesOnly(let path):
            "\(path) has the changes of a store since a commit, and not the store itself. Apply it to a copy of the store with trove apply, or with Store.applyChanges(from:to:)."
        case .storage(let error):
            "\(error)"
        }
    }
}

/// Returns the first finding, and the number of the others.
private func words(_ findings: [FileFinding]) -> String {
    let others = findings.count - 1
    let first = findings.first.map { "\($0)" } ?? ""
    return others > 0 ? "\(first), and \(others) other finding\(others == 1 ? "" : "s")" : first
}
