// An insert that changes the stored record with the same key.

import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("name")
private struct Counter: Hashable {
    #Unique<Counter>(\.code, collisions: .ignore)

    var name: String
    var count: Int
    var code: Int?
}

@EntityModel
private struct Choir: Equatable {
    let id: Int
    var wins: Int
    @Relationship(inverse: \.choir) var singers: [Chorister]?
}

@EntityModel
private struct Chorister: Equatable {
    let id: Int
    @Relationship(inverse: \.singers) var choir: Choir?
}

@Suite("Inserts that update") struct InsertOrUpdateTests {
    private let store: Store

    init() throws { store = try Store.temporary() }

    @Test func theFirst_isStoredAsItIs_andLaterOnesChangeIt() throws {
        for expected in 1...3 {
            let counter = try store.insert(Counter(name: "visits", count: 1)) { $0.count += 1 }
            #expect(counter == Counter(name: "visits", count: expected))
        }
        #expect(try Counter.query().resolve(in: store) == [Counter(name: "visits", count: 3)])
    }

    @Test func allForms_areTheSame() async throws {
        try await store.insert(Counter(name: "a", count: 1)) { $0.count += 1 }
        try await Counter(name: "a", count: 1).insert(in: store) { $0.count += 1 }
        try await store.write { context in
            try context.insert(Counter(name: "a", count: 1)) { $0.count += 1 }
            try Counter(name: "a", count: 1).insert(in: context) { $0.count += 1 }
            try Counter(name: "b", count: 1).insert(in: context, orUpdate: { $0.count = 0 })
        }
        let counts = try await Counter.query().resolve(in: store).map(\.count)
        #expect(counts == [4, 1])
    }

    @Test func parallelWriters_loseNothing() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { try await store.insert(Counter(name: "a", count: 1)) { $0.count += 1 } }
            }
            try await group.waitForAll()
        }
        let counter = try await Counter.get(in: store, name: "a")
        #expect(counter?.count == 50)
    }

    @Test func anErrorOfTheClosure_andAChangedKey_writeNothing() throws {
        struct Full: Error {}
        try store.insert(Counter(name: "a", count: 7))
        try store.write { context in
            #expect(throws: Full.self) {
                try context.insert(Counter(name: "a", count: 1)) { counter in
                    counter.count = 0
                    throw Full()
                }
            }
            let key = StoredKey(KeyWriter.bytes(of: "a"), of: "Counter")
            #expect(throws: StoreError.record(.keyChanged(type: "Counter", key: key))) {
                try context.insert(Counter(name: "a", count: 1)) { $0.name = "b" }
            }
            // It is not called without a stored record.
            try context.insert(Counter(name: "c", count: 1)) { _ in throw Full() }
        }
        #expect(try Counter.query().resolve(in: store).map(\.count) == [7, 1])
    }

    @Test func aRecordThatGivesWay_isNil() throws {
        try store.insert(Counter(name: "a", count: 1, code: 5))
        #expect(try store.insert(Counter(name: "b", count: 1, code: 5)) { $0.count += 1 } == nil)
        #expect(try Counter.query().count(in: store) == 1)
    }

    @Test func anEntity_keepsItsRelations() throws {
        try store.insert(Choir(id: 1, wins: 0, singers: .relation([Chorister(id: 7), Chorister(id: 8)]))) {
            $0.wins += 1
        }
        try store.insert(Choir(id: 1, wins: 0)) { $0.wins += 1 }
        #expect(try Choir.query(1).resolve(in: store)?.wins == 1)
        #expect(try Choir.query(1).related(\.$singers).keys(in: store) == [7, 8])
        try store.insert(Choir(id: 1, wins: 0)) { $0.$singers = .ids([8]) }
        #expect(try Choir.query(1).related(\.$singers).keys(in: store) == [8])
    }
}
