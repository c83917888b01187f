// The changes of a store, as programs see them.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Changes of a store", .hangLimit) struct StoreChangeTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [ObservedNote.self, OtherNote.self])
        try store.insert(ObservedNote(id: 1, value: 0))
    }

    private func insert(_ ids: Int...) async throws {
        try await store.write { context in
            for id in ids { try context.insert(ObservedNote(id: id, value: 1)) }
        }
    }

    @Test func aChange_reportsItsKeys_byType() async throws {
        var changes = store.changes.makeAsyncIterator()
        try await insert(5, 3, 5)
        let change = try #require(try await changes.next())
        #expect(change.keys(of: ObservedNote.self) == .these([3, 5]))
        #expect(change.keys(of: OtherNote.self) == .none)
        #expect(change.isOwn)
    }

    /// A cache reads the sequence, then the store, and begins its loop at some time.
    @Test func aCommitAfterTheSequenceWasMade_isReported_howeverLateTheLoopBegins() async throws {
        let changes = store.changes
        try await insert(7)
        let first = try store.commitSequence
        let loop = Task {
            for try await change in changes { return change as StoreChange? }
            return nil
        }
        let change = try #require(try await loop.value)
        #expect(change.commits == first...first && change.keys(of: ObservedNote.self) == .these([7]))
        // Each loop begins with what has changed since the sequence was made.
        try await insert(8)
        var again = changes.makeAsyncIterator()
        #expect(try await again.next()?.keys(of: ObservedNote.self) == .these([7, 8]))
        try await insert(9)
        #expect(try await again.next()?.keys(of: ObservedNote.self) == .these([9]))
    }

    @Test func aSequenceWithoutALoop_keepsLittle_andEndsTheObservation() async throws {
        var changes: ObservedValues<StoreChange>? = store.changes
        #expect(store.catalog.hub.isActive)
        for id in 0..<300 { try await insert(id) }
        #expect(store.catalog.hub.inbox.entryCount <= ChangeLog.entryLimit)
        var loop = changes?.makeAsyncIterator()
        changes = nil
        let change = try await loop?.next()
        #expect(change?.commits.count == 300)
        loop = nil
        // A round may still be under way.
        while store.catalog.hub.isActive {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test func theErrorOfAClosedStore_isThrownByTheLoop() async throws {
        let closed = try await Store.temporary(records: [ObservedNote.self])
        let before = closed.changes
        try await closed.close()
        for changes in [before, closed.changes] {
            var loop = changes.makeAsyncIterator()
            await #expect {
                _ = try await loop.next()
            } throws: { error in
                if case StoreError.transaction(.closed) = error { true } else { false }
            }
        }
    }

    @Test func changes_areJoined_whileTheLoopIsBusy() async throws {
        var changes = store.changes.makeAsyncIterator()
        try await insert(3)
        let first = try #require(try await changes.next())
        for id in 100..<150 { try await store.insert(OtherNote(id: id)) }
        let second = try #require(try await changes.next())
        #expect(first.commits.upperBound + 1 == second.commits.lowerBound)
        #expect(second.commits.count == 50)
        #expect(second.keys(of: OtherNote.self) == .these(Array(100..<150)))
    }

    @Test func changes_ofTheCatalogAlone_areNotReported() throws {
        #expect(ChangedKeys().isEmpty && !ChangedKeys.everything.isEmpty)
        let change = StoreChange(1...1, isOwn: true, .everything)
        #expect(change.keys(of: ObservedNote.self) == .any)
        #expect(StoreChange(1...1, isOwn: true, ChangedKeys()).keys(of: ObservedNote.self) == .none)
    }
}
