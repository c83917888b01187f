// The changes of stored records as they happen, without the Swift types.

import LMDB
import TroveCoding

/// A change of a stored record, or of several at once.
package struct StoredChange: Sendable {
    /// The kind of a change.
    package enum Event: Sendable {
        /// The record is new, or was replaced.
        case saved(StoredRecord)
        /// The record was removed.
        case removed
        /// The record was new, or was replaced, and has been removed since.
        case savedAndRemoved
        /// The record is new, or was replaced, and is damaged.
        case unreadable(StoreError)
        /// Any record may have changed: too many for a list, a range of keys that was removed at once, or commits about
        /// which nothing more is known.
        case any
    }

    /// The name of the type; nil if any type may have changed.
    package let type: String?
    /// The key of the record; nil if any record may have changed.
    package let key: StoredKey?
    package let event: Event
}

/// The changes of some commits: a single commit if the loop keeps up, and otherwise several, joined.
package struct StoredChanges: Sendable {
    /// The ``Store/commitSequence`` of the first and the last of the commits.
    package let commits: ClosedRange<UInt64>
    /// Whether all of the commits are of this process.
    package let isOwn: Bool
    /// The changes, sorted by type and key. Each record is read in the state after the last commit.
    package fileprivate(set) var changes: [StoredChange] = []
    /// The number of further records that have changed.
    package fileprivate(set) var omitted = 0
}

extension Store {
    /// The changes of stored records from now on, in this process and in others.
    ///
    /// The rules of ``changes`` apply: the first element comes with the first commit after the call, a slow loop gets
    /// several commits joined, and nothing queues up. ``ObservedValues/spaced(by:)`` limits the number of elements.
    ///
    /// - Parameters:
    ///   - type: The name of a type with its module, which the store need not have yet; nil for all types.
    ///   - limit: The maximum number of changes in an element.
    ///   - byteLimit: The size of the records of an element after which no further record is read.
    package func storedChanges(
        of type: String? = nil, atMost limit: Int = 100, bytes byteLimit: Int = 1 << 22
    ) -> ObservedValues<StoredChanges> {
        ObservedValues(self, after: ChangesStart(self)) {
            StoredChangesReader(of: type, limit: limit, byteLimit: byteLimit)
        }
    }
}

/// Reads the changes of stored records.
private final class StoredChangesReader: ObservedReader {
    private let type: String?
    private let limit: Int
    private let byteLimit: Int
    private var last: StoredChanges?
    /// The size of the records read for the current element.
    private var readBytes = 0

    init(of type: String?, limit: Int, byteLimit: Int) {
        (self.type, self.limit, self.byteLimit) = (type, limit, byteLimit)
    }

    func read(in context: ReadContext, _ step: ReadStep) throws -> Bool {
        context.readRegion?.noteEverything()
        guard let seen = step.last, !step.changes.isEmpty else { return false }
        // A store that was opened again may have gone back.
        var changes = StoredChanges(commits: min(seen + 1, step.commit)...step.commit, isOwn: step.isOwn)
        readBytes = 0
        if step.changes.isEverything {
            changes.changes.append(StoredChange(type: type, key: nil, event: .any))
        } else {
            for stored in try context.storedTypes(step.changes.types, named: type) {
                try add(step.changes.keys(of: stored.keyPrefix).inOrder, of: stored, context, to: &changes)
            }
        }
        last = changes
        return !changes.changes.isEmpty
    }

    private func add(
        _ changed: ChangedKeys.Keys, of type: StoredType, _ context: ReadContext, to changes: inout StoredChanges
    ) throws {
        guard case .some(let keys, let ranges) = changed else {
            return changes.changes.append(StoredChange(type: type.name, key: nil, event: .any))
        }
        // The keys of a range are not listed; keys listed beside it are.
        if !ranges.isEmpty { changes.changes.append(StoredChange(type: type.name, key: nil, event: .any)) }
        var reader = StoredRecordReader(type)
        let before = readBytes
        for key in keys {
            guard changes.changes.count < limit, readBytes < byteLimit else {
                changes.omitted += 1
                continue
            }
            let event = try context.event(key, &reader) ?? .removed
            readBytes = before + reader.readBytes
            changes.changes.append(StoredChange(type: type.name, key: type.storedKey(key), event: event))
        }
    }

    func value() throws -> StoredChanges {
        guard let last else { throw CancellationError() }
        return last
    }

    func mayChange(in round: Round) -> Bool { true }
}

extension ReadContext {
    /// Returns the event of a stored record; nil for none.
    fileprivate final func event(_ key: [UInt8], _ reader: inout StoredRecordReader) throws -> StoredChange.Event? {
        do {
            return try translatingErrors { try reader.record(key, in: keyspace) }.map { .saved($0) }
        } catch let error as StoreError where error.isOfDamagedRecord {
            return .unreadable(error)
        }
    }

    /// Returns the changes in a commit of the history, sorted by type and key. Each record is read in the state of this
    /// snapshot.
    ///
    /// - Parameter name: The name of the only type wanted; nil for all.
    package final func storedChanges(in commit: HistoryCommit, named name: String? = nil) throws -> [StoredChange] {
        let types = try storedTypes(Set(commit.entries.map(\.keyPrefix)), named: name)
        return try types.flatMap { type in
            let entries = commit.entries.filter { $0.keyPrefix == type.keyPrefix }
            // Keys of another layout are not those of the present records.
            let keyLayout = SDBM.hash32(type.keyLayout)
            if entries.contains(where: { $0.kind == .any || $0.keyLayout != keyLayout }) {
                return [StoredChange(type: type.name, key: nil, event: .any)]
            }
            var reader = StoredRecordReader(type)
            return try entries.map { entry in
                let event =
                    entry.kind == .deleted ? .removed : try event(entry.key, &reader) ?? .savedAndRemoved
                return StoredChange(type: type.name, key: type.storedKey(entry.key), event: event)
            }
        }
    }
}
