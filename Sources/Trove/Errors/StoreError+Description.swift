// The descriptions of a store's errors.

import LMDB

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension StoreError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .keyTooLarge(let type, let size, let limit):
            "A key of \(type) has \(size) bytes; the limit is \(limit). Shorten its components."
        case .valueTooLarge(let type, let size, let limit):
            "A record of \(type) has \(size) bytes; the limit is \(limit). Divide it into several records, or keep the data in a file of its own."
        case .linkTooLarge(let relation, let key, let size, let limit):
            "The link \(key) of \(relation) needs \(size) bytes for both identifiers; the maximum is \(limit). Use shorter identifiers."
        case .deleteDenied(let type, let key, let relation, let other):
            "The record of \(type) with the key \(key) cannot be deleted: its relation \(relation) leads to the record of \(other.type) with the key \(other), which is stored. Detach or delete that record first."
        case .graphTooDeep(let type, let key, let limit):
            "The graph is nested more than \(limit) levels deep\(key.bytes.isEmpty ? "" : " at the \(type) with the key \(key)"). Save or read it in parts, and link or query the parts by their ids."
        case .hooksTooDeep(let type, let key, let limit):
            "A hook of the \(type) with the key \(key) would be called within \(limit) other hooks. A hook must not save or delete its own entity, or start an endless chain of entities."
        case .relationMismatch(let type, let relation, let inverse):
            "The relation \(relation) of \(type) has the inverse \(inverse), which does not exist or names another inverse. Both relations must name each other."
        case .unencodable(let type, let reason):
            "This \(type) cannot be stored: \(reason)"
        case .keyExists(let type, let key):
            "A record of \(type) with the key \(key) already exists. Insert with onConflict: .replace to replace it."
        case .notUnique(let type, let index, let key, let existing):
            "The record of \(type) with the key \(key) has the same values of \(index) as the record with the key \(existing). Change one of the records, or give the constraint another collision rule."
        case .collisionRuleRepeats(let type, let index, let key):
            "The collision rule of \(index) of \(type) would run without end for the record with the key \(key): the rule saved the new record, hooks of a deleted record saved its values again, or more than \(OpenCollision.limit) rules ran within each other. In the rule, change or delete the existing record only: the new record is saved after it. In the hooks, save no values of the deleted record."
        case .corrupted(let type, let key, let reason):
            "The stored \(type)\(key.bytes.isEmpty ? "" : " with the key \(key)") cannot be read: \(reason) Restore it from a copy."
        case .unreadable(let type, let key, let field, let reason):
            "The stored \(type) with the key \(key) cannot be read: \(field.isEmpty ? "" : field + ": ")\(reason) The record is intact. Make its type accept the value again, replace the record, or delete it; an entity with hooks or kept deletes needs ignoringDamage: true."
        case .checksumMismatch(let type, let key):
            "The stored \(type) with the key \(key) is damaged: its checksum differs. Restore it from a copy, or delete it (detach it, if it is a link) with ignoringDamage: true."
        case .indexDamaged(let type, let index, let key):
            key.bytes.isEmpty
                ? "\(index) of \(type) is damaged: entries are missing. Check it with check(), and rebuild it with rebuild()."
                : "An entry of \(index) of \(type) with the key \(key) is damaged, or its record is missing. Check the index with check(), and rebuild it with rebuild(_:index:)."
        case .textNotReady(let type, let index, let done, let total):
            "\(index) of \(type) is still being built: \(done) of \(total) records are done. A program that declares \(type) builds it when it opens the store: wait until indexesAreReady."
        case .gatheringFailed(let type, let index, let reason):
            "The closure that gathers the texts of \(index) of \(type) has thrown an error: \(reason) Make it return a text, or no text, for each of its keys."
        case .noGatheredText(let type):
            "\(type) has no index of gathered text. Declare one: #FullTextIndex<\(type)>(\"name\", gathering: …)."
        case .unknownAnalyzer(let type, let index, let analyzer):
            "Only the program of \(type) has the analyzer “\(analyzer)” of \(index). Search in that program."
        case .noFullTextIndex(let type, let properties):
            properties.isEmpty
                ? "\(type) has no full-text index. Declare #FullTextIndex<\(type)>."
                : "\(type) has no full-text index with \(properties.sorted().joined(separator: ", ")). Declare an index with them."
        case .notInTextIndex(let type, let properties, let searched):
            "A search of \(searched.joined(separator: ", ")) of \(type) names \(properties.sorted().joined(separator: ", ")), which only another index has. Name properties of the searched index, or search the other by its name: index:."
        case .noPhrases(let type, let index):
            "\(index) of \(type) keeps no order of words, so it finds no phrases. Search for the words without quotes, or declare the index without keepsOrder: false."
        case .idsExhausted(let type, let index):
            "\(index) of \(type) has given all of its 2⁴⁰ numbers. Give new ones: rebuild the indexes of the type with rebuild(_:)."
        case .textTooDeep(let type, let limit):
            "A query for the words of \(type) is nested more than \(limit) queries deep. Join queries beside each other, with all(_:) or any(_:)."
        case .filterTooDeep(let type, let limit):
            "A filter of \(type) is nested more than \(limit) filters deep. Join filters beside each other: a loop that only adds .or, or only adds .and, nests nothing."
        case .noCondition(let type):
            "An or follows a query of \(type) without a condition, which finds all its records already. Put a filter before the or: .filter(…).or(…)."
        case .notStored(let type, let property):
            "\(property) is not a stored property of \(type). Name a stored property, or use a closure: filter(where:), sorted(by:); if the conformance is written by hand, give its KeyProperty or FieldProperty the key path."
        case .notKept(let type, let option):
            "\(type) keeps no \(option == "keepsDeleted" ? "deleted entities" : "times of saves"). Declare it with @EntityModel(\(option): true)."
        case .relationNotStored(let type, let relation, let path):
            "\(path) of \(type) names the relation \(relation), which is not a stored property. Filter by its links: \\.$\(relation) == .id(…), .linked(\\.$\(relation), to: …) or .hasNone(\\.$\(relation)). A condition on the other entities is a query of their own type."
        case .wrongKeyComponents(let type, let given, let key):
            "A query over (\(given)) does not fit \(type), whose key is \(key). Name the leading components of the key in order."
        case .noContinuation(let type, let key):
            "The page cannot continue after the record of \(type) with the key \(key): it no longer exists, or is no longer in the list. Pass the record itself: after(record). In the order of a list, begin with the first page."
        case .keyChanged(let type, let key):
            "The key of the \(type) with the key \(key) was changed by the closure of an update, a merge strategy or the hook willSave. Delete that record, and insert a new record."
        case .changedElsewhere(let type, let key, let properties):
            "The record of \(type) with the key \(key) was changed elsewhere since it was edited here: \(properties.joined(separator: ", ")). Save it with the rule .merge, .mine or .theirs, or revert it."
        case .recordGone(let type, let key):
            "The record of \(type) with the key \(key) was deleted. Save it with the rule .mine to store it again, or revert it."
        case .ofOtherStore(let type, let key, let path):
            "The live object of \(type) with the key \(key) belongs to the store at \(path), and the transaction to another store. Save it in a transaction of its own store; to store a copy here, insert its value."
        case .listIsReading(let type):
            "A closure in the query of a live list of \(type) has called a method that reads the list, for which it would wait. Use the list's properties there, and call the method elsewhere."
        case .sumOverflow(let type, let property):
            "The sum of \(property) of \(type) is too large for its type. Use the average, or sum the values in a larger type."
        case .notAComponent(let type, let component, let layout, let text):
            "“\(text)” is not a valid \(component) of \(type). Give a value of the type \(layout)."
        case .unknownLayout(let type, let layout):
            "\(type) has a field with the layout “\(layout)”, which only its own type can read. Read it in a program that has that type."
        case .layoutDamaged(let type, let layout, let reason):
            "The catalog is damaged: the layout “\(layout)” of \(type) cannot be read: \(reason) Examine the store with trove verify, and restore it from a copy."
        case .layoutMalformed(let type, let layout, let reason):
            "The layout “\(layout)” of \(type) does not follow the grammar of layouts: \(reason) A type that describes itself by a name gives an identifier, such as Money."
        case .unsupportedMigration(let type, let version):
            "A stored \(type) has version \(version), which the declared \(type) cannot read. Implement init(decoding:version:)."
        case .noConversion(let type, let version, let reason):
            "A stored \(type) has version \(version), which the automatic rules do not convert: \(reason)"
        case .unconvertible(let type, let version, let key, let reason):
            "The stored \(type) with the key \(key) has version \(version), and cannot be converted: \(reason) Implement migrate(_:from:) to convert it."
        case .prefixTaken(let path, let prefix, let type, let other, let free, let isDeclared, let isEntity):
            "\(path): "
                + Self.prefixTakenText(
                    prefix, type, other, isDeclared: isDeclared, Self.declaration(prefix, isEntity: isEntity),
                    Self.declaration(free, isEntity: isEntity))
        case .prefixesTaken(let path, let conflicts):
            Self.prefixesTakenText(path, conflicts)
        case .layoutChanged(let path, let type, let version, let stored, let declared):
            "\(path): \(type) has version \(version) with the layout \(declared), but its stored version \(version) has the layout \(stored). Give the new layout a new fieldsVersion."
        case .keyLayoutChanged(let path, let type, let stored, let declared):
            "\(path): the key of \(type) is \(declared), but its stored records have the key \(stored). To migrate them, open the store for writing, with \(type) among its records."
        case .schemaNewer(let path, let type, _, _, let names)
        where names.contains { $0.hasPrefix("incoming relation(") }:
            "\(path): \(type) has \(names.joined(separator: ", ")), but is not declared as an entity, so this program cannot maintain the links. Declare the type with @EntityModel, or use the program that declares it so."
        case .relationNotUnique(let relation, let owner, let targets):
            "The relation \(relation) leads to one record now, but its stored links lead from the record of \(owner.type) with the key \(owner) to the records with the keys \(targets.map(\.description).joined(separator: " and ")). Remove all links of that record except one with the program that declares the relation to many, or leave the relation as it was."
        case .relationChanged(let path, let relation, let stored, let declared):
            "\(path): the links of \(relation) are stored as \(stored), but the program declares \(declared). To migrate them, open the store for writing, with the types of the relation among its records."
        case .schemaNewer(let path, let type, _, _, let names)
        where names.contains { $0.hasPrefix("relation(") && $0.hasSuffix(" now") }:
            "\(path): \(type) has \(names.joined(separator: ", ")), which this program does not declare and cannot maintain. If its property was renamed, keep its links: write @Renamed with the old name before @Relationship. Otherwise declare the relation, use the program that declares it, or drop it with its links: store.dropUndeclaredRelations()."
        case .schemaNewer(let path, let type, _, _, let names) where names.contains { $0.hasPrefix("relation(") }:
            "\(path): \(type) has \(names.joined(separator: ", ")), which this program does not declare and cannot maintain. Declare the relation, use the program that declares it, or drop it with its links: store.dropUndeclaredRelations()."
        case .schemaNewer(let path, let type, _, _, let indexes) where !indexes.isEmpty:
            "\(path): \(type) has \(indexes.joined(separator: ", ")), which this program does not declare and cannot maintain. Use the program that declares them, or drop them: store.dropUndeclaredIndexes(), or migrations: .onOpen.droppingUndeclaredIndexes."
        case .indexDeclaredTwice(let type, let index):
            "\(type) declares \(index) twice. Leave out one of the declarations."
        case .indexOfJSON(let type, let index):
            "\(index) of \(type) covers a value that is partly stored as JSON, where equal values can have different bytes. Declare the types of its parts @RecordValue, or remove the index."
        case .wrongNumberOfTexts(let type, let index, let limit):
            "\(index) of \(type) has no property, or more than \(limit). Declare a full-text index of 1 to \(limit) properties."
        case .noSuchIndex(let type, let index, let indexes):
            "\(type) does not declare \(index). Its indexes are: \(indexes.isEmpty ? "none" : indexes.joined(separator: ", "))."
        case .schemaNewer(let path, let type, let stored, let declared, _):
            "\(path): a newer program has given \(type) the layout \(stored); this program declares \(declared). Use the newer program. If the automatic rules can convert its records back, the store also opens with migrations: .allowOlderLayout."
        case .migrationRefused(let path, let plan):
            "\(path): a migration is necessary, but the store was opened with migrations: .refuse.\n\(plan)"
        case .valuesWouldBeLost(let path, let losses):
            "\(path): a migration would drop values, but the store was opened with migrations: .refusingLoss.\n"
                + losses.map { "  \($0)\n" }.joined()
                + "Declare the fields again, rename them by @Renamed, move their values in migrate(_:from:), or open the store without .refusingLoss."
        case .keysCollide(let type, let key, let records):
            "Two records of \(type) would have the same key \(key) after their migration\(records.isEmpty ? "" : ": the records with the keys \(records.map(\.description).joined(separator: " and "))"). Delete one of them, or implement migrate(_:from:) to give them different keys."
        case .notAFileURL(let url):
            "\(url) is not a file URL. A store is a file of this machine: URL(filePath:) gives the URL of a path."
        case .notAStore(let path, let reason):
            Self.notAStoreText(path, reason)
        case .formatTooNew(let path, _, _, let features) where !features.isEmpty:
            Self.missingFeaturesText(path, features)
        case .formatTooNew(let path, let format, let supported, _):
            "\(path) has format \(format); this version of Trove reads formats up to \(supported). Open it with a later version."
        case .formatTooOld(let path, let format, let supported):
            "\(path) has format \(format); this version of Trove reads format \(supported) and later formats. Open it with an earlier version."
        case .noAddressSpace(let path, let size):
            "\(path) was not opened: the process has no free address space of \(size) bytes for its map. Choose a smaller mapSize, close other stores, or raise the limit of the process (ulimit -v)."
        case .truncated(let path, let expected, let actual):
            "\(path) is truncated: it has \(actual) of \(expected) committed bytes. Restore it from a copy, or recover its records with trove salvage."
        case .damaged(let path, let reason):
            "\(path) is damaged: \(reason) Examine it with trove verify."
        case .verificationFailed(let path, let findings):
            "\(path) is damaged: \(words(findings)). Restore it from a copy, examine it with trove verify, or recover its records with trove salvage."
        case .hardLinked(let path):
            "\(path) has more than one hard link, so that another process could open it with another lock file. Remove all links except one."
        case .lockFileReplaced(let path):
            "The lock file \(path) was removed or replaced while the store was open. Call close() on the store in every process, or end the process; then open it again. Leave the lock file where it is."
        case .fileReplaced(let path):
            "\(path) was moved, removed or replaced while the store was open. Call close() on the store, and open the file under its current name."
        case .openedDifferently(let path):
            "\(path) is already open in this process with other options. Open it with the same isReadOnly and durability, or call close() on the other store first."
        case .commitFailed(let path, .notCommitted, _, let reason):
            "A transaction on \(path) was not committed: \(reason) Write it again after the cause is removed."
        case .commitFailed(let path, .unknown, let sequence, let reason):
            "A transaction on \(path) may or may not have been committed: \(reason) It was committed if commitSequence is at least \(sequence) before the next write."
        case .writerBusy(let path, let timeout):
            "Other writers held the lock of \(path) for longer than \(timeout). Try again, or raise busyTimeout."
        case .busy(let path, let reason):
            "\(path) could not be used: \(reason)"
        case .readExpired(let path):
            "A read of \(path) was ended because it exceeded the maximum age. Read less at once, or raise maximumReadAge."
        case .usedAfterFork(let path):
            "\(path) was opened before this process was forked. Open it again in the child."
        case .missing(let path, let reason): Self.missingText(path, reason)
        case .noPermission(let path, let reason):
            "There is no permission to open \(path): \(reason)"
        case .diskFull(let path, _):
            "The disk of \(path) is full. Free some space, by deleting records or other files, and write again: no commit was lost."
        case .closed(let path):
            "\(path): the store was closed with close(). Open it again: Store(path:)."
        case .closedInTransaction(let path):
            "\(path): close() was called inside the closure of a read or a write, for which it would wait. Call it after the closure has returned."
        case .transactionEnded(let path):
            "A context of \(path) was used after its transaction ended. Use a context only inside its closure."
        case .wrongThread(let path):
            "A context of \(path) was used on a thread other than its closure's thread. Use it only on that thread."
        case .nestedWrite(let path):
            "A write or copy of \(path) was begun inside a write on the same thread. Use context.nested, or copy after the write."
        case .nestedTransactionOpen(let path):
            "A context of \(path) was used while its nested transaction was open. Inside nested, or in a collision rule, use the context that the closure receives. Before insert(contentsOf:) with a lazy sequence that reads, make the sequence an Array; before update, read what its closure needs."
        case .readOnly(let path):
            "\(path) was opened read-only. Open it without isReadOnly to write to it."
        case .tooManyReaders(let path, let limit):
            "All \(limit) reader slots of \(path) are taken. Raise maximumReaders, or end reads sooner."
        case .tooManyTables(let path, let limit):
            "\(path) has \(limit) tables, the maximum that it was opened with. Raise maximumTables."
        case .invalidOption(let path, let name, let value, let limit):
            "\(path) was not opened: \(name) is \(value). Choose a number from 1 to \(limit)."
        case .mapFull(let path, let limit):
            "A transaction on \(path) needs more space than the map of \(limit) bytes. Raise mapSize, or write less at once. Repeat it if the map grows: the map is doubled first. If it does not grow, delete records."
        case .storage(let error):
            "\(error)"
        }
    }
}

extension StoreError: LocalizedError {
    /// The description, for the error's `localizedDescription`.
    public var errorDescription: String? { description }
}

/// Returns the first finding, and the number of the others.
private func words(_ findings: [FileFinding]) -> String {
    let others = findings.count - 1
    let first = findings.first.map { "\($0)" } ?? ""
    return others > 0 ? "\(first), and \(others) other finding\(others == 1 ? "" : "s")" : first
}

/// Returns the first 64 bytes of a key in hexadecimal.
func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = bytes.prefix(64).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return digits.joined() + (bytes.count > 64 ? "…" : "")
}
