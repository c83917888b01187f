// Errors of the library in the words of the command: its options take the place of Swift functions.

#if CommandLine
import Trove
import TroveSQL

extension Error {
    /// The error in words, with the options of the command as advice.
    var inCommandWords: String {
        switch self {
        case let error as StoreError: error.commandWords ?? "\(error)"
        case let error as LoadError: error.commandWords ?? "\(error)"
        case let error as SQLError: error.commandWords
        default: "\(self)"
        }
    }
}

extension SQLError {
    /// The error with statements in place of Swift functions.
    fileprivate var commandWords: String {
        description.replacing(
            "The closure of read or write is the transaction.",
            with:
                "Each statement of trove sql is a transaction of its own. A program runs several in one: store.write { context in … }."
        ).replacing(
            ", and this call reads only: call sql(_:) of the context of a write transaction.",
            with: ": give --write to allow it."
        ).replacing("Insert with onConflict: .replace to replace it.", with: "INSERT OR REPLACE replaces it.")
    }
}

extension LoadError {
    /// The error with options of `trove load`; nil if its own words fit.
    fileprivate var commandWords: String? {
        switch reason {
        case .store(let error): error.commandWords.map { place + $0 }
        case .missingType:
            place + "the record has no description. Name its type with --type, or begin with a line of a dump."
        case .unknownType(let name):
            "neither the store nor a schema has the type \(name). Give a file with the type: --schema, which takes a schema lock or the output of trove dump --all --limit 0."
        case .ambiguousType(let name, let candidates):
            "several types are named \(name). Give --type with the module: \(candidates.joined(separator: ", "))."
        case .indexesNotKept(let names):
            place
                + "only its program can maintain \(names.joined(separator: ", ")). Leave out --keep-indexes: these are then emptied, and their program rebuilds them."
        default: nil
        }
    }
}

extension StoreError {
    /// The error with subcommands and options as advice; nil if its own words fit.
    fileprivate var commandWords: String? {
        switch self {
        case .record(.keyExists(let type, let key)):
            "A record of \(type) with the key \(key) already exists. Replace such records with --replace, or leave them out with --skip."
        case .record(.notUnique(let type, let index, let key, let existing)):
            "The record of \(type) with the key \(key) has the same values of \(index) as the record with the key \(existing). Change one of them."
        case .record(.checksumMismatch(let type, let key)):
            "The stored \(type) with the key \(key) is damaged: its checksum differs. Restore the store from a copy, or copy all other records with trove salvage."
        case .record(.corrupted(let type, let key, let reason)):
            "The stored \(type)\(key.bytes.isEmpty ? "" : " with the key \(key)") cannot be read: \(reason) Restore the store from a copy, or copy all other records with trove salvage."
        case .record(.indexDamaged(let type, let index, let key)):
            (key.bytes.isEmpty
                ? "\(index) of \(type) is damaged: entries are missing."
                : "An entry of \(index) of \(type) with the key \(key) is damaged, or its record is missing.")
                + " Examine it with trove check, and rebuild it with trove rebuild."
        case .text(.textNotReady(let type, let index, let done, let total)):
            "\(index) of \(type) is not ready: \(done) of \(total) records are done. Its program builds it when it next opens the store: search again afterwards, or name another index with --index."
        case .text(.noFullTextIndex(let type, let properties)) where properties.isEmpty:
            "\(type) has no full-text index. trove info lists the indexes of all types."
        case .text(.noFullTextIndex(let type, let properties)):
            "\(type) has no full-text index with \(properties.sorted().joined(separator: ", ")). trove info lists the indexes of all types."
        case .text(.noPhrases(let type, let index)):
            "\(index) of \(type) keeps no order of words, so it finds no phrases. Search for the words without quotes."
        case .transaction(.readOnly(let path)):
            "\(path) cannot be written. Check the permissions of the file and of its directory."
        case .file(.missing(_, let reason)) where reason.operation == "open":
            "\(self)".replacing(", or open it without isReadOnly to create a store", with: "")
        case .transaction(.writerBusy(let path, let timeout)):
            "Other writers held the lock of \(path) for longer than \(timeout). Try again."
        case .transaction(.tooManyReaders(let path, let limit)):
            "All \(limit) reader slots of \(path) are taken. Try again when other programs have ended their reads."
        case .file(.fileReplaced(let path)):
            "\(path) was moved, removed or replaced while this command had it open. Run the command again."
        case .file(.mapFull(let path, let limit)):
            "A transaction on \(path) needs more space than the map of \(limit) bytes. Load fewer records at once."
        case .schema(.unsupportedMigration(let type, let version)):
            "\(type) has records of version \(version), whose layout is not in the store. Open the store with its program."
        default: nil
        }
    }
}
#endif
