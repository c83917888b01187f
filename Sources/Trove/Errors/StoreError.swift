// The error type of a store: what happened, the record type, key or path, and what to do.

import LMDB
import TroveCoding

/// An error of a store.
///
/// A transaction that throws a `StoreError` leaves the store unchanged. The only exception is
/// ``commitFailed(path:outcome:sequence:reason:)`` with an unknown outcome. Earlier commits are never affected.
///
/// Later versions can add cases. So a `switch` over an error has a `default`, or an `@unknown default` to hear of new
/// cases from the compiler:
///
/// ```swift
/// switch error {
/// case .notUnique(_, let index, _, _): …
/// case .diskFull: …
/// default: throw error
/// }
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum StoreError: Error, Hashable, Sendable {
    // MARK: Records and keys

    /// A record's key exceeds LMDB's limit.
    case keyTooLarge(type: String, size: Int, limit: Int)
    /// The fields of the record are larger than the limit, in bytes. Nothing was written.
    case valueTooLarge(type: String, size: Int, limit: Int)
    /// The identifiers of two entities are too large for a link. `relation` is the relation's name, such as
    /// `Message.chat`, and `key` has both identifiers.
    case linkTooLarge(relation: String, key: StoredKey, size: Int, limit: Int)
    /// An entity with a relation whose delete rule is `deny` was deleted, and an entity that it leads to is still
    /// stored. `key` is the key of the entity, `relation` the relation's name, and `other` the key of the linked
    /// entity.
    case deleteDenied(type: String, key: StoredKey, relation: String, other: StoredKey)
    /// A graph is nested too deeply. `key` is the key of the first entity that is too deep.
    case graphTooDeep(type: String, key: StoredKey, limit: Int)
    /// Too many hooks run within each other, such as a hook that saves its own entity. `key` is the key of the entity
    /// whose hook was to be called next.
    case hooksTooDeep(type: String, key: StoredKey, limit: Int)
    /// The inverse of a relation does not exist, or names another relation as its inverse. `inverse` is the name of the
    /// inverse, such as `Chat.messages`.
    case relationMismatch(type: String, relation: String, inverse: String)
    /// A relation has become a relation to one, and a stored entity has links to several entities. `relation` is the
    /// relation's name with a module, `owner` the key of the entity, and `targets` are the keys of two of the others.
    case relationNotUnique(relation: String, owner: StoredKey, targets: [StoredKey])
    /// The value of a field cannot be encoded.
    case unencodable(type: String, reason: CodingError)
    /// The store already has a record with this key, and the record was inserted with `onConflict: .throw`.
    case keyExists(type: String, key: StoredKey)
    /// Another record has the same values of a unique constraint. `key` is the key of the rejected record, `existing`
    /// the key of the stored record.
    case notUnique(type: String, index: String, key: StoredKey, existing: StoredKey)
    /// A ``CollisionRule/custom(_:)`` rule has called itself: its closure saves the record whose collision it resolves,
    /// or more than 32 records that collide within each other. `key` is the key of the record. Or the hooks of an
    /// entity that ``CollisionRule/upsert`` deletes save its values again: then `key` is the key of that entity.
    case collisionRuleRepeats(type: String, index: String, key: StoredKey)
    /// The stored bytes do not have the type's layout; the reason holds the offset.
    case corrupted(type: String, key: StoredKey, reason: CodingError)
    /// The record is intact, but its type refuses a value: of a case that an enum no longer has, or JSON that a
    /// `Codable` type no longer decodes. `field` is the stored name of the property, empty if it is not known.
    case unreadable(type: String, key: StoredKey, field: String, reason: CodingError)
    /// The stored bytes fail their checksum.
    case checksumMismatch(type: String, key: StoredKey)
    /// An index entry is damaged, or its record is missing. `key` is the key of the entry.
    case indexDamaged(type: String, index: String, key: StoredKey)
    /// A full-text index has given 2⁴⁰ numbers to records, or to words.
    case idsExhausted(type: String, index: String)
    /// A query of words needs a full-text index that is still being built: of `total` records, `done` are in it.
    case textNotReady(type: String, index: String, done: Int, total: Int)
    /// The closure of an index of gathered text has thrown an error, which `reason` describes.
    case gatheringFailed(type: String, index: String, reason: String)
    /// A call about gathered text names a type without an index of gathered text.
    case noGatheredText(type: String)
    /// A stored full-text index has an analyzer that only its own program has, such as `codes/1`.
    case unknownAnalyzer(type: String, index: String, analyzer: String)
    /// A query of words names properties that no full-text index of the type has, or the type has no such index.
    case noFullTextIndex(type: String, properties: Set<String>)
    /// A query of words names properties that the searched full-text indexes do not have, and other indexes do.
    case notInTextIndex(type: String, properties: Set<String>, searched: [String])
    /// A phrase needs the order of words, which a full-text index with `keepsOrder: false` does not keep.
    case noPhrases(type: String, index: String)
    /// The queries of a query of words are nested more than `limit` deep.
    case textTooDeep(type: String, limit: Int)
    /// The `and`, `or` and `not` of a filter are nested more than `limit` deep.
    case filterTooDeep(type: String, limit: Int)
    /// An `or` follows a query for a range of keys without a condition, which finds all its records already.
    case noCondition(type: String)
    /// The property is not stored, or is a part of a stored property; or the schema of a conformance written by hand
    /// does not have its key path.
    case notStored(type: String, property: String)
    /// The type does not keep the records that the call reads or writes: the times of its entities' saves, or its
    /// deleted entities. The option is the argument of `@EntityModel`, such as `keepsDeleted`.
    case notKept(type: String, option: String)
    /// A query names a relation, or a part of its targets, as if it was a stored property. `path` is the key path, such
    /// as `\.folder?.id`.
    case relationNotStored(type: String, relation: String, path: String)
    /// A query written by hand names components other than the components of the type's key.
    case wrongKeyComponents(type: String, given: String, key: String)
    /// A page of a sorted query starts after a deleted record; or a page in the order of links, after an entity that is
    /// no longer linked.
    case noContinuation(type: String, key: StoredKey)
    /// The closure of an update, a merge strategy or `willSave` has changed the record's key.
    case keyChanged(type: String, key: StoredKey)
    /// A live object was saved with the rule ``EditConflictRule/throw``, and its record was changed elsewhere since it
    /// was edited. `properties` are the stored names of the properties changed elsewhere.
    case changedElsewhere(type: String, key: StoredKey, properties: [String])
    /// A live object was saved, and its record was deleted.
    case recordGone(type: String, key: StoredKey)
    /// A live object was saved or deleted in a transaction of another store. `path` is the path of its own store.
    case ofOtherStore(type: String, key: StoredKey, path: String)
    /// A closure of a live list's query has called a method that reads pages of the same list.
    case listIsReading(type: String)
    /// The sum of a property is too large for its type.
    case sumOverflow(type: String, property: String)
    /// A text is not a valid value of a key component.
    case notAComponent(type: String, component: String, layout: String, text: String)
    /// The record has a field of a type with a hand-written coding. Its layout gives only a name, so only the type can
    /// read the bytes.
    case unknownLayout(type: String, layout: String)

    // MARK: Types

    /// A layout in the catalog does not follow the grammar of layouts: the catalog is damaged.
    case layoutDamaged(type: String, layout: String, reason: CodingError)
    /// The type describes a part of itself by text that does not follow the grammar of layouts.
    case layoutMalformed(type: String, layout: String, reason: CodingError)
    /// No migration handles the record's version, and the layout of the version is not known.
    case unsupportedMigration(type: String, version: UInt32)
    /// The automatic rules do not convert the record's version.
    case noConversion(type: String, version: UInt32, reason: ConversionError)
    /// The automatic rules convert the record's version, but not a value of this record. The record is intact.
    case unconvertible(type: String, version: UInt32, key: StoredKey, reason: ConversionError)
    /// Two types have the same prefix; `free` is a prefix unused by the store and by this process.
    ///
    /// If only the store has the other type, it may be the same type under an older name or in another module: with the
    /// prefix set by hand, the type keeps its records. `isDeclared` is true if this process has declared both types.
    case prefixTaken(
        path: String, prefix: UInt32, type: String, by: String, free: UInt32, isDeclared: Bool, isEntity: Bool = false)
    /// Several types have the prefixes of other types; each of `conflicts` is a
    /// ``prefixTaken(path:prefix:type:by:free:isDeclared:isEntity:)``.
    case prefixesTaken(path: String, conflicts: [StoreError])
    /// The version is already stored with another layout.
    case layoutChanged(path: String, type: String, version: UInt32, stored: String, declared: String)
    /// The type's key differs from the key of the stored records. They were not migrated because the store was opened
    /// without the type among its records.
    case keyLayoutChanged(path: String, type: String, stored: String, declared: String)
    /// The stored links of a relation have another form than the declared relation. They were not migrated because the
    /// store was opened without the type among its records.
    case relationChanged(path: String, relation: String, stored: String, declared: String)
    /// Another program has given the type a newer layout, or indexes, unique constraints and relations missing in this
    /// program. The layouts are the layouts of the records. `undeclaredIndexes` also names relations, such as
    /// `relation(chat)`, or `relation(chat), perhaps room now` if it may have been renamed. For a type that is not an
    /// entity, it names the relations that lead to it, such as `incoming relation(Message.author)`.
    case schemaNewer(path: String, type: String, stored: String, declared: String, undeclaredIndexes: [String] = [])
    /// The type declares two indexes with the same kind, properties and condition.
    case indexDeclaredTwice(type: String, index: String)
    /// An index covers values partly stored as JSON: equal values can have different bytes.
    case indexOfJSON(type: String, index: String)
    /// The type declares a full-text index of no property, or of more than `limit`.
    case wrongNumberOfTexts(type: String, index: String, limit: Int)
    /// The type does not declare the index or unique constraint; `indexes` lists its declared indexes.
    case noSuchIndex(type: String, index: String, indexes: [String])
    /// Records need a migration, and the store was opened with ``MigrationPolicy/refuse``. The plan describes the
    /// migration.
    case migrationRefused(path: String, plan: String)
    /// A migration would drop values, and the store was opened with ``MigrationPolicy/refusingLoss``. Nothing of these
    /// types has been rewritten.
    case valuesWouldBeLost(path: String, losses: [FieldLoss])
    /// Two records would have the same key after their migration. `records` are their current keys, if known.
    case keysCollide(type: String, key: StoredKey, records: [StoredKey])

    // MARK: Files

    /// The URL is not a file URL.
    case notAFileURL(url: String)
    /// The path is not the path of a store. Without a reason, the file is an LMDB file of another program.
    case notAStore(path: String, reason: LMDBError?)
    /// The store was written by a later version of Trove: in a format later than the supported formats, or with
    /// `features` that this version lacks. Without a feature of the group ``StoreFeature/Group/neededToWrite``, only
    /// writing throws.
    case formatTooNew(path: String, format: Int, supported: Int, features: [StoreFeature] = [])
    /// The store was written by an older version of Trove, in a format no longer supported.
    case formatTooOld(path: String, format: Int, supported: Int)
    /// The process has no free block of address space for the store's map of `size` bytes.
    case noAddressSpace(path: String, size: Int)
    /// The file is shorter than its committed size; the sizes are in bytes.
    case truncated(path: String, expected: Int, actual: Int)
    /// The file's own structure is damaged.
    case damaged(path: String, reason: LMDBError)
    /// The store was opened with ``StoreOptions/verifiesFile``, and its pages are damaged. There is at least one
    /// finding, and at most 1,000.
    case verificationFailed(path: String, findings: [FileFinding])
    /// The file has several hard links: two processes could open it with two lock files.
    case hardLinked(path: String)
    /// The lock file was removed or replaced while the store was open: another process may be writing under another
    /// lock.
    case lockFileReplaced(path: String)
    /// The file was moved, removed or replaced while the store was open.
    case fileReplaced(path: String)
    /// The store is already open in this process, with incompatible options.
    case openedDifferently(path: String)
    /// There is no store at the path, and the store was opened read-only, or its directory is missing.
    case missing(path: String, reason: LMDBError)
    /// The process has no permission to read or write the file, its lock file or its directory.
    case noPermission(path: String, reason: LMDBError)
    /// The disk has no room for the commit; all earlier commits are intact.
    case diskFull(path: String, reason: LMDBError)

    // MARK: Commits

    /// The commit could not be written to disk.
    ///
    /// With the outcome `notCommitted`, the store has no change of the transaction. With `unknown`, the store may have
    /// all of its changes: they are committed if ``Store/commitSequence`` is at least `sequence`, provided that nothing
    /// else was written since.
    case commitFailed(path: String, outcome: CommitOutcome, sequence: UInt64, reason: LMDBError)

    // MARK: Transactions and limits

    /// Other writers, of this process or another, held the lock for longer than the busy timeout.
    case writerBusy(path: String, timeout: Duration)
    /// Other transactions of this process stayed open for longer than the busy timeout.
    case busy(path: String, reason: LMDBError)
    /// The read was ended because it exceeded the maximum age.
    case readExpired(path: String)
    /// The store was opened before this process was forked.
    case usedAfterFork(path: String)

    /// The store was closed.
    case closed(path: String)
    /// The store was to be closed inside the closure of a read or a write.
    case closedInTransaction(path: String)
    /// A context was used after its closure had returned.
    case transactionEnded(path: String)
    /// A context was used on a thread other than its closure's thread.
    case wrongThread(path: String)
    /// A write was begun inside another write on the same thread.
    case nestedWrite(path: String)
    /// A context was used while its nested transaction was open.
    case nestedTransactionOpen(path: String)
    /// The store was opened read-only.
    case readOnly(path: String)
    /// All reader slots are taken.
    case tooManyReaders(path: String, limit: Int)
    /// The store has the maximum number of tables.
    case tooManyTables(path: String, limit: Int)
    /// An option of the store has a value outside its range, which ends with the limit. No file was created.
    case invalidOption(path: String, name: String, value: Int, limit: Int)
    /// The transaction needs more space than the map has.
    case mapFull(path: String, limit: Int)
    /// Any other error of LMDB or of the system.
    case storage(LMDBError)
}

extension StoreError {
    /// Converts an error of LMDB.
    package init(_ error: LMDBError) {
        let path = error.path ?? ""
        self =
            switch error.code {
            case .invalid, .versionMismatch, .emptyFile, .notAFile, .isADirectory:
                .notAStore(path: path, reason: error)
            case .noSuchFile, .notADirectory: .missing(path: path, reason: error)
            case .permissionDenied, .readOnlyFileSystem: .noPermission(path: path, reason: error)
            case .diskFull: .diskFull(path: path, reason: error)
            case .noAddressSpace: .noAddressSpace(path: path, size: error.limit ?? 0)
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
            case .environmentClosed: .closed(path: path)
            case .closedInTransaction: .closedInTransaction(path: path)
            case .transactionEnded: .transactionEnded(path: path)
            case .wrongThread: .wrongThread(path: path)
            case .nestedWrite: .nestedWrite(path: path)
            case .nestedTransactionOpen: .nestedTransactionOpen(path: path)
            case .readOnlyEnvironment: .readOnly(path: path)
            case .tooManyReaders: .tooManyReaders(path: path, limit: error.limit ?? 0)
            case .tooManyDatabases: .tooManyTables(path: path, limit: error.limit ?? 0)
            case .optionOutOfRange:
                .invalidOption(
                    path: path, name: error.operation == "maximumDatabases" ? "maximumTables" : error.operation,
                    value: error.size ?? 0, limit: error.limit ?? 0)
            case .mapFull: .mapFull(path: path, limit: error.limit ?? 0)
            default: .storage(error)
            }
    }

    /// Converts an LMDB error of a commit.
    init(committing error: LMDBError, sequence: UInt64) {
        let known = StoreError(error)
        switch (error.outcome, known) {
        case (.notCommitted?, .storage), (.unknown?, _):
            self = .commitFailed(
                path: error.path ?? "", outcome: error.outcome ?? .unknown, sequence: sequence, reason: error)
        default: self = known
        }
    }

    /// Converts an error of reading a record.
    @usableFromInline
    init(reading key: StoredKey, _ error: CodingError) {
        if case .unknownLayout(let layout) = error.reason {
            self = .unknownLayout(type: key.type, layout: layout)
        } else {
            self = .corrupted(type: key.type, key: key, reason: error)
        }
    }

    /// Converts an error of encoding a record.
    @usableFromInline
    init(writing type: String, _ error: CodingError) {
        switch error.reason {
        case .keyTooLarge(let size, let limit): self = .keyTooLarge(type: type, size: size, limit: limit)
        case .valueTooLarge(let size, let limit): self = .valueTooLarge(type: type, size: size, limit: limit)
        default: self = .unencodable(type: type, reason: error)
        }
    }
}

/// Runs a closure, and converts its LMDB errors to `StoreError`.
@inline(__always)
func translatingErrors<R: ~Copyable>(_ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch let error as LMDBError {
        throw StoreError(error)
    }
}
