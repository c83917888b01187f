// The words of a store's errors.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StoreError: CustomStringConvertible {
    /// What happened, where, and what to do.
    public var description: String {
        switch self {
        case .keyTooLarge(let type, let size, let limit):
            "A key of \(type) has \(size) bytes, and at most \(limit) are possible. Shorten its components."
        case .unencodable(let type, let reason):
            "This \(type) cannot be stored: \(reason)"
        case .keyExists(let type, let key):
            "A record of \(type) with the key \(hexadecimal(key)) is there already. Insert with onConflict: .replace to replace it."
        case .notUnique(let type, let index, let key, let existing):
            "The record of \(type) with the key \(hexadecimal(key)) has the values of \(index) that the one with the key \(hexadecimal(existing)) has. Change one of them, or give the constraint another collision rule."
        case .corrupted(let type, let key, let reason):
            "The stored \(type) with the key \(hexadecimal(key)) cannot be read: \(reason) Restore it from a copy."
        case .checksumMismatch(let type, let key):
            "The stored \(type) with the key \(hexadecimal(key)) is damaged: its checksum differs. Restore it from a copy, or delete it with ignoringDamage: true."
        case .indexDamaged(let type, let index, let key):
            "An entry of \(index) of \(type) with the key \(hexadecimal(key)) is damaged, or its record is missing. Check the index with check(), and rebuild it with rebuild(_:index:)."
        case .notStored(let type, let property):
            "Nothing says where \(property) is stored. Name a stored property of \(type); where the conformance is written by hand, let its projection(of:) give this one."
        case .wrongKeyComponents(let type, let given, let key):
            "A query over (\(given)) does not fit \(type), whose key is \(key). Name its leading components in order."
        case .noContinuation(let type, let key):
            "A page of \(type) was to begin behind the record with the key \(hexadecimal(key)), which is gone. Go on after the record itself: after(record)."
        case .keyChanged(let type, let key):
            "An update of \(type) has changed the key of the record with the key \(hexadecimal(key)). Delete that record and insert another."
        case .sumOverflow(let type, let property):
            "The sum of \(property) of \(type) is more than its type holds. Take the average, or sum it in a larger type."
        case .notAComponent(let type, let component, let layout, let text):
            "“\(text)” is no \(component) of \(type), which is of the type \(layout). Give a value of that type."
        case .unknownLayout(let type, let layout):
            "\(type) has a field with the layout “\(layout)”, which its own type alone can read. Read it in a program that has that type."
        case .unsupportedMigration(let type, let version):
            "A stored \(type) has version \(version), which this \(type) cannot read. Implement init(decoding:version:)."
        case .noConversion(let type, let version, let reason):
            "A stored \(type) has version \(version), which does not become this \(type) by itself: \(reason)"
        case .unconvertible(let type, let version, let key, let reason):
            "The stored \(type) with the key \(hexadecimal(key)) has version \(version), and a value that does not become this \(type): \(reason) Implement migrate(_:from:) to say what it becomes."
        case .prefixTaken(let path, _, let type, let other, let free) where type == other:
            "\(path): two types are named \(type). Give one a prefix of its own: @IndexKeyRecord(keyPrefix: \(free), …)."
        case .prefixTaken(let path, let prefix, let type, let other, let free):
            "\(path): \(type) and \(other) have the same keyPrefix \(prefix). Give \(type) one of its own: @IndexKeyRecord(keyPrefix: \(free), …)."
        case .layoutChanged(let path, let type, let version, let stored, let declared):
            "\(path): \(type) has version \(version) with the layout \(declared), but is stored under it with \(stored). Give the new layout a new fieldsVersion."
        case .keyLayoutChanged(let path, let type, let stored, let declared):
            "\(path): the key of \(type) is \(declared), but its stored records have the key \(stored). Open the store for writing, with \(type) among its records: they are migrated then."
        case .schemaNewer(let path, let type, _, _, let tables) where !tables.isEmpty:
            "\(path): \(type) has \(tables.joined(separator: ", ")), which this program does not declare, and would leave behind. Use the program that does, or give them up: store.dropUndeclaredIndexes()."
        case .indexDeclaredTwice(let type, let index):
            "\(type) declares \(index) twice. Leave out one of the two."
        case .indexOfJSON(let type, let index):
            "\(index) of \(type) covers a value that is partly stored as JSON, where equal values can have different bytes. Declare the types of its parts @RecordValue, or remove the index."
        case .noSuchIndex(let type, let index, let indexes):
            "\(type) does not declare \(index). Its indexes are: \(indexes.isEmpty ? "none" : indexes.joined(separator: ", "))."
        case .schemaNewer(let path, let type, let stored, let declared, _):
            "\(path): \(type) was given the layout \(stored) by a newer program; this one knows \(declared). Use the newer program, or open the store with migrations: .allowOlderLayout."
        case .migrationRefused(let path, let plan):
            "\(path): records have to be migrated, and the store was opened with migrations: .refuse.\n\(plan)"
        case .keysCollide(let type, let key, let records):
            "Two records of \(type) would have the same key \(hexadecimal(key)) after their migration\(records.isEmpty ? "" : ", those with the keys \(records.map(hexadecimal).joined(separator: " and "))"). Delete one of them, or implement migrate(_:from:) to tell them apart."
        case .notAStore(let path, let reason):
            "\(path) is not a store: " + (reason.map { "\($0)" } ?? "it is an LMDB file of another program.")
        case .formatTooNew(let path, let format, let supported):
            "\(path) has format \(format); this version of Trove reads up to \(supported). Open it with a later version."
        case .formatTooOld(let path, let format, let supported):
            "\(path) has format \(format); this version of Trove reads from \(supported) on. Open it with an earlier version."
        case .truncated(let path, let expected, let actual):
            "\(path) was cut off: it has \(actual) bytes, and \(expected) were committed. Restore it from a copy, or save what is left with trove salvage."
        case .damaged(let path, let reason):
            "\(path) is damaged: \(reason) Look at it with trove verify."
        case .hardLinked(let path):
            "\(path) has a second hard link, which another process could open under another lock. Remove one of them."
        case .lockFileReplaced(let path):
            "The lock file \(path) was removed or replaced while in use. Close the store in every process, and open it anew."
        case .fileReplaced(let path):
            "\(path) was moved, removed or replaced while the store was open. Close it, and open the file by its present name."
        case .openedDifferently(let path):
            "\(path) is open in this process with other options. Open it with the same isReadOnly and durability."
        case .commitFailed(let path, .notCommitted, _, let reason):
            "A transaction on \(path) was not committed: \(reason) Write it again when the cause is gone."
        case .commitFailed(let path, .unknown, let sequence, let reason):
            "A transaction on \(path) may or may not have been committed: \(reason) It was, if commitSequence is \(sequence) or more before anything else is written."
        case .writerBusy(let path, let timeout):
            "Other writers have kept \(path) locked for longer than \(timeout). Try again, or raise busyTimeout."
        case .busy(let path, let reason):
            "\(path) could not be used: \(reason)"
        case .readExpired(let path):
            "A read of \(path) was ended at its maximum age. Read less at once, or raise maximumReadAge."
        case .usedAfterFork(let path):
            "\(path) was opened before this process was forked off. Open it in the child."
        case .missing(let path, _):
            "There is no store at \(path), and none can be created there. Create its directory, or open it for writing."
        case .noPermission(let path, let reason):
            "\(path) may not be opened: \(reason)"
        case .diskFull(let path, _):
            "The disk of \(path) is full. Free some space and write again: nothing committed was lost."
        case .transactionEnded(let path):
            "A context of \(path) was used after its transaction had ended. Use it only inside its closure."
        case .wrongThread(let path):
            "A context of \(path) was used on another thread than its closure's. Use it only there."
        case .nestedWrite(let path):
            "A write or copy of \(path) was begun inside a write on the same thread. Use context.nested, or copy after it."
        case .nestedTransactionOpen(let path):
            "A context of \(path) was used while a nested one of its own is open. Use the nested one until it ends."
        case .readOnly(let path):
            "\(path) was opened read-only. Open it without isReadOnly to write to it."
        case .tooManyReaders(let path, let limit):
            "\(path) has \(limit) readers, the most it was opened for. Raise maximumReaders, or end reads sooner."
        case .tooManyTables(let path, let limit):
            "\(path) has \(limit) tables, the most it was opened for. Raise maximumTables."
        case .mapFull(let path, let limit):
            "A transaction on \(path) outgrew the map of \(limit) bytes. Raise mapSize, or write less at once."
        case .storage(let error):
            "\(error)"
        }
    }
}

extension StoreError: LocalizedError {
    /// The same words, for those who ask for the error's `localizedDescription`.
    public var errorDescription: String? { description }
}

/// The bytes of a key as an error shows them: at most 64, two digits each.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = bytes.prefix(64).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return digits.joined() + (bytes.count > 64 ? "…" : "")
}
