// The commits that wake a loop, and the requests of several that are read again.

import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

/// A request for the number of the people or of the notes. It counts its runs.
private struct CountedRuns: StoreRequest {
    let runs = Latest<Int>()
    var isOfPeople: Bool

    func value(in context: ReadContext) throws -> Int {
        let count = try isOfPeople ? ObservedPerson.query().count(in: context) : ObservedNote.query().count(in: context)
        runs.add(count)
        return count
    }
}

@Suite("What wakes a loop", .hangLimit) struct ObservedWakeTests {
    private let store: Store

    init() throws { store = try Store.observedPeople([ObservedNote.self]) }

    /// Returns whether the next value is due after a write.
    private func wakes<Value: Sendable>(
        _ values: ObservedValues<Value>.Iterator, _ write: @escaping @Sendable (TransactionContext) throws -> Void
    ) async throws -> Bool {
        try await store.write(write)
        await store.settle()
        return values.iteration.isDue
    }

    private func save(_ id: Int, age: Int) -> @Sendable (TransactionContext) throws -> Void {
        { context in try context.insert(ObservedPerson(id: id, name: "\(id)", age: age)) }
    }

    @Test func aRecordThatDoesNotMatch_wakesNoList() async throws {
        var lists = ObservedPerson.filter(\.age >= 25).values(in: store).makeAsyncIterator()
        #expect(try await lists.next()?.map(\.id) == [1, 3])
        #expect(try await !wakes(lists, save(2, age: 21)))
        #expect(try await !wakes(lists, save(9, age: 1)))
        #expect(try await !wakes(lists) { try $0.insert(ObservedNote(id: 1, value: 1)) })
        #expect(try await wakes(lists, save(2, age: 30)))
        #expect(try await lists.next()?.map(\.id) == [1, 2, 3])
        #expect(try await wakes(lists, save(1, age: 1)))
        #expect(try await lists.next()?.map(\.id) == [2, 3])
    }

    @Test func otherContents_wakeNoListOfKeys() async throws {
        var keys = ObservedPerson.filter(\.age >= 25).sorted(by: \.age).keys.values(in: store).makeAsyncIterator()
        #expect(try await keys.next() == [3, 1])
        #expect(try await !wakes(keys) { try $0.insert(ObservedPerson(id: 1, name: "Adam", age: 45)) })
        #expect(try await wakes(keys, save(3, age: 50)))
        #expect(try await keys.next() == [1, 3])
    }

    @Test func aRecordThatMatchesBeforeAndAfter_wakesNoCount() async throws {
        var counts = ObservedPerson.filter(\.age >= 25).count.values(in: store).makeAsyncIterator()
        #expect(try await counts.next() == 2)
        #expect(try await !wakes(counts, save(1, age: 46)))
        #expect(try await !wakes(counts, save(2, age: 21)))
        #expect(try await wakes(counts, save(2, age: 25)))
        #expect(try await counts.next() == 3)
        #expect(try await wakes(counts) { try $0.delete(ObservedPerson.self, key: 1) })
        #expect(try await counts.next() == 2)
    }

    @Test func aCountWithALimitAndAnOffset_isThatOfThePage() async throws {
        var counts = ObservedPerson.query().sorted(by: \.age.desc).limit(2, offset: 2).count.values(in: store)
            .makeAsyncIterator()
        #expect(try await counts.next() == 1)
        for id in 10..<14 {
            try await store.write(save(id, age: id))
            if id == 10 { #expect(try await counts.next() == 2) }
        }
        await store.settle()
        try await store.write { context in _ = try ObservedPerson.query(id: .lessThan(11)).delete(in: context) }
        #expect(try await counts.next() == 1)
        try await store.write { context in _ = try ObservedPerson.query().delete(in: context) }
        #expect(try await counts.next() == 0)
    }

    /// Of many matches, only the number is kept. Counts on both sides of the limit are right.
    @Test func manyMatches_areCountedAgain() async throws {
        let limit = CountReader<ObservedNote>.keyLimit
        let counts = Latest<Int>()
        let task = ObservedNote.filter(\.value >= 0).count.values(in: store).collect(into: counts)
        await counts.wait { $0.last == 0 }
        let steps = [(limit, false), (limit + 5, false), (limit + 1, true), (limit - 3, true), (2, true)]
        for (count, isDeleted) in steps {
            try await store.write { context in
                if isDeleted {
                    _ = try ObservedNote.query(id: .greaterThanOrEqual(count)).delete(in: context)
                } else {
                    try context.insert(contentsOf: (0..<count).map { ObservedNote(id: $0, value: 1) })
                }
            }
            await counts.wait { $0.last == count }
        }
        task.cancel()
        try await task.value
    }

    @Test func ofSeveralRequests_onlyTheChangedOnesAreRead() async throws {
        let (people, notes) = (CountedRuns(isOfPeople: true), CountedRuns(isOfPeople: false))
        var values = store.observe(people, notes, ObservedPerson.query(2)).makeAsyncIterator()
        var value = try await values.next()
        #expect(value?.0 == 3 && value?.1 == 0 && value?.2?.age == 20)
        try await store.insert(ObservedNote(id: 1, value: 1))
        value = try await values.next()
        #expect(value?.0 == 3 && value?.1 == 1 && value?.2?.age == 20)
        #expect(people.runs.values == [3] && notes.runs.values == [0, 1])
        try await store.insert(ObservedPerson(id: 4, name: "Zorg", age: 50))
        value = try await values.next()
        #expect(value?.0 == 4 && value?.1 == 1 && value?.2?.age == 20)
        try await store.write { context in
            try context.insert(ObservedPerson(id: 2, name: "Leeloo", age: 21))
            try context.insert(ObservedNote(id: 2, value: 1))
        }
        value = try await values.next()
        #expect(value?.0 == 4 && value?.1 == 2 && value?.2?.age == 21)
        #expect(people.runs.values == [3, 4, 4] && notes.runs.values == [0, 1, 2])
    }
}
