// The records that have changed since a position in the history, by type.

import LMDB
import TroveCoding

/// The keys of changed records.
struct ChangedRecords {
    /// The keys of a type.
    enum Keys {
        /// Any record of the type may have changed.
        case all
        case some(Set<[UInt8]>)

        var isAll: Bool {
            if case .all = self { return true }
            return false
        }

        fileprivate mutating func insert(_ key: [UInt8]) {
            guard case .some(var keys) = self else { return }
            self = .all
            keys.insert(key)
            self = .some(keys)
        }
    }

    /// The changed types, by their prefixes.
    private(set) var types: [UInt32: Keys] = [:]
    /// The number of commits.
    fileprivate(set) var commits = 0

    fileprivate mutating func add(_ entry: HistoryEntry) {
        if entry.kind == .any {
            addAll(entry.keyPrefix)
        } else {
            types[entry.keyPrefix, default: .some([])].insert(entry.key)
        }
    }

    fileprivate mutating func addAll(_ keyPrefix: UInt32) { types[keyPrefix] = .all }
}

extension ReadContext {
    /// Returns the records that have changed since a position. Of a type that the history leaves out, these may be all.
    ///
    /// - Throws: The errors of `history(after:limit:)`.
    final func changedRecords(since token: HistoryToken) throws -> ChangedRecords {
        let table = try historyTable(after: token)
        var changed = ChangedRecords()
        for keyPrefix in catalogSnapshot.history?.excluded ?? [] { changed.addAll(keyPrefix) }
        try forEachRow(of: table, after: token) { row in
            for entry in try entries(in: row.changes, of: row, table) { changed.add(entry) }
            if row.part == 0 { changed.commits += 1 }
            return .continue
        }
        return changed
    }
}
