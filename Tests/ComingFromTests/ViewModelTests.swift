// View models of AutoDB: objects that views observe, alone and inside other objects.

import Observation
import Synchronization
import Testing
import Trove
import TroveSpellings

@IndexKeyRecord("id")
private struct Performer: Equatable {
    let id: AutoID
    var name: String = ""
    var age: Int = 0
}

/// A view model with a live object inside. Its views observe both: nothing has to be forwarded.
@Observable
private final class MainViewModel: Sendable {
    let nestedModel: Live<Performer>

    init(nestedModel: Live<Performer>) { self.nestedModel = nestedModel }

    var title: String { "Now: " + nestedModel.name }
}

/// Counts the changes of what a closure reads.
private final class View: Sendable {
    private let changes = Mutex(0)

    var changeCount: Int { changes.withLock { $0 } }

    init(_ body: @escaping @Sendable () -> Void) { render(body) }

    private func render(_ body: @escaping @Sendable () -> Void) {
        withObservationTracking(body) { [weak self] in
            self?.changes.withLock { $0 += 1 }
            self?.render(body)
        }
    }
}

@Suite("Coming from AutoDB: view models")
struct ViewModelTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Performer.self]) }

    /// `@Observable final class Artist: AutoDB`: a live object is observable as it is.
    @Test func aLiveObject_isObservable_byProperty() throws {
        let performer = try Performer.create(in: store) { Performer(id: $0, name: "Ines") }
        let names = View { _ = performer.name }
        let ages = View { _ = performer.age }
        performer.name = "Tomo"
        #expect(names.changeCount >= 1 && ages.changeCount == 0)
        // The same value is no change.
        let count = names.changeCount
        performer.name = "Tomo"
        #expect(names.changeCount == count)
    }

    @Test func aNestedObject_isObservedThroughItsOwner() throws {
        let performer = try Performer.create(in: store) { Performer(id: $0, name: "Ines") }
        let model = MainViewModel(nestedModel: performer)
        let titles = View { _ = model.title }
        performer.name = "Tomo"
        #expect(titles.changeCount >= 1 && model.title == "Now: Tomo")
    }

    /// RelationQuery and the listeners of inserts and deletes.
    @Test func aList_followsItsQuery() async throws {
        let list = try LiveList(Performer.filter(\.age >= 18).sorted(by: \.name), in: store, pageSize: 10)
        let rows = View { _ = list.rows.count }
        let young = try await Performer.create(in: store) { Performer(id: $0, name: "Ines", age: 17) }
        await store.live.settle()
        #expect(rows.changeCount == 0 && list.rows.isEmpty)
        young.age = 18
        try await young.save()
        await store.live.settle()
        #expect(rows.changeCount >= 1 && list.rows.first === young && !list.hasMore)
        for number in 0..<15 {
            _ = try await Performer.create(in: store) { Performer(id: $0, name: "\(number)", age: 20) }
        }
        await store.live.settle()
        #expect(list.rows.count == 10 && list.hasMore)
        try await list.loadMore()
        #expect(list.rows.count == 16 && !list.hasMore)
    }
}
