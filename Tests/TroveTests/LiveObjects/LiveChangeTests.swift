// Changes of a live object by closures, which run again where the object has changed meanwhile.

import LMDB
import Testing
import TroveTestSupport

@testable import Trove

@Suite("Changes by closures", .hangLimit) struct LiveChangeTests {
    private let store: Store
    private let traveler: Live<Traveler>

    init() throws {
        store = try Store.live()
        traveler = try Traveler.create(Traveler(id: 1, age: 0), in: store)
    }

    @Test func increments_ofManyThreads_addUp() throws {
        let rounds = hasSanitizer ? 100 : 500
        let traveler = traveler
        let threads = (0..<8).map { number in
            RunningThread {
                for turn in 0..<rounds {
                    traveler.change { $0.age += 1 }
                    if number == 0, turn.isMultiple(of: 20) { try traveler.save() }
                }
            }
        }
        for thread in threads { try thread.value() }
        #expect(traveler.age == 8 * rounds)
        try traveler.save()
        #expect(try store.stored(1)?.age == 8 * rounds)
    }

    @Test func aClosure_runsAgain_onANewerValue() throws {
        var ages: [Int] = []
        let traveler = traveler
        try traveler.change { copy in
            ages.append(copy.age)
            if ages.count == 1 { try RunningThread { traveler.age = 10 }.value() }
            copy.age += 1
        }
        #expect(ages == [0, 10] && traveler.age == 11)
    }

    @Test func aClosure_runsAgain_onACommitThatTheObjectHasFollowed() throws {
        var ages: [Int] = []
        let (store, traveler) = (store, traveler)
        try traveler.change { copy in
            ages.append(copy.age)
            if ages.count == 1 {
                try RunningThread {
                    try store.write(Traveler(id: 1, age: 20))
                    try traveler.refresh()
                }.value()
            }
            copy.age += 1
        }
        #expect(ages.last == 20 && traveler.age == 21)
    }

    /// Otherwise it would never end.
    @Test func aClosure_doesNotRunAgain_onACommitThatChangesNoValue() throws {
        var runs = 0
        let (store, traveler) = (store, traveler)
        traveler.name = "mine"
        try traveler.change { copy in
            runs += 1
            if runs == 1 {
                try RunningThread {
                    try store.write(Traveler(id: 1, name: "theirs", age: 0))
                    try traveler.refresh()
                }.value()
            }
            copy.age += 1
        }
        #expect(runs == 1)
        #expect(traveler.name == "mine" && traveler.age == 1)
    }

    @Test func aClosureThatEditsItsObject_doesNotRunAgainForThat() {
        var calls = 0
        traveler.change { copy in
            calls += 1
            traveler.age += 5
            copy.name = "outer"
        }
        #expect(calls == 1 && traveler.age == 5 && traveler.name == "outer")
    }

    @Test func aClosureThatEditsItsObject_doesNotRunAgainForASaveOnAnotherThread() throws {
        var calls = 0
        let traveler = traveler
        try traveler.change { copy in
            calls += 1
            traveler.age += 5
            try RunningThread { try traveler.save() }.value()
            copy.name = "outer"
        }
        #expect(calls == 1 && traveler.age == 5 && traveler.name == "outer")
    }

    @Test func anErrorOfTheClosure_changesNothing() {
        #expect(throws: Stop.self) {
            try traveler.change { copy in
                copy.age = 7
                throw Stop()
            }
        }
        #expect(traveler.age == 0 && !traveler.hasChanges)
    }
}
