// Live objects in a module whose declarations belong to the main actor by default.

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
}
