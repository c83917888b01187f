// Updates and deletes in the order of their query.

import Foundation
import Testing
import Trove
import TroveTestSupport

@EntityModel
private struct Wall: Equatable {
    let id: Int
    @Relationship(inverse: \.wall) var posters: [Placard]?
}

@EntityModel
private struct Placard: Equatable {
    #Index<Placard>(\.day)

    let id: Int
    var day: Int
    var place: Int = 0
    @Relationship(inverse: \.posters) var wall: Wall?

    func didDelete(from context: TransactionContext) throws {
        let count = try Log.query().count(in: context)
        try context.insert(Log(number: count, poster: id))
    }
}

@IndexKeyRecord("number")
private struct Log: Hashable {
    let number: Int
    let poster: Int
}

@IndexKeyRecord("id")
private struct Stint: Hashable {
    let id: Int
    var day: Int
    var place: Int = 0
}

@Suite("Changes in order") struct ChangeOrderTests {
    private let store: Store
    /// The days of the posters 1 to 6.
    private let days = [3, 1, 2, 1, 0, 2]
    private let byDay = [5, 2, 4, 3, 6, 1]
    private let byDayDown = [1, 3, 6, 2, 4, 5]

    init() throws {
        store = try Store.temporary()
        for (index, day) in days.enumerated() { try Placard(id: index + 1, day: day).save(to: store) }
        try Wall(id: 1).save(to: store)
        try store.insert(contentsOf: days.enumerated().map { Stint(id: $0 + 1, day: $1) })
    }

    private func posters() throws -> [Int] { try Wall.query(1).related(\.$posters).keys(in: store) }

    @Test func update_appendsToAListInTheOrderOfTheSort() throws {
        #expect(try Placard.query().sorted(by: \.day).update(in: store) { $0.$wall = .id(1) } == 6)
        #expect(try posters() == byDay)
    }

    @Test func update_appendsInDescendingOrder_andThatOfAClosure() throws {
        try Placard.filter(\.day > 0).sorted(by: \.day.desc).update(in: store) { $0.$wall = .id(1) }
        #expect(try posters() == byDayDown.dropLast())
        try Placard.query().update(in: store) { $0.$wall = .null }
        try Placard.filter(.everything).sorted { $0.id > $1.id }.update(in: store) { $0.$wall = .id(1) }
        #expect(try posters() == [6, 5, 4, 3, 2, 1])
    }

    @Test func anAsyncUpdate_isInOrderToo() async throws {
        try await Placard.query().sorted(by: \.day).update(in: store) { $0.$wall = .id(1) }
        #expect(try posters() == byDay)
    }

    @Test func update_ofRecords_callsItsClosureInOrder() throws {
        var next = 0
        try Stint.query().sorted(by: \.day.desc).update(in: store) { errand in
            errand.place = next
            next += 1
        }
        #expect(try Stint.query().sorted(by: \.place).keys(in: store) == byDayDown)
        try Stint.query().order(.descending).update(in: store) { errand in
            errand.place = next
            next += 1
        }
        #expect(try Stint.query().sorted(by: \.place).keys(in: store) == [6, 5, 4, 3, 2, 1])
    }

    @Test func update_ofALimit_changesTheFirstInOrder() throws {
        #expect(try Placard.query().sorted(by: \.day).limit(2, offset: 1).update(in: store) { $0.$wall = .id(1) } == 2)
        #expect(try posters() == [2, 4])
    }

    @Test func update_ofARelation_isInTheOrderOfItsList() throws {
        try Wall(id: 1, posters: .ids([4, 1, 3])).save(to: store)
        try Wall(id: 2).save(to: store)
        try Wall.query(1).related(\.$posters).update(in: store) { $0.$wall = .id(2) }
        #expect(try Wall.query(2).related(\.$posters).keys(in: store) == [4, 1, 3])
    }

    @Test func delete_callsHooksInTheOrderOfTheSort() throws {
        #expect(try Placard.query().sorted(by: \.day).limit(4).delete(in: store) == 4)
        #expect(try Log.query().resolve(in: store).map(\.poster) == Array(byDay.prefix(4)))
        #expect(try Placard.query().keys(in: store) == [1, 6])
        #expect(try Placard.filter(\.day > 0).sorted(by: \.day.desc).delete(in: store) == 2)
        #expect(try Log.query().resolve(in: store).map(\.poster) == Array(byDay.prefix(4)) + [1, 6])
    }

    @Test func delete_ofRecords_respectsItsLimit() throws {
        #expect(try Stint.query().sorted(by: \.day).limit(2, offset: 1).delete(in: store) == 2)
        #expect(try Stint.query().keys(in: store) == [1, 3, 5, 6])
        #expect(try Stint.filter(\.id > 1).limit(1).delete(in: store) == 1)
        #expect(try Stint.query().keys(in: store) == [1, 5, 6])
    }
}
