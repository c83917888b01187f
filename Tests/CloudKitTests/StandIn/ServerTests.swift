// Records that a server has: the stand-in for CloudKit is one.

import CloudKit
import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("Records of the server") struct ServerTests {
    /// Returns a record as the server has it.
    private func saved(_ record: CKRecord) async throws -> CKRecord {
        let database = CKDatabase()
        let engine = Uploader(record)
        let sync = CKSyncEngine(.init(database: database, stateSerialization: nil, delegate: engine))
        sync.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: zone))])
        sync.state.add(pendingRecordZoneChanges: [.saveRecord(record.recordID)])
        try await sync.sendChanges()
        return try #require(database.record(named: record.recordID.recordName))
    }

    @Test func update_setsWhatDiffers() async throws {
        var parts = Parts.sample
        let record = try await saved(parts.ckRecord(in: zone))
        let tag = try #require(record.recordChangeTag)
        try parts.update(record)
        #expect(record.changedKeys() == [])
        parts.strings = []
        parts.doubles = [1]
        parts.address.number = 5
        try parts.update(record)
        #expect(record.changedKeys() == ["address", "doubles", "strings"])
        #expect(record.recordChangeTag == tag)
        #expect(try Parts(ckRecord: record) == parts)
    }

    /// The system fields beside a record, as in the sample of the page.
    @Test func systemFields_areKept() async throws {
        let memo = Memo(id: UUID(), text: "a")
        let record = try await saved(memo.ckRecord(in: zone))
        let store = try await Store.temporary(records: MemoSync.records)
        try await store.insert(SystemFields(record))
        let kept = try #require(try await SystemFields.query().resolve(in: store).first?.record())
        #expect(kept.recordChangeTag == record.recordChangeTag)
        #expect(kept.recordID == record.recordID)
        #expect(kept.allKeys() == [])
        try memo.update(kept)
        #expect(try Memo(ckRecord: kept) == memo)
    }

    @Test func assetThatIsNotFetched_throws() throws {
        let directory = try TemporaryDirectory()
        let files = URL(filePath: directory.path(""))
        let record = try Album(id: 1, title: "a").ckRecord(in: zone, assetsIn: files)
        record["image"] = CKAsset.withoutFile()
        #expect(
            throws: CloudKitRecordError.assetFailed(
                type: "Album", field: "image", path: "", reason: "the asset has no file.")
        ) { try Album(ckRecord: record) }
    }
}

/// A delegate that sends a single record.
private final class Uploader: CKSyncEngineDelegate {
    private let record: CKRecord

    init(_ record: CKRecord) { self.record = record }

    func handleEvent(_ event: CKSyncEngine.Event, syncEngine: CKSyncEngine) async {}

    func nextRecordZoneChangeBatch(
        _ context: CKSyncEngine.SendChangesContext, syncEngine: CKSyncEngine
    ) async -> CKSyncEngine.RecordZoneChangeBatch? {
        await CKSyncEngine.RecordZoneChangeBatch(pendingChanges: syncEngine.state.pendingRecordZoneChanges) { _ in
            self.record
        }
    }
}
