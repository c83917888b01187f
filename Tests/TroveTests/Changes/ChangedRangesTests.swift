// The changes that a commit reports: keys, ranges, whole types, everything. Equal saves report nothing.

import LMDB
import Testing
import TroveCoding
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("group", "id")
private struct Member: Hashable {
    let group: Int
    let id: Int
}

@IndexKeyRecord("id")
private struct Indexed: Hashable {
    #Index<Indexed>(\.age)
    #Unique<Indexed>(\.name, collisions: .throw)

    let id: Int
    var name: String
    var age: Int
}

@Suite("What a commit reports", .hangLimit) struct ChangedRangesTests {
    private let store: Store
    private let notices = Monitor<[CommitNotice]>([])
    private let observation: CommitObservation

    init() throws {
        store = try Store.temporary(records: [Member.self, Indexed.self, ObservedNote.self])
        try store.write { context in
            for group in 0..<20 { for id in 0..<5 { try context.insert(Member(group: group, id: id)) } }
        }
        observation = store.catalog.hub.add { [notices] notice in notices.withLock { $0.append(notice) } }
    }

    private func keys(_ type: any IndexKeyRecord.Type = Member.self) -> [ChangedKeys.Keys] {
        notices.withLock { all in
            defer { all = [] }
            return all.map { $0.changedKeys.keys(of: type.schema.keyPrefix) }
        }
    }

    private func range(_ group: Int) -> KeyRange { KeyRange(prefix: KeyWriter.bytes(of: group)) }

    @Test func aRangeDelete_reportsItsRange() throws {
        #expect(try Member.query(group: 3).delete(in: store) == 5)
        #expect(keys() == [.some([], ranges: [range(3)])])
        #expect(try Member.query(group: 3).delete(in: store) == 0)
        #expect(keys().isEmpty)
        try store.write { context in
            try context.nested { context in _ = try Member.query(group: 4).delete(in: context) }
            try context.insert(Member(group: 5, id: 9))
            try? context.nested { context in
                _ = try Member.query(group: 6).delete(in: context)
                throw CancellationError()
            }
        }
        let key = KeyWriter.bytes(of: 5) + KeyWriter.bytes(of: 9)
        #expect(keys() == [.some([key], ranges: [range(4)])])
        #expect(try Query<Member>().delete(in: store) > 0)
        #expect(keys() == [.any])
    }

    @Test func moreRanges_areAny() throws {
        try store.write { context in
            for group in 0..<8 { _ = try Member.query(group: group).delete(in: context) }
        }
        #expect(keys() == [.some([], ranges: (0..<8).map(range))])
        try store.write { context in
            for group in 8..<17 { _ = try Member.query(group: group).delete(in: context) }
        }
        #expect(keys() == [.any])
    }

    @Test func rangesOfTheLimit_areKeptByUnions() {
        var (few, more) = (ChangedKeys(), ChangedKeys())
        for group in 0..<8 { few.note(1, range(group)) }
        more.note(1, range(8))
        more.formUnion(few)
        #expect(more.keys(of: 1) == .any)
        few.formUnion(.everything)
        #expect(few.keys(of: 7) == .any && few.mayChange([7]))
    }

    // MARK: Equal saves

    @Test func anEqualSave_writesNothing() throws {
        let record = Indexed(id: 1, name: "Korben", age: 45)
        try store.insert(record)
        _ = keys()
        let commits = try store.commitSequence
        try store.insert(record)
        try store.write { context in
            try context.insert(contentsOf: [record, record])
            try Indexed.filter(\.age == 45).update(in: context) { _ in }
        }
        #expect(try store.commitSequence == commits)
        #expect(keys(Indexed.self).isEmpty)
        #expect(throws: StoreError.self) { try store.insert(record, onConflict: .throw) }

        // Beside others it is not reported.
        try store.write { context in
            try context.insert(record)
            try context.insert(Indexed(id: 2, name: "Ruby", age: 30))
        }
        #expect(keys(Indexed.self) == [.some([KeyWriter.bytes(of: 2)])])
        try store.insert(Indexed(id: 1, name: "Korben", age: 46))
        #expect(keys(Indexed.self) == [.some([KeyWriter.bytes(of: 1)])])
        #expect(try store.get(Indexed.self, key: 1)?.age == 46)
        #expect(try store.check() == [])
    }

    // MARK: Failed commits

    @Test func aCommitOfUnknownOutcome_reportsOfAnyRecord() async throws {
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .notes(1))
        let last = try store.commitSequence
        store.catalog.hub.inbox.announce(last + 1)
        store.catalog.hub.publishFailure(of: last + 1, .unknown)
        #expect(notices.withLock { $0.last?.changedKeys.isEverything } == true)
        await store.settle()
        // It has not taken effect, so there is nothing to read.
        #expect(observer.reported.isEmpty)
        try await store.insert(ObservedNote(id: 2, value: 1))
        await store.settle()
        #expect(observer.keys == [.any])
        withExtendedLifetime(registration) {}
    }

    @Test func aFailedCommit_isNotReported_andNotAwaited() async throws {
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .notes(1))
        let last = try store.commitSequence
        store.catalog.hub.inbox.announce(last + 1)
        store.catalog.hub.publishFailure(of: last + 1, .notCommitted)
        await store.settle()
        #expect(observer.reported.isEmpty)
        #expect(keys(ObservedNote.self).isEmpty)
        withExtendedLifetime(registration) {}
    }

    @Test func aCommitThatIsAboutToBeReported_isAwaited() async throws {
        let store = store
        let observer = RecordingObserver()
        let registration = try store.register(observer, for: .all(ObservedNote.self))
        let last = try store.commitSequence
        store.catalog.hub.inbox.announce(last + 1)
        let reported = RunningThread {
            var changes = ChangedKeys()
            KeyWriter.bytes(of: 7).withRawSpan { changes.note(ObservedNote.schema.keyPrefix, $0) }
            store.catalog.hub.publish(CommitNotice(sequence: last + 1, changedKeys: changes))
        }
        store.catalog.hub.inbox.awaitAnnounced(upTo: last + 1)
        #expect(store.catalog.hub.inbox.changes(after: last, through: last + 1).gaps.isEmpty)
        try await reported.value()
        withExtendedLifetime(registration) {}
    }

    // MARK: Migrations

    @Test func aMigrationToOtherKeys_reportsOfAnyRecord() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("seats.trove")
        // Closed with its last reference, as by another program.
        try Store(path: path).insert(contentsOf: Seat.all)
        let observing = try Store(path: path)
        let reported = Monitor<[CommitNotice]>([])
        let observation = observing.catalog.hub.add { notice in reported.withLock { $0.append(notice) } }
        _ = try Store(path: path, records: [Seat.Reordered.self])
        let prefix = Seat.Old.keyPrefix
        #expect(reported.withLock { $0.last?.changedKeys.keys(of: prefix) } == .any)
        withExtendedLifetime(observation) {}
    }
}
