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

    /// Commits until a loop has got its first change. A commit before the loop's first snapshot is not reported, so
    /// another follows, after some time: a loop that gets many commits joined does not get their keys.
    private func commit(until isOver: @Sendable () -> Bool) async throws {
        var value = 0
        while !isOver(), !Task.isCancelled {
            value += 1
            try await store.write { [value] context in
                for id in [5, 3, 5] { try context.insert(ObservedNote(id: id, value: value)) }
            }
            for _ in 0..<100 where !isOver() { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test func aChange_reportsItsKeys_byType() async throws {
        let isOver = Monitor(false)
        let observing = Task {
            for try await change in store.changes {
                isOver.withLock { $0 = true }
                return change as StoreChange?
            }
            return nil
        }
        try await commit { isOver.withLock { $0 } }
        let change = try #require(try await observing.value)
        #expect(change.keys(of: ObservedNote.self) == .these([3, 5]))
        #expect(change.keys(of: OtherNote.self) == .none)
        #expect(change.isOwn)
    }

    @Test func changes_areJoined_whileTheLoopIsBusy() async throws {
        let isOver = Monitor(false)
        let store = store
        let observing = Task {
            var all: [StoreChange] = []
            for try await change in store.changes {
                all.append(change)
                isOver.withLock { $0 = true }
                if all.count == 2 { break }
                for id in 100..<150 { try await store.insert(OtherNote(id: id)) }
            }
            return all
        }
        try await commit { isOver.withLock { $0 } }
        let all = try await observing.value
        #expect(all.count == 2 && all[0].commits.upperBound + 1 == all[1].commits.lowerBound)
        #expect(all[1].commits.count >= 50)
        #expect(all[1].keys(of: OtherNote.self) == .these(Array(100..<150)))
    }

    @Test func changes_ofTheCatalogAlone_areNotReported() throws {
        #expect(ChangedKeys().isEmpty && !ChangedKeys.everything.isEmpty)
        let change = StoreChange(1...1, isOwn: true, .everything)
        #expect(change.keys(of: ObservedNote.self) == .any)
        #expect(StoreChange(1...1, isOwn: true, ChangedKeys()).keys(of: ObservedNote.self) == .none)
    }
}
