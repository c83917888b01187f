// Observers of commits, notified of the changed records of each commit.

import Testing
import TroveTestSupport

@testable import Trove
import LMDB

@IndexKeyRecord("id")
private struct Watched {
    #Index<Watched>(\.value)

    let id: Int
    var value: Int
}

@IndexKeyRecord("id")
private struct Other {
    let id: Int
}

@Suite("Observers of commits", .hangLimit) struct CommitObserverTests {
    private let directory: TemporaryDirectory
    private let store: Store
    private let notices = Notices()
    private let observation: CommitObservation

    private final class Notices: Sendable {
        private let all = Monitor<[CommitNotice]>([])

        func add(_ notice: CommitNotice) { all.withLock { $0.append(notice) } }

        /// Returns the notices since the last call.
        func take() -> [CommitNotice] {
            all.withLock { all in
                defer { all = [] }
                return all
            }
        }
    }

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("watched.trove"), records: [Watched.self, Other.self],
            options: StoreOptions(durability: .noSync))
        observation = store.catalog.hub.add { [notices] in notices.add($0) }
    }

    private func key(_ id: Int) -> [UInt8] { KeyWriter.bytes(of: id) }

    private func keys(_ notice: CommitNotice?, _ schema: RecordSchema = Watched.schema) -> ChangedKeys.Keys? {
        notice?.changedKeys.keys(of: schema.keyPrefix)
    }

    @Test func aCommit_reportsItsKeys_byType() throws {
        try store.write { context in
            try context.insert(Watched(id: 1, value: 1))
            try context.insert(Other(id: 2))
            try context.insert(Watched(id: 3, value: 1))
            try context.delete(Watched.self, key: 1)
            try context.delete(Watched.self, key: 99)
        }
        let notice = notices.take().first
        #expect(notice?.changedKeys.types == [Watched.schema.keyPrefix, Other.schema.keyPrefix])
        #expect(keys(notice) == .some([key(1), key(3), key(1)]))
        #expect(keys(notice, Other.schema) == .some([key(2)]))
    }

    @Test func undoneChanges_areNotReported() throws {
        try? store.write { context in
            try context.insert(Watched(id: 1, value: 1))
            throw CancellationError()
        }
        try store.write { _ in }
        try store.read { _ in }
        #expect(notices.take().isEmpty)
        try store.write { context in
            try? context.nested { context in
                try context.insert(Watched(id: 2, value: 1))
                throw CancellationError()
            }
            try context.nested { context in try context.insert(Watched(id: 3, value: 1)) }
        }
        #expect(keys(notices.take().first) == .some([key(3)]))
    }

    @Test func manyKeys_areAny_andTakeNoMoreMemory() throws {
        try store.insert(Watched(id: -1, value: 0))
        try store.write { context in
            for id in 0..<1000 { try context.insert(Watched(id: id, value: id)) }
            try context.insert(Other(id: 1))
        }
        let all = notices.take()
        #expect(all.map { keys($0) } == [.some([key(-1)]), .any])
        #expect(keys(all.last, Other.schema) == .any)
        #expect(all[0].sequence + 1 == all[1].sequence)
    }

    @Test func aRange_isAny() throws {
        try store.insert(contentsOf: (0..<3).map { Watched(id: $0, value: 0) })
        _ = notices.take()
        try Query<Other>().delete(in: store)
        #expect(notices.take().isEmpty)
        try Query<Watched>().delete(in: store)
        #expect(keys(notices.take().first) == .any)
    }

    @Test func aReleasedObserver_isNotNotified() throws {
        let more = Notices()
        var second: CommitObservation? = store.catalog.hub.add { more.add($0) }
        try store.insert(Other(id: 1))
        #expect(more.take().count == 1)
        withExtendedLifetime(second) {}
        second = nil
        try store.insert(Other(id: 2))
        #expect(more.take().isEmpty)
        #expect(notices.take().count == 2)
    }

    @Test func asyncWrites_areReported() async throws {
        try await store.write { context in try context.insert(Watched(id: 5, value: 1)) }
        #expect(keys(notices.take().first) == .some([key(5)]))
    }
}
