// Checks that wait for the end of the outermost statement: unique values, and relations whose rule is to deny.

import Testing

@testable import Trove

/// The tenant of a flat gives way by a rule of the program.
@EntityModel
private struct Tenant: Equatable {
    #Unique<Tenant>(\.flat, collisions: .custom { context, _, existing in try existing.delete(from: context) })
    #Unique<Tenant>(\.phone, collisions: .throw)

    let id: Int
    var flat: Int?
    var phone: Int?
    @Relationship(deleteRule: .deny, inverse: \.tenant) var keys: [FlatKey]?
}

@EntityModel
private struct FlatKey: Equatable {
    let id: Int
    @Relationship(inverse: \.keys) var tenant: Tenant?
}

@Suite("Deferred checks") struct DeferredCheckTests {
    private let store: Store

    init() throws {
        store = try Store.temporary(records: [Errand.self, Tenant.self])
        try Tenant(id: 1, flat: 1, phone: 1, keys: .relation([FlatKey(id: 1)])).save(to: store)
    }

    private let denied = StoreError.entity(
        .deleteDenied(
            type: "Tenant", key: StoredKey(1, of: Tenant.self), relation: "keys",
            other: StoredKey(1, of: FlatKey.self)))

    private func tenants() throws -> [Int] { try Tenant.query().keys(in: store) }

    @Test func aDenialInsideARule_waitsForTheStatement() throws {
        #expect(throws: denied) { try Tenant(id: 2, flat: 1).save(to: store) }
        #expect(throws: denied) { try Tenant(id: 2, flat: 1, keys: .ids([2])).save(to: store) }
        #expect(try tenants() == [1])
        // The same statement takes the key over.
        try Tenant(id: 2, flat: 1, keys: .ids([1])).save(to: store)
        #expect(try tenants() == [2])
        #expect(try FlatKey.ids("tenant", of: 1, in: store) == [2])
        try store.expectIntactLinks()
    }

    @Test func aDenialInsideANestedTransactionOfAHook_waitsForTheStatement() throws {
        try Errand.run(in: store) { context in
            try context.nested { context in
                try Tenant.delete(id: 1, from: context)
                try context.nested { try FlatKey.delete(id: 1, from: $0) }
            }
        }
        #expect(try tenants() == [])
        try Tenant(id: 1, keys: .relation([FlatKey(id: 1)])).save(to: store)
        try Errand.run(in: store) { context in
            try context.nested { try Tenant.delete(id: 1, from: $0) }
            try FlatKey.delete(id: 1, from: context)
        }
        #expect(try tenants() == [])
        try Tenant(id: 1, keys: .relation([FlatKey(id: 1)])).save(to: store)
        #expect(throws: denied) {
            try Errand.run(in: store) { context in
                _ = try context.nested { context in try Tenant.delete(id: 1, from: context) }
            }
        }
        #expect(try tenants() == [1])
        // Outside of a statement, a nested transaction is none.
        #expect(throws: denied) {
            try store.write { context in
                _ = try context.nested { try Tenant.delete(id: 1, from: $0) }
                Issue.record("The statement has ended.")
            }
        }
        try store.expectIntactLinks()
    }

    @Test func uniqueValuesOfAHook_areComparedAtTheEndOfTheStatement() throws {
        try Tenant(id: 2, phone: 2).save(to: store)
        try Errand.run(in: store) { context in
            try context.nested { try Tenant(id: 1, phone: 2).save(to: $0) }
            try context.nested { try Tenant(id: 2, phone: 1).save(to: $0) }
        }
        #expect(try Tenant.query().resolve(in: store).map(\.phone) == [2, 1])
        #expect(throws: StoreError.self) {
            try Errand.run(in: store) { context in
                _ = try context.nested { context in try Tenant(id: 2, phone: 2).save(to: context) }
            }
        }
        #expect(try Tenant.query().resolve(in: store).map(\.phone) == [2, 1])
    }

    @Test func aDenialOfAnInnerStatementThatIsUndone_isForgotten() throws {
        try Errand.run(in: store) { context in
            #expect(throws: Refused()) {
                try context.statement { (context) throws -> Void in
                    try Tenant.delete(id: 1, from: context)
                    #expect(context.deferredChecks.count == 1)
                    throw Refused()
                }
            }
            #expect(context.deferredChecks.isEmpty)
            let count = try Tenant.query().count(in: context)
            #expect(count == 1)
        }
        // The same by calls of a program: the delete is noted before a hook of the same call throws.
        try Errand.run(in: store) { context in
            #expect(throws: Refused(hook: "nested")) {
                try context.nested { context in
                    try Tenant.delete(id: 1, from: context)
                    try Tenant(id: 2, phone: 1).save(to: context)
                    throw Refused(hook: "nested")
                }
            }
            try Tenant(id: 3, phone: 3).save(to: context)
        }
        #expect(try tenants() == [1, 3])
        #expect(try Tenant.ids("keys", of: 1, in: store) == [1])
        try store.expectIntactLinks()
    }

    @Test func checksThatAreDeferred_runOnce() throws {
        try store.write { context in
            #expect(throws: denied) {
                try context.statement { (context) throws -> Void in
                    try Tenant.delete(id: 1, from: context)
                    #expect(context.deferredChecks.count == 1)
                }
            }
            #expect(context.deferredChecks.isEmpty)
            try context.statement { context in
                try Tenant.delete(id: 1, from: context)
                try FlatKey.delete(id: 1, from: context)
            }
            #expect(context.deferredChecks.isEmpty)
            #expect(!context.isStatement)
        }
        #expect(try tenants() == [])
    }
}
