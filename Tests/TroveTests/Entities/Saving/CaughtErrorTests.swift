// Errors that a hook catches: the call that has failed is undone as a whole, and the statement goes on.

import Testing

@testable import Trove

/// Saving a locker takes the number and the code of others over, unless another locker refuses to go.
@EntityModel
private struct Locker: Equatable {
    #Unique<Locker>(\.number, collisions: .upsert)
    #Unique<Locker>(\.code, collisions: .upsert)

    let id: Int
    var number: Int?
    var code: Int?
    var refuses: Bool = false
    @Relationship(deleteRule: .deny, inverse: \.locker) var coats: [Coat]?
}

extension Locker {
    func willDelete(from context: TransactionContext) throws { if refuses { throw Refused(hook: "willDelete") } }
}

@EntityModel
private struct Coat: Equatable {
    let id: Int
    @Relationship(inverse: \.coats) var locker: Locker?
}

/// A record without relations, with a rule that takes over and a rule that refuses.
@IndexKeyRecord("id")
private struct Peg: Equatable {
    #Unique<Peg>(\.number, collisions: .upsert)
    #Unique<Peg>(\.code, collisions: .custom { _, _, _ in throw Refused(hook: "rule") })

    let id: Int
    var number: Int?
    var code: Int?
}

@Suite("Errors caught in hooks") struct CaughtErrorTests {
    private let store: Store

    init() throws { store = try Store.temporary(records: [Errand.self, Locker.self, Peg.self]) }

    @Test func aSaveThatFails_leavesNothing() throws {
        let first = Locker(id: 1, number: 1)
        let refusing = Locker(id: 2, code: 2, refuses: true)
        try [first, refusing].save(to: store)
        let both = Locker(id: 3, number: 1, code: 2)
        let calls: [@Sendable (TransactionContext) throws -> Void] = [
            { try both.save(to: $0) },
            { try $0.insert(both) },
            { try $0.insert(contentsOf: [both]) },
            { try [Locker(id: 4), both].save(to: $0) },
            { try Coat(id: 1, locker: .relation(both)).save(to: $0) },
            { try Locker.filter(\.id == 1).update(in: $0) { $0.code = 2 } },
        ]
        for call in calls {
            try Errand.run(in: store) { context in
                #expect(throws: Refused(hook: "willDelete")) { try call(context) }
            }
            #expect(try Locker.query().resolve(in: store) == [first, refusing])
            #expect(try Coat.query().count(in: store) == 0)
        }
        try store.expectIntactLinks()
    }

    @Test func anInsertOfARecordThatFails_leavesNothing() throws {
        let pegs = [Peg(id: 1, number: 1), Peg(id: 2, code: 2)]
        try store.insert(contentsOf: pegs)
        try Errand.run(in: store) { context in
            #expect(throws: Refused(hook: "rule")) { try context.insert(Peg(id: 3, number: 1, code: 2)) }
        }
        #expect(try Peg.query().resolve(in: store) == pegs)
    }
}
