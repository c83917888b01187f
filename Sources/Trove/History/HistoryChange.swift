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
    /// Any record of the type may have changed. Read all records of the type again.
    ///
    /// - The keys of the type have got another layout, in this commit or later.
    /// - The program's own code, such as `migrate(_:from:)`, has converted all older records.
    /// - The history has left the type out until now.
    /// - The type is that of links, or of what is kept of deleted entities: a relation was dropped, or the entities of
    ///   an end have got other keys.
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
