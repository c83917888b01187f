// A database: the server in memory. Several engines can use one database, each as another device.

import Foundation

/// An error of the server about a record.
public struct CKError: Error, Sendable {
    /// The kinds of errors.
    public enum Code: Sendable { case serverRecordChanged, zoneNotFound, unknownItem, networkFailure, invalidArguments }

    /// The kind.
    public let code: Code
    /// The record that the server has, for ``Code/serverRecordChanged``.
    public let serverRecord: CKRecord?
}

/// The database of an account.
public final class CKDatabase: @unchecked Sendable {
    /// A change of a record, as a fetch returns it.
    public enum RecordZoneChange {
        /// A record that was saved.
        public struct Modification: Sendable {
            /// The record.
            public let record: CKRecord
        }
        /// A record that was deleted.
        public struct Deletion: Sendable {
            /// The identifier.
            public let recordID: CKRecord.ID
            /// The record type.
            public let recordType: CKRecord.RecordType
        }
    }

    /// A change, with its number.
    enum Change {
        case saved(CKRecord)
        case deleted(CKRecord.ID, CKRecord.RecordType)
    }

    private let lock = NSLock()
    private var records: [CKRecord.ID: CKRecord] = [:]
    private var zones: Set<CKRecordZone.ID> = []
    private var refusedNames: Set<String> = []
    private var log: [(device: UUID, change: Change)] = []
    private var interruption: (@Sendable () async throws -> Void)?
    private var sentCount = 0

    /// Creates an empty database.
    public init() {}

    /// The records of the server, by their names.
    public var recordNames: [String] { lock.withLock { records.keys.map(\.recordName).sorted() } }

    /// Returns a record of the server.
    public func record(named name: String) -> CKRecord? {
        lock.withLock { records.first { $0.key.recordName == name }?.value }
    }

    /// Refuses a record, whenever it is saved.
    public func refuse(recordNamed name: String) { lock.withLock { _ = refusedNames.insert(name) } }

    /// The number of records that were sent to be saved, also of those that were refused.
    public var saveCount: Int { lock.withLock { sentCount } }

    /// Calls a closure after the next batch was received, before the engine has the answer.
    public func interrupt(_ body: @escaping @Sendable () async throws -> Void) { lock.withLock { interruption = body } }

    func takeInterruption() -> (@Sendable () async throws -> Void)? {
        lock.withLock {
            defer { interruption = nil }
            return interruption
        }
    }

    func create(_ zone: CKRecordZone.ID) { lock.withLock { _ = zones.insert(zone) } }

    func save(_ record: CKRecord, of device: UUID) -> Result<CKRecord, CKError> {
        lock.withLock {
            sentCount += 1
            guard zones.contains(record.recordID.zoneID) else {
                return .failure(CKError(code: .zoneNotFound, serverRecord: nil))
            }
            guard !refusedNames.contains(record.recordID.recordName) else {
                return .failure(CKError(code: .invalidArguments, serverRecord: nil))
            }
            let stored = records[record.recordID]
            guard stored?.recordChangeTag == record.recordChangeTag else {
                return .failure(
                    CKError(code: stored == nil ? .unknownItem : .serverRecordChanged, serverRecord: stored?.copy))
            }
            let tag = String(log.count + 1, radix: 36)
            let saved = stored.map { $0.merged(record, tag) } ?? record.saved(tag)
            records[record.recordID] = saved
            log.append((device, .saved(saved)))
            return .success(saved.copy)
        }
    }

    /// Deletes a record, and returns the error if there is none.
    func delete(_ id: CKRecord.ID, of device: UUID) -> CKError? {
        lock.withLock {
            guard let record = records.removeValue(forKey: id) else {
                return CKError(code: .unknownItem, serverRecord: nil)
            }
            log.append((device, .deleted(id, record.recordType)))
            return nil
        }
    }

    /// Returns the changes of other devices after a number of changes, and the number of changes so far.
    func changes(after count: Int, for device: UUID) -> (changes: [Change], count: Int) {
        lock.withLock {
            let others = log[min(count, log.count)...].filter { $0.device != device }
            // Of each record, the server knows the last change alone.
            let changes = others.compactMap { entry -> Change? in
                switch entry.change {
                case .saved(let record):
                    let isLast = records[record.recordID]?.recordChangeTag == record.recordChangeTag
                    return isLast ? .saved(record.copy) : nil
                case .deleted(let id, _): return records[id] == nil ? entry.change : nil
                }
            }
            return (changes, log.count)
        }
    }
}
