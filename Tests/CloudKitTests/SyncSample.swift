// The sample of Docs/CloudKit.md about `CKSyncEngine`: a test compares the page with this file, from the line below on.

import CloudKit
import Foundation
import Synchronization
import Trove

// MARK: The page

/// A change that CloudKit does not have yet. The hooks of `Memo` write it in the transaction of the change.
@IndexKeyRecord("recordName")
struct PendingChange {
    let recordName: String
    let isDelete: Bool
}

/// The system fields of a record in CloudKit, beside the record.
@IndexKeyRecord("recordName")
struct SystemFields {
    let recordName: String
    let data: Data

    init(_ record: CKRecord) {
        let coder = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: coder)
        recordName = record.recordID.recordName
        data = coder.encodedData
    }

    /// The record in CloudKit, without its values.
    func record() throws -> CKRecord? {
        let coder = try NSKeyedUnarchiver(forReadingFrom: data)
        coder.requiresSecureCoding = true
        return CKRecord(coder: coder)
    }
}

/// The state of the engine, for the next start.
@IndexKeyRecord("id")
struct EngineState {
    let id: Int
    let data: Data
}

@CloudKitRecord
@EntityModel
struct Memo: Equatable {
    let id: UUID
    var text: String
    var note: String?
    var tags: [String] = []

    func didSave(to context: TransactionContext) throws {
        try context.insert(PendingChange(recordName: Self.ckRecordName(for: id), isDelete: false))
    }

    func didDelete(from context: TransactionContext) throws {
        try context.insert(PendingChange(recordName: Self.ckRecordName(for: id), isDelete: true))
    }
}

final class MemoSync: CKSyncEngineDelegate {
    static let records: [any IndexKeyRecord.Type] = [
        Memo.self, PendingChange.self, SystemFields.self, EngineState.self,
    ]
    private let store: Store
    /// Whether a fetched change could not be stored. Then the state is not either, and the next start fetches it again.
    private let hasFailed = Mutex(false)
    private let zoneID = CKRecordZone.ID(zoneName: "Memos", ownerName: CKCurrentUserDefaultName)

    init(_ store: Store) { self.store = store }

    /// Returns the engine, with the changes that were made while there was none.
    func engine(of database: CKDatabase) async throws -> CKSyncEngine {
        let state = try await EngineState.get(in: store, id: 0).map {
            try JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: $0.data)
        }
        let engine = CKSyncEngine(.init(database: database, stateSerialization: state, delegate: self))
        if state == nil { engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: zoneID))]) }
        try await addChanges(to: engine)
        return engine
    }

    /// Adds the changes of each commit, also of other processes.
    func watch(_ engine: CKSyncEngine) async throws {
        // The commits after this line are reported, and those before it are added.
        let changes = store.changes
        try await addChanges(to: engine)
        for try await change in changes where change.keys(of: PendingChange.self) != .none {
            try await addChanges(to: engine)
        }
    }

    func addChanges(to engine: CKSyncEngine) async throws {
        let changes = try await PendingChange.query().resolve(in: store)
        engine.state.add(
            pendingRecordZoneChanges: changes.map { change in
                let id = CKRecord.ID(recordName: change.recordName, zoneID: zoneID)
                return change.isDelete ? .deleteRecord(id) : .saveRecord(id)
            })
    }

    // MARK: To CloudKit

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        let scope = context.options.scope
        let changes = syncEngine.state.pendingRecordZoneChanges.filter { scope.contains($0) }
        return await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: changes) { id in
            do {
                if let record = try await self.record(of: id) { return record }
            } catch {
                print("\(id.recordName) is not sent: \(error)")
            }
            syncEngine.state.remove(pendingRecordZoneChanges: [.saveRecord(id)])
            return nil
        }
    }

    /// Returns the record to save: the record that CloudKit has, with the values of now.
    private func record(of id: CKRecord.ID) async throws -> CKRecord? {
        try await store.read { context in
            guard let key = Memo.indexKey(of: id), let memo = try Memo.get(in: context, id: key) else { return nil }
            guard let record = try SystemFields.get(in: context, recordName: id.recordName)?.record() else {
                return try memo.ckRecord(with: id)
            }
            try memo.update(record)
            return record
        }
    }

    private func finish(_ sent: CKSyncEngine.Event.SentRecordZoneChanges, _ engine: CKSyncEngine) async throws {
        let again = try await store.write { context in
            var again: [CKSyncEngine.PendingRecordZoneChange] = []
            for record in sent.savedRecords {
                let name = record.recordID.recordName
                try context.insert(SystemFields(record))
                guard let key = Memo.indexKey(of: record.recordID), let memo = try Memo.get(in: context, id: key) else {
                    continue
                }
                // The memo may have changed since it was sent. Then its change is sent, too.
                try memo.update(record)
                if record.changedKeys().isEmpty {
                    try PendingChange.delete(in: context, recordName: name)
                } else {
                    again.append(.saveRecord(record.recordID))
                }
            }
            for id in sent.deletedRecordIDs { try self.forget(id, in: context) }
            for failure in sent.failedRecordSaves {
                let id = failure.record.recordID
                switch failure.error.code {
                case .serverRecordChanged:
                    // This device wins: its values are sent again, with the change tag of the other device's record.
                    if let record = failure.error.serverRecord { try context.insert(SystemFields(record)) }
                    again.append(.saveRecord(id))
                case .unknownItem:
                    try SystemFields.delete(in: context, recordName: id.recordName)
                    again.append(.saveRecord(id))
                case .zoneNotFound:
                    engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: self.zoneID))])
                    again.append(.saveRecord(id))
                default:
                    // The engine sends again after an error of the network. Any other error would come again.
                    print("\(id.recordName) is not saved: \(failure.error)")
                }
            }
            for (id, error) in sent.failedRecordDeletes {
                switch error.code {
                case .unknownItem, .zoneNotFound: try self.forget(id, in: context)
                default: print("\(id.recordName) is not deleted: \(error)")
                }
            }
            return again
        }
        engine.state.add(pendingRecordZoneChanges: again)
    }

    /// Deletes what belongs to a record that CloudKit no longer has. A memo saved since then stays pending.
    private func forget(_ id: CKRecord.ID, in context: TransactionContext) throws {
        try SystemFields.delete(in: context, recordName: id.recordName)
        guard try PendingChange.get(in: context, recordName: id.recordName)?.isDelete == true else { return }
        try PendingChange.delete(in: context, recordName: id.recordName)
    }

    // MARK: From CloudKit

    private func apply(_ changes: CKSyncEngine.Event.FetchedRecordZoneChanges) async throws {
        try await store.write { context in
            for record in changes.modifications.map(\.record) where record.recordType == Memo.ckRecordType {
                let name = record.recordID.recordName
                try context.insert(SystemFields(record))
                // A change of this device wins: it is sent with the change tag of this record.
                guard try PendingChange.get(in: context, recordName: name) == nil else { continue }
                do {
                    try Memo(ckRecord: record).save(to: context)
                    try PendingChange.delete(in: context, recordName: name)  // of the hook: CloudKit has these values
                } catch let error as CloudKitRecordError {
                    // A record of a later version of the app does not keep the others from being stored.
                    print("\(name) is not read: \(error)")
                }
            }
            for deletion in changes.deletions {
                let name = deletion.recordID.recordName
                try SystemFields.delete(in: context, recordName: name)
                guard try PendingChange.get(in: context, recordName: name)?.isDelete != false,
                    let key = Memo.indexKey(of: deletion.recordID)
                else { continue }
                try Memo.delete(id: key, from: context)
                try PendingChange.delete(in: context, recordName: name)
            }
        }
    }

    /// Deletes the memos of an account, and what is pending for it.
    private func clear() async throws {
        try await store.write { context in
            try Memo.query().delete(in: context)
            try PendingChange.query().delete(in: context)
            try SystemFields.query().delete(in: context)
            try EngineState.query().delete(in: context)
        }
    }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {
        do {
            switch event {
            case .stateUpdate(let update):
                if hasFailed.withLock({ $0 }) { break }
                let data = try JSONEncoder().encode(update.stateSerialization)
                try await store.insert(EngineState(id: 0, data: data))
            case .fetchedRecordZoneChanges(let changes):
                do {
                    try await apply(changes)
                } catch {
                    hasFailed.withLock { $0 = true }
                    throw error
                }
            case .sentRecordZoneChanges(let sent): try await finish(sent, syncEngine)
            case .accountChange(let change):
                switch change.changeType {
                case .signIn: break  // memos of before the first account are sent to it
                default: try await clear()
                }
            default: break
            }
        } catch {
            print("The event \(event) was not handled: \(error)")
        }
    }
}
