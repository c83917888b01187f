// Records that a server has: the stand-in for CloudKit is one.

import CloudKit
import Foundation
import Testing
import Trove
import TroveTestSupport

@CloudKitRecord
@IndexKeyRecord("id")
private struct Numbers {
    let id: Int
    var ratio: Double
    var ratios: [Double]
}

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

    /// CloudKit can return a number without a fraction as an integer.
    @Test func equalNumbers_areNotSet() throws {
        var numbers = Numbers(id: 1, ratio: 3, ratios: [0.5, 2])
        let record = try numbers.ckRecord(in: zone)
        record["ratio"] = Int64(3)
        #expect(record.changedKeys().contains("ratio"))
        let saved = record.saved("1")
        try numbers.update(saved)
        #expect(saved.changedKeys() == [])
        numbers.ratio = .nan
        try numbers.update(saved)
        let next = saved.saved("2")
        try numbers.update(next)
        #expect(next.changedKeys() == [])
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
