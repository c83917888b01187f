// The error type of a store: what happened, the record type, key or path, and what to do.

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An error of a store.
///
/// A transaction that throws a `StoreError` leaves the store unchanged. The only exception is
/// ``TransactionError/commitFailed(path:outcome:sequence:reason:)`` with an unknown outcome. Earlier commits are never
/// affected.
///
/// Later versions can add cases. So a `switch` over an error has a `default`, or an `@unknown default` to hear of new
/// cases from the compiler:
///
/// ```swift
/// switch error {
/// case .record(.notUnique(_, let index, _, _)): …
/// case .file(.diskFull): …
/// default: throw error
/// }
/// ```
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum StoreError: Error, Hashable, Sendable {
    /// An error of a record: of its key, its values, or its stored bytes.
    case record(RecordError)
    /// An error of a query, of a filter, or of a key path that names no stored property.
    case query(QueryError)
    /// An error of an entity, or of its relations.
    case entity(EntityError)
    /// An error of a search, or of a full-text index.
    case text(TextError)
    /// An error of a live object, or of a live list.
    case live(LiveError)
    /// An error of the history of commits.
    case history(HistoryError)
    /// An error of a declared type: it does not fit the stored types, or its records cannot be migrated.
    case schema(SchemaError)
    /// An error of a store's file, or any other error of LMDB and of the system.
    case file(FileError)
    /// An error of a transaction: of its commit, or of the use of its context.
    case transaction(TransactionError)
}

extension StoreError: CustomStringConvertible, LocalizedError {
    /// The error in words: what happened, where, and what to do.
    public var description: String {
        switch self {
        case .record(let error): error.description
        case .query(let error): error.description
        case .entity(let error): error.description
        case .text(let error): error.description
        case .live(let error): error.description
        case .history(let error): error.description
        case .schema(let error): error.description
        case .file(let error): error.description
        case .transaction(let error): error.description
        }
    }

    /// The description, for the error's `localizedDescription`.
    public var errorDescription: String? { description }
}

extension StoreError {
    /// The key of the record; nil for an error about something else.
    ///
    /// It is the key of the rejected record in ``RecordError/notUnique(type:index:key:existing:)``, the new key in
    /// ``SchemaError/keysCollide(type:key:records:)``, and the key of the index entry in
    /// ``RecordError/indexDamaged(type:index:key:)``.
    public var key: StoredKey? {
        switch self {
        case .record(let error): error.key
        case .query(let error): error.key
        case .entity(let error): error.key
        case .live(let error): error.key
        case .schema(let error): error.key
        // No case of these kinds has a key.
        case .text, .history, .file, .transaction: nil
        }
    }
}
