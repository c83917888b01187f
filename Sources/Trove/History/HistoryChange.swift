// A change of a record in the history of a store.

import TroveCoding

/// A change of a record in a commit.
///
/// Later versions can add cases.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum HistoryChange<Record: IndexKeyRecord>: Sendable {
    /// The record is new.
    case inserted(Record.IndexKey)
    /// The record was stored before, and has been written again.
    case updated(Record.IndexKey)
    /// The record was deleted. The tombstone is what the history keeps of it, by
    /// ``HistoryPolicy/keepingDeleted(_:_:)``; nil for nothing.
    case deleted(Record.IndexKey, HistoryTombstone<Record>?)
    /// Any record of the type may have changed: the keys of the type have got another layout in this commit or later.
    /// Read all records of the type again.
    case any

    /// The key of the record; nil for any record.
    public var key: Record.IndexKey? {
        switch self {
        case .inserted(let key), .updated(let key), .deleted(let key, _): key
        case .any: nil
        }
    }
}

extension HistoryChange: CustomStringConvertible {
    /// The kind and the key, such as `inserted(1)`.
    public var description: String {
        switch self {
        case .inserted(let key): "inserted(\(key))"
        case .updated(let key): "updated(\(key))"
        case .deleted(let key, _): "deleted(\(key))"
        case .any: "any"
        }
    }
}

extension HistoryChange: Equatable where Record.IndexKey: Equatable {}
