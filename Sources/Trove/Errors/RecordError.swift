// The errors of records.

import TroveCoding

extension StoreError {
    /// An error of a record: of its key, its values, or its stored bytes.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum RecordError: Hashable, Sendable {
        /// A record's key exceeds LMDB's limit.
        case keyTooLarge(type: String, size: Int, limit: Int)
        /// The fields of the record are larger than the limit, in bytes. Nothing was written.
        case valueTooLarge(type: String, size: Int, limit: Int)
        /// The value of a field cannot be encoded.
        case unencodable(type: String, reason: CodingError)
        /// The store already has a record with this key, and the record was inserted with `onConflict: .throw`.
        case keyExists(type: String, key: StoredKey)
        /// Another record has the same values of a unique constraint. `key` is the key of the rejected record,
        /// `existing` the key of the stored record.
        case notUnique(type: String, index: String, key: StoredKey, existing: StoredKey)
        /// A ``CollisionRule/custom(_:)`` rule has called itself: its closure saves the record whose collision it
        /// resolves, or more than 32 records that collide within each other. `key` is the key of the record. Or the
        /// hooks of an entity that ``CollisionRule/upsert`` deletes save its values again: then `key` is the key of
        /// that entity.
        case collisionRuleRepeats(type: String, index: String, key: StoredKey)
        /// The closure of an update, a merge strategy or `willSave` has changed the record's key.
        case keyChanged(type: String, key: StoredKey)
        /// The stored bytes do not have the type's layout; the reason holds the offset.
        case corrupted(type: String, key: StoredKey, reason: CodingError)
        /// The record is intact, but its type refuses a value: of a case that an enum no longer has, or JSON that a
        /// `Codable` type no longer decodes. `field` is the stored name of the property, empty if it is not known.
        case unreadable(type: String, key: StoredKey, field: String, reason: CodingError)
        /// The stored bytes fail their checksum.
        case checksumMismatch(type: String, key: StoredKey)
        /// An index entry is damaged, or its record is missing. `key` is the key of the entry.
        case indexDamaged(type: String, index: String, key: StoredKey)
    }
}

extension StoreError.RecordError {
    /// The maximum number of collision rules that run within each other. Their calls fit on a stack of 512 KB in a
    /// debug build.
    static let collisionLimit = 32
}

extension StoreError.RecordError: CustomStringConvertible {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .keyTooLarge(let type, let size, let limit):
            "A key of \(type) has \(size) bytes; the limit is \(limit). Shorten its components."
        case .valueTooLarge(let type, let size, let limit):
            "A record of \(type) has \(size) bytes; the limit is \(limit). Divide it into several records, or keep the data in a file of its own."
        case .unencodable(let type, let reason):
            "This \(type) cannot be stored: \(reason)"
        case .keyExists(let type, let key):
            "A record of \(type) with the key \(key) already exists. Insert with onConflict: .replace to replace it."
        case .notUnique(let type, let index, let key, let existing):
            "The record of \(type) with the key \(key) has the same values of \(index) as the record with the key \(existing). Change one of the records, or give the constraint another collision rule."
        case .collisionRuleRepeats(let type, let index, let key):
            "The collision rule of \(index) of \(type) would run without end for the record with the key \(key): the rule saved the new record, hooks of a deleted record saved its values again, or more than \(Self.collisionLimit) rules ran within each other. In the rule, change or delete the existing record only: the new record is saved after it. In the hooks, save no values of the deleted record."
        case .keyChanged(let type, let key):
            "The key of the \(type) with the key \(key) was changed by the closure of an update, a merge strategy or the hook willSave. Delete that record, and insert a new record."
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
        }
    }
}

extension StoreError.RecordError {
    /// The key of the record; nil for an error about something else.
    var key: StoredKey? {
        switch self {
        case .keyExists(_, let key),
            .notUnique(_, _, let key, _),
            .collisionRuleRepeats(_, _, let key),
            .keyChanged(_, let key),
            .corrupted(_, let key, _),
            .unreadable(_, let key, _, _),
            .checksumMismatch(_, let key),
            .indexDamaged(_, _, let key):
            key
        // Without a default, so that the compiler reports each new case.
        case .keyTooLarge, .valueTooLarge, .unencodable: nil
        }
    }
}
