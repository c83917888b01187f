// Live objects as the Observation framework sees them.

import Dispatch
import LMDB
import Observation
import Testing
import TroveTestSupport

@testable import Trove

/// A class that a property refers to.
final class Margin: Codable, @unchecked Sendable {
    var text: String

    init(_ text: String) { self.text = text }
}

@IndexKeyRecord("id")
struct Annotated {
    let id: Int
    var margin: Margin
}

/// Counts calls.
private final class Calls: Sendable {
    private let number = Monitor(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}

/// Tracks what a closure reads, for one change.
private func calls(reading read: () -> Void) -> Calls {
    let calls = Calls()
    withObservationTracking(read) { calls.add() }
    return calls
}

/// A view: it reads on its own queue, and again after each change.
private final class QueueView: Sendable {
    private let queue = DispatchQueue(label: "view")
    private let shown = Monitor(-1)
    private let read: @Sendable () -> Int

    init(_ read: @escaping @Sendable () -> Int) {
        self.read = read
        queue.sync { update() }
    }

    private func update() {
        let value = withObservationTracking(read) { [weak self] in
            guard let view = self else { return }
            view.queue.async { view.update() }
        }
        shown.withLock { $0 = value }
    }

    /// What the view shows after all updates so far.
    var value: Int {
        queue.sync {}
        return shown.withLock { $0 }
    }
}

@Suite("Observation of live objects", .hangLimit) struct LiveObservationTests {
    private let store: Store

    init() throws { store = try Store.live() }

    @Test func onlyReadProperties_areObserved() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let name = calls { _ = traveler.name }
        let age = calls { _ = traveler.age }
        let label = calls { _ = traveler.label }
        let value = calls { _ = traveler.value }
        let changes = calls { _ = traveler.hasChanges }
        traveler.age = 31
        #expect((name.count, age.count, label.count) == (0, 1, 1))
        #expect((value.count, changes.count) == (1, 1))
        traveler.label = "computed"
        #expect(name.count == 1)
    }

    @Test func equalValues_areNotReported() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        try store.live.refresh()
        let all = calls {
            _ = (traveler.value, traveler.name, traveler.hasChanges, traveler.isDeleted, traveler.isDraft)
        }
        traveler.name = "Ruby"
        traveler.value = Traveler(id: 1)
        try store.write(Traveler(id: 1))
        try store.live.refresh()
        #expect(all.count == 0)
    }

    @Test func aRefresh_reportsTheChangedPropertiesAlone() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let name = calls { _ = traveler.name }
        let quarters = calls { _ = traveler.quarters }
        try store.write(Traveler(id: 1, quarters: Quarters(city: "Salem")))
        try store.live.refresh()
        #expect((name.count, quarters.count) == (0, 1))
        let deleted = calls { _ = traveler.isDeleted }
        try store.delete(Traveler.self, key: 1)
        try store.live.refresh()
        #expect((name.count, deleted.count) == (0, 1))
    }

    @Test func aSave_reportsHasChanges_andNoValue() async throws {
        let traveler = Traveler.draft(Traveler(id: 1), in: store)
        let value = calls { _ = traveler.value }
        let (changes, draft) = (calls { _ = traveler.hasChanges }, calls { _ = traveler.isDraft })
        let unsaved = calls { _ = store.live.unsavedCount }
        try await traveler.save()
        await store.live.settle()
        #expect((value.count, changes.count, draft.count, unsaved.count) == (0, 1, 1, 1))
    }

    @Test func oneChangeOfSeveralProperties_isReportedAfterAllAreSet() throws {
        let traveler = try Traveler.create(Traveler(id: 1), in: store)
        let seen = Monitor<[String]>([])
        withObservationTracking {
            _ = (traveler.name, traveler.age)
        } onChange: {
            seen.withLock { $0.append(traveler.label) }
        }
        traveler.change {
            $0.age = 45
            $0.name = "Korben"
        }
        #expect(seen.withLock { $0 } == ["Korben, 45"])
    }

    @Test func noView_staysStale() async throws {
        let traveler = try await Traveler.create(Traveler(id: 1, age: 0), in: store)
        let views = (0..<3).map { _ in QueueView { traveler.age } }
        for turn in 1...(hasSanitizer ? 20 : 60) {
            // Single changes, and storms.
            let changes = turn % 10 == 0 ? 50 : 1
            try onAnotherThread { for _ in 0..<changes { traveler.age += 1 } }
            await store.live.settle()
            let expected = traveler.age
            for view in views { #expect(view.value == expected) }
        }
    }

    /// Two threads that call the registrar at once can call an observer twice that has requested one call. An
    /// observer that then requests two, and so on, would never come to rest.
    @Test func changesOfTwoThreads_areReportedInTurn() async throws {
        let traveler = try await Traveler.create(Traveler(id: 1, age: 0), in: store)
        await store.live.settle()
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        withObservationTracking {
            _ = traveler.age
        } onChange: {
            began.signal()
            mayEnd.wait()
        }
        let others = (0..<20).map { _ in calls { _ = traveler.age } }
        let first = RunningThread { traveler.age += 1 }
        try onAnotherThread {
            began.wait()
            traveler.age += 1
            mayEnd.signal()
        }
        try await first.value()
        await store.live.settle()
        #expect(others.map(\.count) == Array(repeating: 1, count: 20))
        #expect(traveler.age == 2)
    }

    /// As long as a thread is in an observer, changes by commits are left to it. Nothing is tried again and again, also
    /// if the task that waits is cancelled.
    @Test func aChangeByACommit_isLeftToTheThreadThatNotifies() async throws {
        let store = store
        let traveler = try await Traveler.create(Traveler(id: 1, age: 0), in: store)
        await store.live.settle()
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let name = calls { _ = traveler.name }
        withObservationTracking {
            _ = traveler.age
        } onChange: {
            began.signal()
            mayEnd.wait()
        }
        let editing = RunningThread { traveler.age += 1 }
        try onAnotherThread { began.wait() }
        try await store.insert(Traveler(id: 1, name: "new", age: 0))
        await store.settle()
        let notifier = store.live.shared.notifier
        #expect(traveler.name == "new" && name.count == 0)
        #expect(notifier.count == 0 && !notifier.isFinished)
        let settling = Task {
            await store.live.settle()
            return name.count
        }
        settling.cancel()
        mayEnd.signal()
        #expect(await settling.value == 1)
        try await editing.value()
        #expect(traveler.age == 1 && traveler.name == "new")
        traveler.revert()
    }

    @Test func aSetterInAnObserver_isReportedAfterwards() async throws {
        let traveler = try await Traveler.create(Traveler(id: 1, age: 0), in: store)
        await store.live.settle()
        let name = calls { _ = traveler.name }
        withObservationTracking {
            _ = traveler.age
        } onChange: {
            traveler.name = "set by the observer"
        }
        traveler.age = 1
        #expect(name.count == 1 && traveler.name == "set by the observer")
    }

    @Test func refreshes_arriveOnTheDeliveryActor() async throws {
        store.live.delivery = MainActor.shared
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        let other = try await Traveler.create(Traveler(id: 2), in: store)
        await store.live.settle()
        let isOnMain = Monitor<[Bool]>([])
        withObservationTracking {
            _ = traveler.name
        } onChange: {
            // It would trap elsewhere.
            isOnMain.withLock { $0.append(MainActor.assumeIsolated { true }) }
        }
        try await store.write { context in
            try context.insert(Traveler(id: 1, name: "a"))
            try context.insert(Traveler(id: 2, name: "a"))
        }
        await store.live.settle()
        #expect(traveler.name == "a" && other.name == "a")
        #expect(isOnMain.withLock { $0 } == [true])
    }

    /// The main actor is busy with this test, so that a read finds the commit before it is delivered.
    @MainActor
    @Test func whatAReadFinds_isReportedOnTheDeliveryActor() async throws {
        let store = store
        store.live.delivery = MainActor.shared
        let traveler = try await Traveler.create(Traveler(id: 1), in: store)
        await store.live.settle()
        let isOnMain = Monitor<[Bool]>([])
        withObservationTracking {
            _ = traveler.name
        } onChange: {
            isOnMain.withLock { $0.append(MainActor.assumeIsolated { true }) }
        }
        let name = try onAnotherThread {
            try store.write(Traveler(id: 1, name: "found"))
            return try Traveler.live(1, in: store)?.name
        }
        #expect(name == "found" && isOnMain.withLock { $0 }.isEmpty)
        await store.live.settle()
        #expect(isOnMain.withLock { $0 } == [true])
    }

    @Test func aChangeInsideAReference_isNotedByDidChange() throws {
        let store = try Store.temporary(records: [Annotated.self])
        let annotated = try Annotated.create(Annotated(id: 1, margin: Margin("a")), in: store)
        let margin = calls { _ = annotated.margin }
        annotated.margin.text = "b"
        #expect(!annotated.hasChanges && margin.count == 0)
        annotated.didChange()
        #expect(annotated.hasChanges && margin.count == 1)
        try annotated.save()
        #expect(!annotated.hasChanges)
        #expect(try store.get(Annotated.self, key: 1)?.margin.text == "b")
    }

    @Test func observations_giveTheLastValue() async throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let traveler = try await Traveler.create(Traveler(id: 1, age: 0), in: store)
        let reader = Task {
            for await age in Observations({ traveler.age }) where age == 100 { return age }
            return -1
        }
        for _ in 0..<100 {
            traveler.age += 1
            await Task.yield()
        }
        #expect(await reader.value == 100)
    }
}
