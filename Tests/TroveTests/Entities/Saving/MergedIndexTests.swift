// Indexes and unique values of merged entities: those of the stored entity, not of the entity that is saved.

import Testing

@testable import Trove

@EntityModel
private struct Cardholder: Equatable {
    #Index<Cardholder>(\.city)
    #Unique<Cardholder>(\.number, collisions: .throw)

    let id: Int
    var name: String?
    var city: String?
    var number: Int?
    @Relationship(inverse: \.guarantor) var guarantees: [Cardholder]?
    @Relationship(inverse: \.guarantees) var guarantor: Cardholder?
}

@Suite("Indexes of merged entities") struct MergedIndexTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Cardholder.self])
        try Cardholder(id: 1, name: "Ann", city: "Rome", number: 7).save(to: store)
    }

    private func keys(in city: String?) throws -> [Int] { try Cardholder.filter(\.city == city).keys(in: store) }

    private func expectSound() throws {
        #expect(try store.check() == [])
        try store.expectIntactLinks()
    }

    @Test func aFragment_keepsTheEntriesOfWhatItDoesNotHave() throws {
        try Cardholder(id: 1, name: "Anna").save(to: store, merging: .fragment)
        try Cardholder(id: 2, guarantees: .fragment([Cardholder(id: 1, name: "Annie")])).save(to: store)
        #expect(
            try store.get(Cardholder.self, key: 1) == Cardholder(id: 1, name: "Annie", city: "Rome", number: 7))
        #expect(try keys(in: "Rome") == [1] && keys(in: nil) == [2])
        // The number is still taken.
        #expect(throws: StoreError.self) { try Cardholder(id: 3, number: 7).save(to: store) }
        #expect(throws: StoreError.self) { try Cardholder(id: 2, number: 7).save(to: store, merging: .fragment) }
        try Cardholder(id: 1, city: "Oslo").save(to: store, merging: .fragment)
        #expect(try keys(in: "Rome") == [] && keys(in: "Oslo") == [1])
        try expectSound()
    }

    @Test func aValueThatTheMergeDrops_staysFree() throws {
        let keepingTheStored = MergeStrategy<Cardholder> { old, new in
            var merged = new
            (merged.city, merged.number) = (old.city, old.number)
            return merged
        }
        try Cardholder(id: 2, city: "Bern", number: 9).save(to: store)
        // The number 9 is compared with nothing, since the merged entity does not have it.
        try Cardholder(id: 1, name: "B", city: "Bern", number: 9).save(to: store, merging: keepingTheStored)
        #expect(try store.get(Cardholder.self, key: 1) == Cardholder(id: 1, name: "B", city: "Rome", number: 7))
        #expect(try keys(in: "Bern") == [2] && keys(in: "Rome") == [1])
        try Cardholder(id: 2, number: 10).save(to: store)
        try Cardholder(id: 3, number: 9).save(to: store)
        try expectSound()
    }
}
