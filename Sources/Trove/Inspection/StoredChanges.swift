// The changes of stored records as they happen, without the Swift types.

import LMDB
import TroveCoding

/// A change of a stored record, or of several at once.
package struct StoredChange: Sendable {
    /// The kind of a change.
    package enum Event: Sendable {
        /// The record is new, or was replaced.
        case saved(StoredRecord)
        /// The record with the key was removed.
        case removed(StoredKey)
        /// Any record may have changed: too many for a list, a range of keys that was removed at once, or commits about
        /// which nothing more is known.
        case any
    }

    /// The number of the commit after which the change was read.
    package let commit: UInt64
    /// The name of the type; nil if any type may have changed.
    package let type: String?
    package let event: Event
}

/// Reports the changes of stored records, each read in the snapshot of a round.
package final class StoredChanges: RoundObserver {
    private let type: String?
    private let report: @Sendable (Result<[StoredChange], any Error>) -> Void
    private let unreported = Monitor<[StoredChange]>([])

    /// - Parameters:
    ///   - type: The name of a type with its module; nil for all types.
    ///   - report: Receives changes in the order of the commits, or an error.
    fileprivate init(of type: String?, report: @escaping @Sendable (Result<[StoredChange], any Error>) -> Void) {
        self.type = type
        self.report = report
    }

    func read(_ round: Round) throws -> Bool {
        let commit = round.commits.upperBound
        let context = round.context
        var changes: [StoredChange] = []
        if round.changes.all.isEverything {
            changes = [StoredChange(commit: commit, type: type, event: .any)]
        } else {
            for stored in try context.storedTypes(round.changes.all.types, named: type) {
                let found = try events(of: stored, round.keys(of: stored.keyPrefix), context)
                changes += found.map { StoredChange(commit: commit, type: stored.name, event: $0) }
            }
        }
        unreported.withLock { $0 += changes }
        return !changes.isEmpty
    }

    private func events(
        of type: StoredType, _ changed: ChangedKeys.Keys, _ context: ReadContext
    ) throws -> [StoredChange.Event] {
        guard case .some(let keys, let ranges) = changed else { return [.any] }
        var reader = StoredRecordReader(type)
        // The keys of a range are not listed; keys listed beside it are.
        var events: [StoredChange.Event] = ranges.isEmpty ? [] : [.any]
        try translatingErrors {
            for key in keys {
                if let record = try reader.record(key, in: context.keyspace) {
                    events.append(.saved(record))
                } else {
                    events.append(.removed(type.storedKey(key)))
                }
            }
        }
        return events
    }

    func deliver() {
        let changes = unreported.withLock { unreported in
            defer { unreported = [] }
            return unreported
        }
        if !changes.isEmpty { report(.success(changes)) }
    }

    func fail(_ error: any Error) { report(.failure(error)) }
}

extension Store {
    /// Reports the changes of stored records until the returned object is released.
    ///
    /// - Parameters:
    ///   - type: The name of a type with its module, which the store need not have yet; nil for all types.
    ///   - report: Receives changes in the order of the commits, or an error, on a queue for deliveries.
    /// - Throws: ``StoreError/TransactionError/closed(path:)``.
    package func observeStoredRecords(
        of type: String?, _ report: @escaping @Sendable (Result<[StoredChange], any Error>) -> Void
    ) throws -> any AnyObject & Sendable {
        let observer = StoredChanges(of: type, report: report)
        return StoredObservation(observer: observer, registration: try register(observer, for: .everything))
    }
}

/// An observer and its registration: rounds keep no observer.
private final class StoredObservation: Sendable {
    private let observer: StoredChanges
    private let registration: HubRegistration

    init(observer: StoredChanges, registration: HubRegistration) {
        self.observer = observer
        self.registration = registration
    }
}
