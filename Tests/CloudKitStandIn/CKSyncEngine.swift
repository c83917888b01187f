// The engine that sends and fetches the changes of a device. It works only when it is called.

import Foundation

/// The part of a program that an engine calls.
public protocol CKSyncEngineDelegate: AnyObject, Sendable {
    /// Handles an event.
    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async

    /// Returns the next changes to send; nil if there are none.
    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch?
}

/// The engine of a device.
public final class CKSyncEngine: @unchecked Sendable {
    /// The parts of an engine.
    public struct Configuration: Sendable {
        let database: CKDatabase
        let stateSerialization: State.Serialization?
        let delegate: any CKSyncEngineDelegate
        /// Whether the engine sends and fetches by itself. The stand-in never does.
        public var automaticallySync = true

        /// Creates a configuration.
        public init(
            database: CKDatabase, stateSerialization: State.Serialization?, delegate: any CKSyncEngineDelegate
        ) {
            self.database = database
            self.stateSerialization = stateSerialization
            self.delegate = delegate
        }
    }

    /// A change of a record that is to be sent.
    public enum PendingRecordZoneChange: Hashable, Sendable, Codable {
        case saveRecord(CKRecord.ID)
        case deleteRecord(CKRecord.ID)

        var recordID: CKRecord.ID {
            switch self {
            case .saveRecord(let id), .deleteRecord(let id): id
            }
        }
    }

    /// A change of a zone that is to be sent.
    public enum PendingDatabaseChange: Sendable {
        case saveZone(CKRecordZone)
        case deleteZone(CKRecordZone.ID)
    }

    /// The state that a program keeps for the next start.
    public final class State: @unchecked Sendable {
        /// The state as bytes.
        public struct Serialization: Codable, Sendable {
            var device: UUID
            var count: Int
            var pending: [PendingRecordZoneChange]
        }

        private let lock = NSLock()
        private var serialization: Serialization
        private var databaseChanges: [PendingDatabaseChange] = []
        private let counts = AsyncStream.makeStream(of: Int.self)

        /// The numbers of pending changes of records, after each call that adds some. CloudKit has no such property.
        public var pendingCounts: AsyncStream<Int> { counts.stream }

        init(_ serialization: Serialization?) {
            self.serialization = serialization ?? Serialization(device: UUID(), count: 0, pending: [])
        }

        var current: Serialization { lock.withLock { serialization } }

        func set(count: Int) { lock.withLock { serialization.count = count } }

        func takeDatabaseChanges() -> [PendingDatabaseChange] {
            lock.withLock {
                defer { databaseChanges = [] }
                return databaseChanges
            }
        }

        /// The changes of records that are to be sent.
        public var pendingRecordZoneChanges: [PendingRecordZoneChange] { current.pending }

        /// Adds changes of records. A change replaces another change of the same record.
        public func add(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
            lock.withLock {
                for change in changes where !serialization.pending.contains(change) {
                    serialization.pending.removeAll { $0.recordID == change.recordID }
                    serialization.pending.append(change)
                }
            }
            counts.continuation.yield(current.pending.count)
        }

        /// Removes changes of records.
        public func remove(pendingRecordZoneChanges changes: [PendingRecordZoneChange]) {
            lock.withLock { serialization.pending.removeAll { changes.contains($0) } }
        }

        /// Adds changes of zones.
        public func add(pendingDatabaseChanges changes: [PendingDatabaseChange]) {
            lock.withLock { databaseChanges += changes }
        }
    }

    /// The changes that a call sends.
    public struct SendChangesOptions: Sendable {
        /// A part of the changes.
        public struct Scope: Sendable {
            /// Returns whether a change is in the part.
            public func contains(_ change: PendingRecordZoneChange) -> Bool { true }
        }

        /// The part of the changes.
        public let scope = Scope()
    }

    /// The circumstances of a batch.
    public struct SendChangesContext: Sendable {
        /// The options.
        public let options = SendChangesOptions()
    }

    /// The changes that are sent together.
    public struct RecordZoneChangeBatch: Sendable {
        /// The records to save.
        public let recordsToSave: [CKRecord]
        /// The records to delete.
        public let recordIDsToDelete: [CKRecord.ID]

        /// Creates a batch of pending changes; nil if there are none.
        public init?(
            pendingChanges: [PendingRecordZoneChange], recordProvider: @Sendable (CKRecord.ID) async -> CKRecord?
        ) async {
            var (records, deleted): ([CKRecord], [CKRecord.ID]) = ([], [])
            for change in pendingChanges {
                switch change {
                case .saveRecord(let id): if let record = await recordProvider(id) { records.append(record) }
                case .deleteRecord(let id): deleted.append(id)
                }
            }
            guard !records.isEmpty || !deleted.isEmpty else { return nil }
            recordsToSave = records
            recordIDsToDelete = deleted
        }
    }

    /// What has happened.
    public enum Event: Sendable {
        case stateUpdate(StateUpdate)
        case accountChange(AccountChange)
        case fetchedRecordZoneChanges(FetchedRecordZoneChanges)
        case sentRecordZoneChanges(SentRecordZoneChanges)
        case willFetchChanges, didFetchChanges, willSendChanges, didSendChanges

        /// A new state, to be kept.
        public struct StateUpdate: Sendable {
            /// The state.
            public let stateSerialization: State.Serialization
        }

        /// Another account.
        public struct AccountChange: Sendable {
            /// The kinds of changes.
            public enum ChangeType: Sendable { case signIn, signOut, switchAccounts }
            /// The kind.
            public let changeType: ChangeType

            /// Creates a change. CloudKit has no such call.
            public init(changeType: ChangeType) { self.changeType = changeType }
        }

        /// The changes of other devices.
        public struct FetchedRecordZoneChanges: Sendable {
            /// The saved records.
            public let modifications: [CKDatabase.RecordZoneChange.Modification]
            /// The deleted records.
            public let deletions: [CKDatabase.RecordZoneChange.Deletion]
        }

        /// The results of a batch.
        public struct SentRecordZoneChanges: Sendable {
            /// A record that was not saved.
            public struct FailedRecordSave: Sendable {
                /// The record.
                public let record: CKRecord
                /// The reason.
                public let error: CKError
            }

            /// The saved records, with their new change tags.
            public let savedRecords: [CKRecord]
            /// The records that were not saved.
            public let failedRecordSaves: [FailedRecordSave]
            /// The deleted records.
            public let deletedRecordIDs: [CKRecord.ID]
            /// The records that were not deleted, with the reasons.
            public let failedRecordDeletes: [CKRecord.ID: CKError]
        }
    }

    private let configuration: Configuration
    /// The state.
    public let state: State

    /// Creates an engine.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
        state = State(configuration.stateSerialization)
    }

    private func handle(_ event: Event) async {
        await configuration.delegate.handleEvent(event, syncEngine: self)
        if case .stateUpdate = event { return }
        await configuration.delegate.handleEvent(
            .stateUpdate(.init(stateSerialization: state.current)), syncEngine: self)
    }

    /// Fetches the changes of other devices.
    public func fetchChanges() async throws {
        let (changes, count) = configuration.database.changes(
            after: state.current.count, for: state.current.device)
        var modifications: [CKDatabase.RecordZoneChange.Modification] = []
        var deletions: [CKDatabase.RecordZoneChange.Deletion] = []
        for change in changes {
            switch change {
            case .saved(let record): modifications.append(.init(record: record))
            case .deleted(let id, let type): deletions.append(.init(recordID: id, recordType: type))
            }
        }
        state.set(count: count)
        await handle(.fetchedRecordZoneChanges(.init(modifications: modifications, deletions: deletions)))
    }

    /// Sends pending changes.
    public func sendChanges() async throws {
        for change in state.takeDatabaseChanges() {
            if case .saveZone(let zone) = change { configuration.database.create(zone.zoneID) }
        }
        let delegate = configuration.delegate
        guard let batch = await delegate.nextRecordZoneChangeBatch(SendChangesContext(), syncEngine: self) else {
            return
        }
        var saved: [CKRecord] = []
        var failed: [Event.SentRecordZoneChanges.FailedRecordSave] = []
        for record in batch.recordsToSave {
            switch configuration.database.save(record, of: state.current.device) {
            case .success(let record): saved.append(record)
            case .failure(let error): failed.append(.init(record: record, error: error))
            }
            state.remove(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
        }
        var deleted: [CKRecord.ID] = []
        var kept: [CKRecord.ID: CKError] = [:]
        for id in batch.recordIDsToDelete {
            let error = configuration.database.delete(id, of: state.current.device)
            if let error { kept[id] = error } else { deleted.append(id) }
            state.remove(pendingRecordZoneChanges: [.deleteRecord(id)])
        }
        try await configuration.database.takeInterruption()?()
        await handle(
            .sentRecordZoneChanges(
                .init(
                    savedRecords: saved, failedRecordSaves: failed, deletedRecordIDs: deleted,
                    failedRecordDeletes: kept)))
    }
}
