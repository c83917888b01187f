// The changes in a history, without the Swift types.

import TroveCoding

/// A change of a stored record in a commit of the history.
public struct StoredHistoryChange: Sendable {
    /// The name of the type, with its module.
    public let type: String
    /// `inserted`, `updated`, `deleted`, or `any` if any record of the type may have changed.
    public let kind: String
    /// The key of the record; nil if any record may have changed.
    public let key: StoredKey?
    /// What the history keeps of a deleted record: its fields by their stored names; nil for nothing.
    public let tombstone: StoredFields?
}

extension HistoryCommit {
    /// The changes of all types, in the order of types and keys, for tools that have no Swift types.
    public var storedChanges: [StoredHistoryChange] {
        entries.map { entry in
            let type = storedType(entry.keyPrefix)
            let name = type?.qualifiedName ?? TableName.hexadecimal(entry.keyPrefix)
            let isOfCurrentKeys = type.map { SDBM.hash32($0.keyLayout) == entry.keyLayout } ?? false
            let key = isOfCurrentKeys ? type?.storedKey(entry.key) : StoredKey(entry.key, of: name)
            let tombstone = entry.tombstone.flatMap { bytes in
                HistoryTombstone.read(bytes) { layout(entry.keyPrefix, $0) }?.fields
            }
            return StoredHistoryChange(
                type: name, kind: "\(entry.kind)", key: entry.kind == .any ? nil : key, tombstone: tombstone)
        }
    }
}
