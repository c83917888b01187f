// The sample of the page about CloudKit: it is the code of the page, and two devices have the same records.

import CloudKit
import Foundation
import Testing
import Trove
import TroveTestSupport

@Suite("CKSyncEngine") struct SyncTests {
    private let database = CKDatabase()

    private struct Device {
        let store: Store
        let sync: MemoSync
        let engine: CKSyncEngine

        init(_ database: CKDatabase, store: Store? = nil) async throws {
            if let store { self.store = store } else { self.store = try await .temporary(records: MemoSync.records) }
            sync = MemoSync(self.store)
            engine = try await sync.engine(of: database)
        }

        /// Sends until nothing is pending, and fetches.
        func run() async throws {
            try await sync.addChanges(to: engine)
            // A conflict is sent twice, and nothing more often.
            for _ in 0..<3 where !engine.state.pendingRecordZoneChanges.isEmpty { try await engine.sendChanges() }
            #expect(engine.state.pendingRecordZoneChanges.isEmpty)
            try await engine.fetchChanges()
        }

        var texts: [String] {
            get throws { try Memo.query().resolve(in: store).map(\.text).sorted() }
        }

        var pending: Int {
            get throws { try PendingChange.query().count(in: store) }
        }
    }

    @Test func changes_reachTheOtherDevice() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        var memo = Memo(id: UUID(), text: "a")
        try await memo.save(to: one.store)
        try await Memo(id: UUID(), text: "b").save(to: two.store)
        for device in [one, two, one] { try await device.run() }
        #expect(try one.texts == ["a", "b"])
        #expect(try two.texts == ["a", "b"])
        #expect(database.recordNames.contains("Memo(id: \(memo.id))"))
        // What came from CloudKit is not sent again.
        #expect(try one.pending == 0)
        #expect(try two.pending == 0)
        #expect(database.saveCount == 2)

        memo.text = "c"
        try await memo.save(to: two.store)
        for device in [two, one] { try await device.run() }
        #expect(try one.texts == ["b", "c"])
        #expect(database.saveCount == 3)

        try await Memo.delete(id: memo.id, from: one.store)
        for device in [one, two] { try await device.run() }
        #expect(try two.texts == ["b"])
        #expect(database.recordNames.count == 1)
        #expect(try await SystemFields.query().count(in: two.store) == 1)
        #expect(try one.pending + two.pending == 0)
    }

    /// Two devices change a record: the device that sends last wins.
    @Test func conflict_endsWithTheSameValues() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        var memo = Memo(id: UUID(), text: "a")
        try await memo.save(to: one.store)
        for device in [one, two] { try await device.run() }
        memo.text = "of one"
        try await memo.save(to: one.store)
        memo.text = "of two"
        try await memo.save(to: two.store)
        for device in [one, two, one] { try await device.run() }
        #expect(try one.texts == ["of two"])
        #expect(try two.texts == ["of two"])
        // The first, the change of one, the refused change of two, and its second try.
        #expect(database.saveCount == 4)
        #expect(try one.pending + two.pending == 0)
    }

    /// A change of a record that another device has deleted creates the record again.
    @Test func changeAndDelete_keepTheChange() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        var memo = Memo(id: UUID(), text: "a")
        try await memo.save(to: one.store)
        for device in [one, two] { try await device.run() }
        try await Memo.delete(id: memo.id, from: one.store)
        memo.text = "b"
        try await memo.save(to: two.store)
        for device in [one, two, one] { try await device.run() }
        #expect(try one.texts == ["b"])
        #expect(try two.texts == ["b"])
    }

    @Test func nilAndEmptyLists_reachTheOtherDevice() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        var memo = Memo(id: UUID(), text: "a", note: "x", tags: ["t"])
        try await memo.save(to: one.store)
        for device in [one, two] { try await device.run() }
        (memo.note, memo.tags) = (nil, [])
        try await memo.save(to: one.store)
        for device in [one, two, one] { try await device.run() }
        for device in [one, two] {
            #expect(try await Memo.query().resolve(in: device.store) == [memo])
            #expect(try device.pending == 0)
        }
    }

    /// A record that CloudKit refuses is not sent without end, and keeps no other from being sent.
    @Test func aRefusedRecord_isSentOnce() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        let memo = Memo(id: UUID(), text: "refused")
        database.refuse(recordNamed: Memo.ckRecordName(for: memo.id))
        try await memo.save(to: one.store)
        try await Memo(id: UUID(), text: "b").save(to: one.store)
        for device in [one, two] { try await device.run() }
        #expect(try two.texts == ["b"])
        #expect(try one.pending == 1)
        #expect(database.saveCount == 2)
    }

    @Test func aChangeWhileAMemoIsSent_isSentToo() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        let memo = Memo(id: UUID(), text: "a")
        try await memo.save(to: one.store)
        database.interrupt {
            var memo = memo
            memo.text = "b"
            try await memo.save(to: one.store)
        }
        for device in [one, two] { try await device.run() }
        #expect(try two.texts == ["b"])
        #expect(try one.pending == 0)
        #expect(database.saveCount == 2)
    }

    /// The answer of a deletion does not end a change since then.
    @Test func aSaveWhileADeletionIsSent_isSentToo() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        let memo = Memo(id: UUID(), text: "a")
        try await memo.save(to: one.store)
        for device in [one, two] { try await device.run() }
        try await Memo.delete(id: memo.id, from: one.store)
        database.interrupt { try await memo.save(to: one.store) }
        try await one.run()
        #expect(try one.pending == 1)
        for device in [one, two] { try await device.run() }
        #expect(try one.texts == ["a"])
        #expect(try two.texts == ["a"])
        #expect(try one.pending == 0)
    }

    /// A change that could not be stored is fetched again by the next start.
    @Test func changesThatAreNotStored_areFetchedAgain() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Store(path: directory.path("memos.trove"), records: MemoSync.records)
        let (one, two) = (try await Device(database), try await Device(database, store: store))
        try await Memo(id: UUID(), text: "a").save(to: one.store)
        try await one.run()
        try await two.run()
        try await Memo(id: UUID(), text: "b").save(to: one.store)
        try await one.run()

        try await store.suspend(whileSuspended: .refuse)
        try await two.engine.fetchChanges()
        try await store.resume()
        // The engine has a new state, without the memo.
        try await two.engine.fetchChanges()
        #expect(try two.texts == ["a"])
        let next = try await Device(database, store: store)
        try await next.run()
        #expect(try two.texts == ["a", "b"])
        try await store.close()
    }

    @Test(.timeLimit(.minutes(60))) func watch_addsTheChangesOfEachCommit() async throws {
        let one = try await Device(database)
        try await Memo(id: UUID(), text: "a").save(to: one.store)
        let task = Task { try await one.sync.watch(one.engine) }
        defer { task.cancel() }
        // The loops also end with the time limit.
        var counts = one.engine.state.pendingCounts.makeAsyncIterator()
        while let count = await counts.next(), count < 1 {}
        #expect(one.engine.state.pendingRecordZoneChanges.count == 1)
        try await Memo(id: UUID(), text: "b").save(to: one.store)
        while let count = await counts.next(), count < 2 {}
        #expect(one.engine.state.pendingRecordZoneChanges.count == 2)
    }

    @Test func deletesOnBothDevices_end() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        let memo = Memo(id: UUID(), text: "a")
        try await memo.save(to: one.store)
        for device in [one, two] { try await device.run() }
        for device in [one, two] { try await Memo.delete(id: memo.id, from: device.store) }
        for device in [one, two, one] { try await device.run() }
        #expect(try one.pending + two.pending == 0)
        #expect(database.recordNames.isEmpty)
    }

    /// CloudKit does not have the record.
    @Test func aDeletionBeforeTheFirstSend_ends() async throws {
        let one = try await Device(database)
        let memo = Memo(id: UUID(), text: "a")
        try await memo.save(to: one.store)
        try await Memo.delete(id: memo.id, from: one.store)
        try await one.run()
        #expect(try one.pending == 0)
        #expect(database.saveCount == 0)
    }

    /// A record of a later version of the app keeps no other from being stored.
    @Test func anUnreadableRecord_isLeftOut() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        for text in ["a", "b"] { try await Memo(id: UUID(), text: text).save(to: one.store) }
        try await one.run()
        let name = try #require(database.recordNames.first)
        let other = try #require(database.record(named: name))
        other["text"] = Int64(1)
        try await two.run()
        #expect(try two.texts.count == 1)
    }

    @Test(arguments: [CKSyncEngine.Event.AccountChange.ChangeType.signOut, .switchAccounts])
    func anotherAccount_clearsAll(change: CKSyncEngine.Event.AccountChange.ChangeType) async throws {
        let one = try await Device(database)
        try await Memo(id: UUID(), text: "a").save(to: one.store)
        try await one.run()
        try await Memo(id: UUID(), text: "b").save(to: one.store)
        await one.sync.handleEvent(.accountChange(.init(changeType: .signIn)), syncEngine: one.engine)
        #expect(try one.texts == ["a", "b"])
        await one.sync.handleEvent(.accountChange(.init(changeType: change)), syncEngine: one.engine)
        #expect(try one.texts == [])
        #expect(try one.pending == 0)
        #expect(try await SystemFields.query().count(in: one.store) == 0)
        #expect(try await EngineState.query().count(in: one.store) == 0)
        // The memos are deleted here, and not in CloudKit.
        #expect(database.recordNames.count == 1)
    }

    /// The next start continues: with the changes that were not sent, and after the changes that were fetched.
    @Test func nextStart_continues() async throws {
        let (one, two) = (try await Device(database), try await Device(database))
        try await Memo(id: UUID(), text: "a").save(to: one.store)
        for device in [one, two] { try await device.run() }
        try await Memo(id: UUID(), text: "b").save(to: two.store)
        let next = try await two.sync.engine(of: database)
        #expect(next.state.pendingRecordZoneChanges.count == 1)
        try await next.sendChanges()
        try await one.run()
        #expect(try one.texts == ["a", "b"])
        #expect(try two.pending == 0)
    }

    @Test func page_hasTheSample() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let sample = try String(contentsOf: folder.appending(path: "SyncSample.swift"), encoding: .utf8)
        let page = try String(contentsOf: folder.appending(path: "../../Docs/CloudKit.md"), encoding: .utf8)
        let start = try #require(sample.firstRange(of: "// MARK: The page\n\n"))
        let blocks = page.components(separatedBy: "```swift\n").dropFirst()
            .map { $0.components(separatedBy: "\n```")[0] }
        // The page has the file in blocks, with text between them.
        let parts = sample[start.upperBound...].components(separatedBy: "\n\n").filter { !$0.isEmpty }
        let known = blocks.joined(separator: "\n\n")
        for part in parts {
            let part = part.trimmingCharacters(in: .newlines)
            #expect(known.contains(part), "the page lacks: \(part)")
        }
        #expect(parts.count > 15)
    }
}
