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

    /// Edits here, and commits of another process, at random. A model says what each object must show.
    @Test func randomEdits_besideAnotherProcess_agreeWithAModel() async throws {
        var (generator, seed) = SeededGenerator.fromEnvironment()
        let directory = try TemporaryDirectory()
        let store = try await Store(path: directory.path("store"), options: StoreOptions(durability: .noSync))
        let marks = try await store.write { context in
            try (0..<6).map { try NewMark.create(NewMark(number: $0, value: "first"), in: context) }
        }
        var (stored, shown) = (Array(repeating: "first", count: 6), Array(repeating: "first", count: 6))
        for step in 0..<60 {
            let number = Int.random(in: 0..<6, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<3:
                shown[number] = "edit \(step)"
                marks[number].value = NewMark(number: number, value: shown[number])
            case 3:
                try await marks[number].save()
                stored[number] = shown[number]
            case 4:
                marks[number].revert()
                shown[number] = stored[number]
            case 5:
                try await store.live.saveAllChanges()
                stored = shown
            default:
                let value = "other \(step)"
                try mark(store.path, value, number + 1)
                await store.live.settle()
                // An edited property keeps its edit.
                for changed in 0...number where shown[changed] == stored[changed] { shown[changed] = value }
                for changed in 0...number { stored[changed] = value }
            }
            try #require(marks.map(\.value.value) == shown, "step \(step), TROVE_TEST_SEED=\(seed)")
            try #require(marks.map(\.hasChanges) == zip(shown, stored).map(!=), "step \(step), TROVE_TEST_SEED=\(seed)")
            let read = try await store.read { context in try NewMark.query().resolve(in: context).map(\.value) }
            try #require(read == stored, "step \(step), TROVE_TEST_SEED=\(seed)")
        }
        for mark in marks { mark.revert() }
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
        if case .schema(.schemaNewer)? = storeError(body) { true } else { false }
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
