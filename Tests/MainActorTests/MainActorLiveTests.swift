// Live objects in a module whose declarations belong to the main actor by default.

import Foundation
import Observation
import Testing
import Trove

/// A view model, as an app has it.
@Observable
private final class BookModel {
    let book: Live<Library.Book>
    var shown = 0

    init(_ book: Live<Library.Book>) { self.book = book }

    func show() {
        shown = withObservationTracking {
            book.shelf
        } onChange: { [weak self] in
            Task { @MainActor in self?.show() }
        }
    }

    func move() { book.shelf += 1 }
}

@Suite("Live objects in a module of the main actor")
struct MainActorLiveTests {
    @Test func aViewModel_followsItsObject() async throws {
        let store = try await Store.temporary(records: [Library.Book.self])
        store.live.delivery = MainActor.shared
        let book = try await Library.Book.create(Library.Book(genre: .crime, number: 1), in: store)
        let model = BookModel(book)
        model.show()
        model.move()
        try await book.save()
        try await store.insert(Library.Book(genre: .crime, number: 1, shelf: 7))
        await store.live.settle()
        for _ in 0..<10_000 where model.shown != 7 { await Task.yield() }
        #expect(model.shown == 7)
        #expect(try await store.get(Library.Book.self, key: book.key)?.shelf == 7)
        try await store.write { context in
            book.shelf = 8
            try book.save(in: context)
        }
        #expect(book.shelf == 8 && !book.hasChanges)
    }

    @Test func aList_followsOnTheMainActor() async throws {
        let store = try await Store.temporary(records: [Library.Book.self])
        store.live.delivery = MainActor.shared
        let list = try LiveList(
            Library.Book.filter(\.shelf < 5).sorted(by: \.shelf), in: store, pageSize: 2, countsAll: true)
        #expect(list.rows.isEmpty && !list.hasMore)
        for number in 1...4 {
            try await store.insert(Library.Book(genre: .crime, number: number, shelf: 5 - number))
        }
        await store.live.settle()
        #expect(list.rows.map(\.number) == [4, 3] && list.hasMore && list.totalCount == 4)
        if let last = list.rows.last { list.rowAppeared(last) }
        #expect(list.rows.map(\.number) == [4, 3, 2, 1] && !list.hasMore)
        list.rows[0].shelf = 9
        try await list.rows[0].save()
        await store.live.settle()
        #expect(list.rows.map(\.number) == [3, 2, 1] && list.totalCount == 3)
        list.query = Library.Book.filter(\.shelf > 5)
        try await list.reload()
        #expect(list.rows.map(\.number) == [4] && list.error == nil)
    }

    @Test func draftsAndNewObjects_areCounted() async throws {
        let store = try await Store.temporary(records: [Library.Book.self])
        store.live.delivery = MainActor.shared
        let draft = Library.Book.draft(Library.Book(genre: .poetry, number: 1), in: store)
        #expect(draft.isDraft && store.live.unsavedCount == 1)
        try await store.live.saveAllChanges()
        #expect(!draft.isDraft && store.live.unsavedCount == 0)
        let same = try await Library.Book.live(draft.key, in: store) { Library.Book(genre: .poetry, number: 1) }
        #expect(same === draft)
        let other = Library.Book(genre: .crime, number: 7)
        let book = try await Library.Book.live(other.indexKey, in: store) { Library.Book(genre: .crime, number: 7) }
        #expect(book.number == 7 && !book.isDraft)
        try await book.delete()
        #expect(book.isDeleted)
    }

    @Test func failures_areReceivedOnTheMainActor() async throws {
        let store = try await Store.temporary(records: [Job.self])
        store.live.delivery = MainActor.shared
        let jobs = ["wash", "dry"].map { Job(priority: .low, id: UUID(), title: $0, owner: $0) }
        let live = [try await Job.create(jobs[0], in: store), try await Job.create(jobs[1], in: store)]
        let failures = store.live.failures
        store.live.autosaveDelay = .zero
        live[1].owner = "wash"
        for await failure in failures {
            #expect(failure.object === live[1])
            break
        }
        store.live.autosaveDelay = nil
        // Another attempt may be under way. Until it fails, the object looks saved.
        while !live[1].hasChanges, !Task.isCancelled { await Task.yield() }
        #expect(store.live.unsavedCount == 1)
        live[1].revert()
        #expect(live[1].owner == "dry" && store.live.unsavedCount == 0)
    }
}
