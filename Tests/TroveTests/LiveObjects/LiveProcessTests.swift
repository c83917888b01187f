// Live objects beside other processes, and beside newer programs.

import Foundation
import Testing
import TroveTestSupport

@testable import Trove

/// The type that the other process stores.
@IndexKeyRecord(keyPrefix: 4_000_003, fieldsVersion: 1, "number")
private struct NewMark: Hashable {
    let number: Int
    var value: String
}

/// A type that the other process gives newer layouts.
@IndexKeyRecord(keyPrefix: 4_000_004, "number")
private struct OldItem: Hashable {
    let number: Int
    var size: Int8
    var body: Data
}

@Suite("Live objects beside other programs", .serialized, .hangLimit) struct LiveProcessTests {
    /// Lets another process store marks with the numbers below a count.
    private func mark(_ path: String, _ value: String, _ count: Int) throws {
        let child = try ChildProcess(["mark", path, value, "\(count)"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        try child.writeLine("go")
        #expect(child.readLine() == "done")
        #expect(child.wait() == 0)
    }

    /// Without a call of `refresh`.
    @Test func objectsAndLists_followOtherProcesses() async throws {
        let directory = try TemporaryDirectory()
        let store = try await Store(path: directory.path("store"), options: StoreOptions(durability: .noSync))
        let marks = try await store.write { context in
            try (0..<3).map { try NewMark.create(NewMark(number: $0, value: "own"), in: context) }
        }
        let draft = NewMark.draft(NewMark(number: 3, value: "draft"), in: store)
        let list = try LiveList(NewMark.filter(\.value == "other"), in: store)
        #expect(list.rows.isEmpty)
        marks[0].change { $0.value = "edited" }
        try mark(store.path, "other", 5)
        await store.live.settle()
        #expect(marks.map(\.value.value) == ["edited", "other", "other"])
        #expect(marks.map(\.hasChanges) == [true, false, false])
        #expect(list.rows.map(\.key) == [0, 1, 2, 3, 4])
        #expect(list.rows[1] === marks[1] && list.rows[3] === draft)
        try await marks[0].save()
        #expect(try await store.get(NewMark.self, key: 0)?.value == "edited")
        await #expect(throws: StoreError.self) { try await draft.save() }
        #expect(draft.isDraft && draft.value.value == "draft")
        draft.revert()
        #expect(draft.value.value == "other" && !draft.isDeleted)
    }

    // MARK: A newer program

    /// Lets a newer program migrate the items to another layout.
    private func migrate(_ path: String, to layout: String) throws {
        let child = try ChildProcess(["migrate", path, layout, "1"], executable: "TroveStoreWorker")
        #expect(child.readLine() == "ready")
        try child.writeLine("go")
        while let line = child.readLine(), line != "done" {}
        #expect(child.wait() == 0)
    }

    private func isNewer(_ body: () throws -> some Any) -> Bool {
        if case .schemaNewer? = storeError(body) { true } else { false }
    }

    /// A layout that this program can read: the object shows the record, and a save is refused.
    @Test func aNewerLayout_isFollowed_andASaveIsRefused() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("store"), options: StoreOptions(durability: .noSync))
        let item = try OldItem.create(OldItem(number: 1, size: 1, body: Data()), in: store)
        let other = try OldItem.create(OldItem(number: 2, size: 1, body: Data()), in: store)
        item.size = 5
        try migrate(store.path, to: "new")
        try store.live.refresh()
        try item.refresh()
        #expect(item.size == 5 && item.hasChanges && !item.isDeleted)
        #expect(other.value == OldItem(number: 2, size: 1, body: Data()) && !other.hasChanges)
        #expect(isNewer { try item.save() })
        #expect(isNewer { try store.live.saveAllChanges() })
        #expect(isNewer { try other.delete() })
        #expect(item.size == 5 && item.hasChanges && !other.isDeleted)
        item.revert()
        #expect(item.value == OldItem(number: 1, size: 1, body: Data()))
    }

    /// A layout that this program cannot read: the object keeps its value, and a list its rows.
    @Test func anUnreadableLayout_keepsTheValue() throws {
        let directory = try TemporaryDirectory()
        let store = try Store(path: directory.path("store"), options: StoreOptions(durability: .noSync))
        let item = try OldItem.create(OldItem(number: 1, size: 1, body: Data()), in: store)
        let list = try LiveList(OldItem.filter(\.size >= 0), in: store)
        item.size = 5
        try migrate(store.path, to: "renamed")
        try store.live.refresh()
        #expect(isNewer { try item.refresh() })
        #expect(isNewer { try item.save() })
        #expect(isNewer { try LiveList(OldItem.filter(\.size >= 0), in: store) })
        #expect(list.rows.records == [OldItem(number: 1, size: 1, body: Data())])
        #expect(item.size == 5 && item.hasChanges && !item.isDeleted)
        item.revert()
    }
}
