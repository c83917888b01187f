// Suspended stores: transactions wait or are refused, and observers and live objects see what was committed meanwhile.

import Foundation
import Testing
import TroveStoreWorker
import TroveTestSupport

@testable import Trove

@IndexKeyRecord("id")
private struct Letter: Hashable {
    let id: Int
    var text: String
}

@Suite("Suspended stores") struct SuspensionTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("letters.trove")
    }

    private func open() throws -> Store { try Store(path: path, records: [Letter.self]) }

    @Test func transactionsOfAllForms_waitForTheResumption() async throws {
        let store = try open()
        try await store.suspend()
        #expect(store.isSuspended)
        async let written = store.insert(Letter(id: 1, text: "one"))
        let blocking = RunningThread { try store.insert(Letter(id: 2, text: "two")) }
        async let count = Letter.query().count(in: store)
        try await Task.sleep(for: .milliseconds(30))
        try await store.resume()
        #expect(try await written)
        #expect(try await blocking.value())
        #expect(try await count <= 2)
        #expect(try await Letter.query().count(in: store) == 2)
        #expect(!store.isSuspended)
    }

    @Test func transactionsOfAllForms_areRefused() async throws {
        let store = try open()
        try await store.suspend(whileSuspended: .refuse)
        let expected = StoreError.transaction(.suspended(path: store.path))
        await #expect(throws: expected) { try await store.insert(Letter(id: 1, text: "one")) }
        await #expect(throws: expected) { try await Letter.query().count(in: store) }
        #expect(storeError { try onAnotherThread { try store.insert(Letter(id: 1, text: "one")) } } == expected)
        #expect(storeError { try onAnotherThread { try Letter.query().count(in: store) } } == expected)
        #expect(storeError { try onAnotherThread { try store.info } } == expected)
        try await store.resume()
        try await store.insert(Letter(id: 1, text: "one"))
    }

    @Test func inATransaction_nothingIsSuspended() throws {
        let store = try open()
        try store.write { context in
            #expect(storeError { try store.suspend() } == .transaction(.closedInTransaction(path: store.path)))
            try context.insert(Letter(id: 1, text: "one"))
        }
        #expect(!store.isSuspended)
        try store.suspend()
        try store.close()
        #expect(storeError { try store.suspend() } == .transaction(.closed(path: store.path)))
    }

    @Test func observersAndLiveObjects_seeTheCommitsOfOthers() async throws {
        let store = try await Store(path: path, records: [Letter.self, Left.self])
        try await store.insert(Letter(id: 1, text: "before"))
        try await store.insert(Left(number: 7))
        let letter = try #require(try Letter.live(1, in: store))
        var numbers = Left.query().values(in: store).makeAsyncIterator()
        #expect(try await numbers.next()?.map(\.number) == [7])
        try await store.suspend()
        let child = try ChildProcess(["left", path, "", "1"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        try child.writeLine("go")
        #expect(child.readLine() == "done")
        try await store.resume()
        #expect(try await numbers.next()?.map(\.number) == [0, 7])
        letter.text = "after"
        try await store.live.saveAllChanges()
        #expect(try await Letter.query().first(in: store)?.text == "after")
    }
}
