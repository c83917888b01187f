// The changes in a history, without the Swift types.

import TroveCoding

/// A change of a stored record in a commit of the history.
public struct StoredHistoryChange: Sendable {
    /// The kind of a change.
    ///
    /// Later versions can add cases.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Kind: String, Sendable {
        /// The record is new.
        case inserted
        /// The record was stored before, and has been written again.
        case updated
        /// The record was deleted.
        case deleted
        /// Any record of the type may have changed.
        case any
    }

    /// The name of the type, with its module.
    public let type: String
    /// The kind of the change.
    public let kind: Kind
    /// The key of the record; nil if any record may have changed.
    public let key: StoredKey?
    /// What the history keeps of a deleted record: its fields by their stored names; nil for nothing.
    public let tombstone: StoredFields?
    /// The identity of the type.
    package let keyPrefix: UInt32
}

/// The number of changes of a type in a commit, by their kinds.
package struct StoredHistoryCounts: Sendable {
    /// The name of the type, with its module.
    package let type: String
    /// Whether the store has the type.
    package let isStored: Bool
    package fileprivate(set) var inserted = 0
    package fileprivate(set) var updated = 0
    package fileprivate(set) var deleted = 0
    /// Whether any record of the type may have changed.
    package fileprivate(set) var isOfAnyRecord = false
}

extension HistoryCommit {
    /// The changes of all types, in the order of types and keys, for tools that have no Swift types.
    public var storedChanges: [StoredHistoryChange] { stored(entries[...]) }

    /// The number of changes.
    package var changeCount: Int { entries.count }

    /// Returns some changes, by their positions in ``storedChanges``.
    package func storedChanges(_ positions: Range<Int>) -> [StoredHistoryChange] {
        stored(entries[positions])
    }

    /// Returns the change of a record; nil if the commit has not changed it.
    package func storedChange(ofRecord key: [UInt8], of type: StoredType) -> StoredHistoryChange? {
        let own = storedType(type.keyPrefix)?.hashesOfEqualKeyLayouts ?? []
        let entry = entries.first { entry in
            guard entry.keyPrefix == type.keyPrefix else { return false }
            return entry.kind == .any || own.contains(entry.keyLayout) && entry.key == key
        }
        return entry.flatMap { stored([$0]).first }
    }

    /// The number of changes of each type, in the order of ``storedChanges``.
    package var storedCounts: [StoredHistoryCounts] {
        var all: [StoredHistoryCounts] = []
        var last: UInt32?
        for entry in entries {
            if last != entry.keyPrefix {
                last = entry.keyPrefix
                let isStored = storedType(entry.keyPrefix) != nil
                all.append(StoredHistoryCounts(type: storedName(entry.keyPrefix), isStored: isStored))
            }
            switch entry.kind {
            case .inserted: all[all.count - 1].inserted += 1
            case .updated: all[all.count - 1].updated += 1
            case .deleted: all[all.count - 1].deleted += 1
            case .any: all[all.count - 1].isOfAnyRecord = true
            }
        }
        return all
    }

    private func storedName(_ keyPrefix: UInt32) -> String {
        storedType(keyPrefix)?.qualifiedName ?? TableName.hexadecimal(keyPrefix)
    }

    private func stored(_ entries: ArraySlice<HistoryEntry>) -> [StoredHistoryChange] {
        var layouts: [UInt32: ParsedLayouts] = [:]
        var keyLayouts: [UInt32: Set<UInt32>] = [:]
        return entries.map { entry in
            let type = storedType(entry.keyPrefix)
            let name = storedName(entry.keyPrefix)
            let own = keyLayouts[entry.keyPrefix] ?? type?.hashesOfEqualKeyLayouts ?? []
            keyLayouts[entry.keyPrefix] = own
            let key = own.contains(entry.keyLayout) ? type?.storedKey(entry.key) : StoredKey(entry.key, of: name)
            let tombstone = StoredTombstone(entry.tombstone) { version in
                layouts[entry.keyPrefix, default: ParsedLayouts()].layout(version, of: type)
            }
            return StoredHistoryChange(
                type: name, kind: .init(entry.kind), key: entry.kind == .any ? nil : key,
                tombstone: tombstone?.fields, keyPrefix: entry.keyPrefix)
        }
    }
}

extension StoredHistoryChange.Kind {
    fileprivate init(_ kind: ChangeKind) {
        self =
            switch kind {
            case .inserted: .inserted
            case .updated: .updated
            case .deleted: .deleted
            case .any: .any
            }
    }
}

extension CatalogType {
    /// The hashes of the layouts that the keys have had, except those with other types of components.
    fileprivate var hashesOfEqualKeyLayouts: Set<UInt32> {
        func types(_ keyLayout: String) -> [LayoutType]? {
            do throws(CodingError) { return try RecordLayout(keyLayout + "{}").key.map(\.type) } catch { return nil }
        }
        let own = types(keyLayout)
        let former = layouts.values.map { String($0.text.prefix { $0 != "{" }) }
        return Set(([keyLayout] + former.filter { types($0) == own }).map(SDBM.hash32))
    }
}
