// Observed values: what is given, when, and how an iteration ends.

import Dispatch
import Testing
import TroveCoding
import TroveTestSupport

@testable import LMDB
@testable import Trove

@IndexKeyRecord("id")
private struct Order: Equatable {
    let id: Int
    var city: String
    var total: Int
}

/// A value without `==`.
@RecordValue
private struct Deck {
    var name: String
}

@IndexKeyRecord("id")
private struct Berth {
    let id: Int
    var deck: Deck
    var level: Double = .nan
    var number: Int = 1
}

/// A request that counts its runs.
private struct CountedRuns: StoreRequest {
    let runs = Latest<Int>()
    var minimum = 0

    func value(in context: ReadContext) throws -> Int {
        let count = try ObservedPerson.query(id: .greaterThanOrEqual(minimum)).count(in: context)
        runs.add(count)
        return count
    }
}

@Suite("Observed values", .hangLimit) struct ObservedValuesTests {
    private let store: Store

    init() throws {
        store = try Store.observedPeople([Order.self])
    }

    private func setAge(_ id: Int, _ age: Int) async throws { try await store.setAge(id, age) }

    @Test func theFirstValue_comesAtOnce_andTheNextAfterAChange() async throws {
        var values = ObservedPerson.filter(\.age >= 25).sorted(by: \.name).values(in: store).makeAsyncIterator()
        #expect(try await values.next()?.map(\.name) == ["Korben", "Ruby"])
        try await setAge(2, 25)
        #expect(try await values.next()?.map(\.name) == ["Korben", "Leeloo", "Ruby"])
        try await setAge(1, 3)
        try await setAge(3, 3)
        // Both writes have returned before.
        #expect(try await values.next()?.map(\.name) == ["Leeloo"])
    }

    @Test func theFirstValue_doesNotWaitForAWriter() async throws {
        let (began, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let writing = Task { [store] in
            try await store.write { context in
                try context.insert(ObservedPerson(id: 9, name: "Zorg", age: 50))
                began.signal()
                mayEnd.wait()
            }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                began.wait()
                continuation.resume()
            }
        }
        var values = ObservedPerson.query().count.values(in: store).makeAsyncIterator()
        #expect(try await values.next() == 3)
        mayEnd.signal()
        try await writing.value
        #expect(try await values.next() == 4)
    }

    @Test func equalValues_areNotReported() async throws {
        let counts = Latest<Int>()
        let task = ObservedPerson.filter(\.age >= 25).count.values(in: store).collect(into: counts)
        await counts.wait { $0.count == 1 }
        try await setAge(1, 46)
        try await setAge(3, 31)
        try await setAge(2, 40)
        await counts.wait { $0.last == 3 }
        #expect(counts.values == [2, 3])
        task.cancel()
        try await task.value
    }

    @Test func changesOfOtherRecords_areNotRead() async throws {
        let request = CountedRuns(minimum: 100)
        let values = Latest<Int>()
        let task = request.values(in: store).collect(into: values)
        await values.wait { $0.count == 1 }
        // The first round may not know what the first value has seen.
        try await store.insert(ObservedPerson(id: 9, name: "", age: 0))
        await store.settle()
        try await store.insert(ObservedPerson(id: 100, name: "Zorg", age: 50))
        await values.wait { $0 == [0, 1] }
        let runs = request.runs.values.count
        try await store.write { context in
            for id in 10..<20 { try context.insert(ObservedPerson(id: id, name: "", age: 0)) }
            try context.insert(Order(id: 100, city: "Oslo", total: 1))
        }
        await store.settle()
        try await store.insert(ObservedPerson(id: 101, name: "Zorg", age: 50))
        await values.wait { $0 == [0, 1, 2] }
        #expect(request.runs.values.count == runs + 1)
        task.cancel()
    }

    @Test func aSlowConsumer_seesTheLatestValueAlone() async throws {
        var values = ObservedPerson.query(1).values(in: store).makeAsyncIterator()
        #expect(try await values.next()??.age == 45)
        for age in 50..<60 { try await setAge(1, age) }
        #expect(try await values.next()??.age == 59)
        try await store.delete(ObservedPerson.self, key: 1)
        let gone = try await values.next()
        #expect(gone == .some(nil))
    }

    @Test func changes_leadFromListToList() async throws {
        var changes = ObservedPerson.query().sorted(by: \.age).changes(in: store).makeAsyncIterator()
        let first = try await changes.next()
        #expect(first?.records.map(\.id) == [2, 3, 1])
        #expect(first?.difference.insertions.count == 3)
        #expect(first?.updated == [])
        let before = try store.commitSequence
        #expect(first?.commit == before)
        try await store.write { context in
            try context.delete(ObservedPerson.self, key: 3)
            try context.insert(ObservedPerson(id: 4, name: "Zorg", age: 1))
            try ObservedPerson.filter(\.id == 2).update(in: context) { $0.age = 99 }
        }
        let second = try await changes.next()
        #expect(second?.records.map(\.id) == [4, 1, 2])
        #expect(second?.updated == [2])
        #expect(second?.commit == before + 1)
        #expect(try first.map(\.records)?.map(\.id).applying(#require(second?.difference)) == [4, 1, 2])
    }

    @Test func severalRequests_areOfOneSnapshot() async throws {
        var values = store.observe(ObservedPerson.query().count, Order.query(), ObservedPerson.query(2))
            .makeAsyncIterator()
        let first = try await values.next()
        #expect(first?.0 == 3)
        #expect(first?.1 == [])
        #expect(first?.2?.name == "Leeloo")
        let order = Order(id: 1, city: "Oslo", total: 5)
        try await store.write { context in
            try context.insert(order)
            try context.delete(ObservedPerson.self, key: 2)
        }
        let second = try await values.next()
        #expect(second?.0 == 2)
        #expect(second?.1 == [order])
        #expect(second?.2 == nil)
    }

    @Test func closures_areRunAgainForWhatTheyHaveRead() async throws {
        let runs = Latest<Int>()
        let sums = store.observe { context in
            let person = try context.get(ObservedPerson.self, key: 1)
            // What is read depends on what was read.
            let total = person?.age == 1 ? try Order.query().resolve(in: context).reduce(0) { $0 + $1.total } : -1
            runs.add(total)
            return total
        }
        var values = sums.makeAsyncIterator()
        #expect(try await values.next() == -1)
        try await store.insert(Order(id: 1, city: "Oslo", total: 5))
        try await setAge(1, 1)
        #expect(try await values.next() == 5)
        try await store.insert(Order(id: 2, city: "Rome", total: 6))
        #expect(try await values.next() == 11)
        #expect(runs.values == [-1, 5, 11])
    }

    @Test func aBoundQuery_isObserved() async throws {
        var lists = ObservedPerson.filter(\.age > 40, in: store).values().makeAsyncIterator()
        #expect(try await lists.next()?.map(\.id) == [1])
        var one = ObservedPerson.query(2, in: store).values().makeAsyncIterator()
        #expect(try await one.next()??.id == 2)
        try await setAge(2, 41)
        #expect(try await lists.next()?.map(\.id) == [1, 2])
        #expect(try await one.next()??.age == 41)
    }

    @Test func otherPropertiesOfASelection_areNotReported() async throws {
        let names = Latest<[String]>()
        let task = ObservedPerson.query().select(\.name).values(in: store).collect(into: names)
        let keys = Latest<[Int]>()
        let second = ObservedPerson.query().sorted(by: \.name).keys.values(in: store).collect(into: keys)
        await names.wait { $0.count == 1 }
        await keys.wait { $0.count == 1 }
        try await setAge(1, 77)
        try await store.write { context in try ObservedPerson.filter(\.id == 1).update(in: context) { $0.name = "Adam" }
        }
        await names.wait { $0.count == 2 }
        #expect(names.values == [["Korben", "Leeloo", "Ruby"], ["Adam", "Leeloo", "Ruby"]])
        try await store.delete(ObservedPerson.self, key: 3)
        await keys.wait { $0.last == [1, 2] }
        #expect(keys.values == [[1, 2, 3], [1, 2]])
        task.cancel()
        second.cancel()
    }

    /// The stored contents decide, and not `==`: a type need not have it, and texts with other scalars can be equal.
    @Test func selections_areComparedByTheirBytes() throws {
        let decks = Berth.query().select(\.deck).reader()
        let pairs = Berth.query().select(\.deck, \.level).reader()
        func areGivenAfter(saving berth: Berth) throws -> [Bool] {
            try store.insert(berth)
            let step = ReadStep(last: 1, commit: 2, changes: .everything, isOwn: true)
            return try store.read { context in
                try [decks.read(in: context, step), pairs.read(in: context, step)]
            }
        }
        let (composed, decomposed) = ("Ren\u{E9}e", "Rene\u{301}e")
        #expect(composed == decomposed)
        #expect(try areGivenAfter(saving: Berth(id: 1, deck: Deck(name: composed))) == [true, true])
        #expect(try areGivenAfter(saving: Berth(id: 1, deck: Deck(name: composed), number: 2)) == [false, false])
        #expect(try areGivenAfter(saving: Berth(id: 1, deck: Deck(name: decomposed), number: 2)) == [true, true])
        #expect(try areGivenAfter(saving: Berth(id: 1, deck: Deck(name: decomposed), level: 0)) == [false, true])
        #expect(try areGivenAfter(saving: Berth(id: 2, deck: Deck(name: decomposed))) == [true, true])
    }

    @Test func groups_areGivenOnce() async throws {
        try await store.insert(Order(id: 1, city: "Oslo", total: 5))
        var counts = Order.query().grouped(by: \.city).count.values(in: store).makeAsyncIterator()
        #expect(try await counts.next()?.map(\.key) == ["Oslo"])
        // The counts stay equal.
        try await store.write { context in try Order.query().update(in: context) { $0.total = 6 } }
        try await store.insert(Order(id: 2, city: "Rome", total: 5))
        let next = try await counts.next()
        #expect(next?.map(\.key) == ["Oslo", "Rome"])
        #expect(next?.map(\.value) == [1, 1])
        #expect(areEqual([(1, "a"), (2, "b")], [(1, "a"), (2, "b")]))
        #expect(!areEqual([(1, "a"), (2, "b")], [(1, "a"), (2, "c")]))
        #expect(!areEqual([(1, "a")], []))
    }

    @Test func existence_isGivenOnce() async throws {
        var values = ObservedPerson.filter(\.age > 50).exists.values(in: store).makeAsyncIterator()
        var bound = ObservedPerson.filter(\.age > 50, in: store).exists.values().makeAsyncIterator()
        #expect(try await values.next() == false)
        #expect(try await bound.next() == false)
        try await setAge(1, 51)
        #expect(try await values.next() == true)
        #expect(try await bound.next() == true)
        // A second match changes nothing.
        try await setAge(2, 52)
        try await store.write { context in _ = try ObservedPerson.query().delete(in: context) }
        #expect(try await values.next() == false)
        #expect(try await bound.next() == false)
    }

    @Test func countsAndKeysByKey_areObserved() async throws {
        var one = ObservedPerson.query(1).count.values(in: store).makeAsyncIterator()
        var isThere = ObservedPerson.query(1).exists.values(in: store).makeAsyncIterator()
        var list = ObservedPerson.query([1, 3]).count.values(in: store).makeAsyncIterator()
        var repeated = ObservedPerson.query([1, 3, 3], in: store).count.values().makeAsyncIterator()
        var keys = ObservedPerson.query(id: .lessThan(3)).keys.values(in: store).makeAsyncIterator()
        var count = ObservedPerson.query(id: .lessThan(3)).count.values(in: store).makeAsyncIterator()
        #expect(try await one.next() == 1)
        #expect(try await isThere.next() == true)
        #expect(try await list.next() == 2)
        #expect(try await repeated.next() == 3)
        // Keys below a bound descend from it.
        #expect(try await keys.next() == [2, 1])
        #expect(try await count.next() == 2)
        try await store.delete(ObservedPerson.self, key: 3)
        #expect(try await list.next() == 1)
        #expect(try await repeated.next() == 1)
        try await store.delete(ObservedPerson.self, key: 1)
        #expect(try await one.next() == 0)
        #expect(try await isThere.next() == false)
        #expect(try await list.next() == 0)
        #expect(try await keys.next() == [2])
        #expect(try await count.next() == 1)
    }

    @Test func aggregates_areGivenOnce() async throws {
        try await store.insert(Order(id: 1, city: "Oslo", total: 5))
        let oslo = Order.filter(\.city == "Oslo")
        var sums = oslo.sum(of: \.total).values(in: store).makeAsyncIterator()
        var greatest = Order.query(in: store).max(of: \.total).values().makeAsyncIterator()
        var cities = Order.distinct(\.city).values(in: store).makeAsyncIterator()
        #expect(try await sums.next() == 5)
        #expect(try await greatest.next() == .some(5))
        #expect(try await cities.next() == ["Oslo"])
        // The sum of Oslo stays equal.
        try await store.insert(contentsOf: [Order(id: 2, city: "Rome", total: 9)])
        #expect(try await greatest.next() == .some(9))
        #expect(try await cities.next() == ["Oslo", "Rome"])
        try await store.insert(contentsOf: [Order(id: 3, city: "Oslo", total: 1)])
        #expect(try await sums.next() == 6)
        try await store.insert(contentsOf: [Order(id: 4, city: "Bonn", total: 2)])
        #expect(try await cities.next() == ["Bonn", "Oslo", "Rome"])
    }

    @Test func theFirstRecord_isOfTheOrder() async throws {
        var oldest = ObservedPerson.query().sorted(by: \.age.desc).first.values(in: store).makeAsyncIterator()
        #expect(try await oldest.next()??.name == "Korben")
        try await setAge(2, 44)
        try await setAge(3, 60)
        #expect(try await oldest.next()??.name == "Ruby")
        try await store.write { context in _ = try ObservedPerson.query().delete(in: context) }
        let none = try await oldest.next()
        #expect(none == .some(nil))
    }

    @Test func theLastRecord_isOfTheOrder() async throws {
        var youngest = ObservedPerson.query().sorted(by: \.age.desc).last.values(in: store).makeAsyncIterator()
        let first = try #require(try await youngest.next() ?? nil)
        #expect(try await first == ObservedPerson.query().sorted(by: \.age).first(in: store))
        try await setAge(first.id, 90)
        let second = try #require(try await youngest.next() ?? nil)
        let expected = try await ObservedPerson.query().sorted(by: \.age).first(in: store)
        #expect(second.id != first.id && second == expected)
    }

    @Test func aWritingConsumer_endsWhereValuesAreEqual() async throws {
        var ages: [Int] = []
        for try await person in ObservedPerson.query(1).values(in: store) {
            guard let person else { break }
            ages.append(person.age)
            if person.age == 50 { break }
            try await setAge(1, person.age + 1)
        }
        #expect(ages == [45, 46, 47, 48, 49, 50])
    }
}
